import { beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import en from '#ui/i18n/messages/en.json'
import { copy } from '#ui/state/messages/copy.ts'
import { toasts } from '#ui/state/messages/toasts.ts'

/** The text on the system clipboard. */
let copied: string | undefined

beforeEach(() => {
  copied = undefined
  toasts.shown.length = 0
})

const messages = () => toasts.shown.map(({ tone, text }) => `${tone}: ${text}`)

/** Makes the page one of HTTPS, whose clipboard has this method. */
function openSecurePage(writeText: (text: string) => Promise<void>): void {
  Object.assign(window, { isSecureContext: true })
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
}

/** Makes the page one of plain HTTP, which has no clipboard, but perhaps the deprecated command. */
function openInsecurePage(execCommand: (() => boolean) | undefined): void {
  Object.assign(window, { isSecureContext: false })
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  Object.assign(document, { execCommand })
}

test('copying shows a message @spec-5.8', async () => {
  openSecurePage(async (text) => {
    copied = text
  })
  expect(await copy('abc', { success: 'Link copied' })).toBe(true)
  expect(copied).toBe('abc')
  expect(messages()).toEqual(['success: Link copied'])
})

test('a browser that refuses access shows a message', async () => {
  openSecurePage(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
  expect(await copy('abc')).toBe(false)
  expect(messages()).toEqual([`error: ${en.clipboard.forbidden}`])
})

test('over plain HTTP the deprecated method copies @spec-5.8', async () => {
  openInsecurePage(() => {
    copied = document.querySelector('textarea')?.value
    return true
  })
  expect(await copy('abc')).toBe(true)
  expect(copied).toBe('abc')
  expect(messages()).toEqual([`success: ${en.clipboard.copied}`])
  expect(document.querySelector('textarea')).toBeNull()
})

const WITHOUT_COPY: [how: string, execCommand: (() => boolean) | undefined][] = [
  ['refuses', () => false],
  ['is missing', undefined],
  [
    'throws',
    () => {
      throw new Error('There is no clipboard.')
    },
  ],
]

test.each(WITHOUT_COPY)(
  'over plain HTTP, if the deprecated method %s, a message is shown',
  async (_, execCommand) => {
    openInsecurePage(execCommand)
    expect(await copy('abc')).toBe(false)
    expect(messages()).toEqual([`error: ${en.clipboard.unsupported}`])
    expect(document.querySelector('textarea')).toBeNull()
  },
)

test('an empty text cannot be copied', async () => {
  expect(await copy('')).toBe(false)
  expect(messages()).toEqual([`error: ${en.clipboard.badRequest}`])
})

test('a dialog shows the failure itself', async () => {
  openInsecurePage(() => false)
  const received: string[] = []
  await copy('abc', { onError: (why) => received.push(why) })
  expect(received).toEqual([en.clipboard.unsupported])
  expect(messages()).toEqual([])
})
