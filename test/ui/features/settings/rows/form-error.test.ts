import { expect, test } from 'bun:test'
import '../../../browser.ts'
import { formErrorOf } from '#ui/features/settings/rows/form-error.ts'
import { Fault, type FaultReason } from '#wire/fault.ts'

test.each([
  [new Fault('usernameTaken', 'Taken.'), 'username', 'taken'],
  [refusal('passwordTooShort', 'password', { length: 14 }), 'password', '14 characters'],
  [refusal('passwordTooEasy', 'password'), 'password', 'too easy'],
  [refusal('passwordEmpty', 'password'), 'password', 'needed'],
  [refusal('usernameInvalid', 'username', { max: 128 }), 'username', '128 characters'],
  [new Fault('badRequest', 'a (b) c'), undefined, 'a (b) c'],
  [new Fault('forbidden', 'This is the only administrator.'), undefined, 'the only administrator.'],
  [new Fault('forbidden', ''), undefined, 'do not have permission'],
  [new Fault('unavailable', ''), undefined, 'cannot be reached'],
] as const)('the error %p belongs to the field %p', (fault, field, words) => {
  const problem = formErrorOf(fault)
  expect(problem.field).toBe(field)
  expect(problem.text).toContain(words)
})

test('a refused open sign-up mentions no option of the command line', () => {
  const problem = formErrorOf(refusal('openSignup', 'signup'))
  expect(problem.field).toBe('signup')
  expect(problem.text).toContain('home folder')
  expect(problem.text).not.toContain('createUserDir')
})

test('an error that is no fault is shown with a default text, without its message', () => {
  expect(formErrorOf(new TypeError('x is undefined')).text).not.toContain('undefined')
})

/** A refusal with a reason, whose message the interface does not show. */
function refusal(reason: FaultReason, field: string, params = {}): Fault {
  return new Fault('badRequest', 'xyz', { reason, field, params })
}
