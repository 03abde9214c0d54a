import { expect, test } from 'bun:test'
import '../browser.ts'
import { actText, isPassing, refusalText } from '#ui/i18n/activity-text.ts'
import type { AuditEntry } from '#wire/api/audit.ts'

const record = (status: number, fault: string) => refusalText({ status, fault } as AuditEntry)

test.each([
  [403, 'wrongCredentials', 'Wrong username or password'],
  [403, 'wrongCredentials; reason=captchaUnsolved', 'Solve the captcha first.'],
  [507, 'noSpace', 'No space'],
  [401, 'unauthenticated; reason=sharePasswordWrong', 'Wrong password'],
  [408, 'aborted', 'Interrupted'],
  [200, '', undefined],
])('a record with the status %p and the fault %p has the reason %p', (status, fault, text) => {
  expect(record(status, fault)).toBe(text)
})

test('a visitor who sees the password form of a link has not failed', () => {
  const look = (fault: string) => ({ action: 'publicLook', status: 401, fault }) as AuditEntry
  expect(refusalText(look('unauthenticated'))).toBeUndefined()
  expect(actText(look('unauthenticated'))).toBe('Password of a link asked for')
  const wrong = look('unauthenticated; reason=sharePasswordWrong')
  expect([actText(wrong), refusalText(wrong)]).toEqual(['Link opened', 'Wrong password'])
})

test('requests that a client repeats by itself are told apart from refusals', () => {
  expect(isPassing({ action: 'upload', status: 408 })).toBe(true)
  expect(isPassing({ action: 'upload', status: 423 })).toBe(true)
  expect(isPassing({ action: 'delete', status: 423 })).toBe(false)
  expect(isPassing({ action: 'upload', status: 507 })).toBe(false)
})

test('a record of an earlier version, which has no fault, has a reason by its status', () => {
  expect(record(423, '')).toBe('In use')
})
