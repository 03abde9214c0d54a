import { beforeEach, expect, test } from 'bun:test'
import '../browser.ts'
import en from '#ui/i18n/messages/en.json'
import { copy } from '#ui/state/copy.ts'
import { toasts } from '#ui/state/toasts.ts'

/** The text on the system clipboard. */
let kept: string | undefined

beforeEach(() => {
  kept = undefined
  toasts.shown.length = 0
})

const answer = () => toasts.shown.map(({ tone, text }) => `${tone}: ${text}`)

/** A page of https, whose clipboard answers so. */
function secure(writeText: (text: string) => Promise<void>): void {
  Object.assign(window, { isSecureContext: true })
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
}

/** A page of plain http: no clipboard, but perhaps the old command. */
function insecure(execCommand: (() => boolean) | undefined): void {
  Object.assign(window, { isSecureContext: false })
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  Object.assign(document, { execCommand })
}

test('copying shows a message', async () => {
  secure(async (text) => {
    kept = text
  })
  expect(await copy('abc', { success: 'Link copied' })).toBe(true)
  expect(kept).toBe('abc')
  expect(answer()).toEqual(['success: Link copied'])
})

test('a browser that refuses access shows a message', async () => {
  secure(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
  expect(await copy('abc')).toBe(false)
  expect(answer()).toEqual([`error: ${en.clipboard.forbidden}`])
})

test('over plain HTTP the deprecated method copies', async () => {
  insecure(() => {
    kept = document.querySelector('textarea')?.value
    return true
  })
  expect(await copy('abc')).toBe(true)
  expect(kept).toBe('abc')
  expect(answer()).toEqual([`success: ${en.clipboard.copied}`])
  expect(document.querySelector('textarea')).toBeNull()
})

test.each([
  ['refuses', () => false],
  ['is missing', undefined],
] as const)(
  'over plain HTTP, if the deprecated method %s, a message is shown',
  async (_, execCommand) => {
    insecure(execCommand)
    expect(await copy('abc')).toBe(false)
    expect(answer()).toEqual([`error: ${en.clipboard.unsupported}`])
    expect(document.querySelector('textarea')).toBeNull()
  },
)

test('an empty text cannot be copied', async () => {
  expect(await copy('')).toBe(false)
  expect(answer()).toEqual([`error: ${en.clipboard.badRequest}`])
})

test('a dialog shows the failure itself', async () => {
  insecure(() => false)
  const received: string[] = []
  await copy('abc', { onError: (why) => received.push(why) })
  expect(received).toEqual([en.clipboard.unsupported])
  expect(answer()).toEqual([])
})
