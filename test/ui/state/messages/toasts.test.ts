import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import '../../browser.ts'
import { dismissToast, toastError, toastSuccess, toasts } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import { Fault } from '#wire/fault.ts'
import { userOf } from '../../browser.ts'

const texts = () => toasts.shown.map(({ text }) => text)

beforeEach(() => {
  jest.useFakeTimers()
  toasts.shown.length = 0
})

afterEach(() => {
  jest.useRealTimers()
  session.user = null
})

test('a success disappears after 4 s, an error stays until it is dismissed @spec-8.8', () => {
  toastSuccess('Done.')
  toastError('Broken.')
  jest.advanceTimersByTime(3999)
  expect(texts()).toEqual(['Done.', 'Broken.'])
  jest.advanceTimersByTime(1)
  expect(texts()).toEqual(['Broken.'])
  dismissToast(toasts.shown[0]?.id ?? -1)
  expect(texts()).toEqual([])
})

test('at most ten messages are shown, the newest @spec-8.8', () => {
  for (let count = 1; count <= 12; count += 1) toastError(`Error ${count}`)
  expect(texts()).toHaveLength(10)
  expect(texts().at(-1)).toBe('Error 12')
})

test('the same error is shown once, an aborted request never', () => {
  toastError('Broken.')
  toastError('Broken.')
  toastError(new Fault('aborted', ''))
  expect(texts()).toEqual(['Broken.'])
})

test('a defect can be reported, and a refusal cannot', () => {
  const refusals = [new Fault('forbidden', ''), new Fault('conflict', ''), '1 item was left out.']
  const defects = [new Fault('internal', ''), new TypeError('undefined is no function')]
  for (const [at, error] of [...refusals, ...defects].entries()) toastError(error, `${at}.txt`)
  toastSuccess('Done.')
  expect(toasts.shown.map(({ isReportable }) => isReportable)).toEqual([
    ...[false, false, false],
    ...[true, true],
    false,
  ])
})

test('an error names its entry', () => {
  toastError(new Fault('forbidden', ''), 'a.txt')
  expect(texts()[0]).toContain('a.txt')
})

test('the toasts of one user are removed when another user signs in; those without a user stay', async () => {
  toastError('A part could not be loaded.')
  session.user = userOf({ id: 1 })
  await Promise.resolve()
  toastSuccess('Deleted secret.txt', [7])
  toastError('Broken.', 'secret.txt')
  expect(texts()).toHaveLength(3)
  session.user = userOf({ id: 2 })
  toastSuccess('Saved.')
  await Promise.resolve()
  expect(texts()).toEqual(['A part could not be loaded.', 'Saved.'])
})

test('new rights of the same user keep the toasts', async () => {
  session.user = userOf({ id: 1 })
  await Promise.resolve()
  toastError('Broken.')
  session.user = userOf({ id: 1, hideDotfiles: true })
  await Promise.resolve()
  expect(texts()).toEqual(['Broken.'])
})
