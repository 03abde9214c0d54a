import { expect, test } from 'bun:test'
import '../../../browser.ts'
import { refusalText } from '#ui/features/settings/activity/activity-text.ts'
import type { AuditEntry } from '#wire/api/audit.ts'

const record = (status: number, fault: string) => refusalText({ status, fault } as AuditEntry)

test.each([
  [403, 'wrongCredentials', 'Wrong username or password'],
  [403, 'wrongCredentials; reason=captchaUnsolved', 'Solve the captcha first.'],
  [507, 'noSpace', 'No space'],
  [200, '', undefined],
])('a record with the status %p and the fault %p has the reason %p', (status, fault, text) => {
  expect(record(status, fault)).toBe(text)
})

test('a record of an earlier version, which has no fault, has a reason by its status', () => {
  expect(record(423, '')).toBe('In use')
})
