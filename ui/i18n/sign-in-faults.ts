/** Messages for a failed sign-in or sign-up. */
import { Fault, isFault } from '#wire/fault.ts'
import { faultText } from './faults.ts'
import { t } from './i18n.ts'

/** The fault with which the server would refuse a sign-in without a solved captcha. */
export function captchaUnsolved(): Fault {
  return new Fault('wrongCredentials', 'The captcha was not solved.', { reason: 'captchaUnsolved' })
}

/**
 * The message for a failed sign-in or sign-up (docs/specification.md 8).
 *
 * @param hasCountdown whether the time until the next attempt follows
 */
export function signInError(
  error: unknown,
  mode: 'logIn' | 'signUp',
  hasCountdown = false,
): string {
  const isRefused = isFault(error, 'wrongCredentials', 'forbidden', 'unauthenticated')
  if (mode === 'logIn' && isRefused && !error.reason) return t('login.wrongCredentials')
  if (mode === 'signUp' && isFault(error, 'usernameTaken', 'conflict')) {
    return t('login.usernameTaken')
  }
  if (isFault(error, 'tooMany')) return t(hasCountdown ? 'login.tooManyTries' : 'login.tooMany')
  return faultText(error)
}

/** The number of seconds until the next attempt is allowed; 0 if the failure names none. */
export function waitOf(error: unknown): number {
  const fault: Fault | undefined = isFault(error, 'tooMany', 'unavailable') ? error : undefined
  return fault?.retryAfterSec ?? 0
}
