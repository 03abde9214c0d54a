import { expect, test } from 'bun:test'
import '../../browser.ts'
import { formErrorOf } from '#ui/features/settings/form-error.ts'
import { Fault, type FaultCode } from '#wire/fault.ts'

test.each([
  ['usernameTaken', 'Taken.', 'username', 'taken'],
  ['badRequest', '(password is too short, minimum length is 14)', 'password', '14 characters'],
  ['badRequest', '(password is too easy)', 'password', 'too easy'],
  ['badRequest', '(password is empty)', 'password', 'needed'],
  [
    'badRequest',
    '(Open sign-up needs a folder: switch createUserDir on.)',
    'signup',
    'home folder',
  ],
  ['badRequest', '(A user name has 1 to 128 characters.)', 'username', '128 characters'],
  ['badRequest', '(a (b) c)', undefined, 'a (b) c'],
  ['forbidden', 'This is the only administrator.', undefined, 'the only administrator.'],
  ['forbidden', '403', undefined, 'no right'],
  ['unavailable', '000 No connection', undefined, 'cannot be reached'],
] as const satisfies [FaultCode, ...unknown[]][])(
  '%s %s belongs to %p',
  (code, message, field, words) => {
    const body = code === 'badRequest' ? `400 Bad Request ${message}` : message
    const problem = formErrorOf(new Fault(code, body))
    expect(problem.field).toBe(field)
    expect(problem.text).toContain(words)
    expect(problem.text).not.toContain('400')
  },
)

test('a refusal of open sign-up names no option', () => {
  const message = '400 Bad Request (Open sign-up needs a folder: switch createUserDir on.)'
  expect(formErrorOf(new Fault('badRequest', message)).text).not.toContain('createUserDir')
})

test('a stray error is no sentence of the server', () => {
  expect(formErrorOf(new TypeError('x is undefined')).text).not.toContain('undefined')
})
