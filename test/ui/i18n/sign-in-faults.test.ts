import { expect, test } from 'bun:test'
import '../browser.ts'
import en from '#ui/i18n/messages/en.json'
import { signInError } from '#ui/i18n/sign-in-faults.ts'
import { Fault } from '#wire/fault.ts'

test.each(['usernameTaken', 'conflict'] as const)(
  'the fault %s means a taken username only at sign-up',
  (code) => {
    const fault = new Fault(code, '')
    expect(signInError(fault, 'signUp')).toBe(en.login.usernameTaken)
    expect(signInError(fault, 'logIn')).toBe(en.fault[code])
  },
)

test('a refused sign-in does not tell whether the username exists', () => {
  for (const code of ['wrongCredentials', 'forbidden', 'unauthenticated'] as const) {
    expect(signInError(new Fault(code, ''), 'logIn')).toBe(en.login.wrongCredentials)
  }
})

test('a refused new password has its reason as message', () => {
  const fault = new Fault('badRequest', '', { field: 'password', reason: 'passwordTooEasy' })
  expect(signInError(fault, 'signUp')).toBe(en.login.passwordTooEasy)
})

test('a sign-in without a solved captcha is not told as a wrong password', () => {
  const fault = new Fault('wrongCredentials', '', { reason: 'captchaUnsolved' })
  expect(signInError(fault, 'logIn')).toBe(en.login.captchaMissing)
})
