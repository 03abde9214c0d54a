/** Why somebody does not get in, and why a password will not do, as sentences. */
import { type Fault, isFault } from '#wire/fault.ts'
import { faultText, reasonText } from './faults.ts'
import { t } from './i18n.ts'

/** Why signing in or up did not work (docs/specification.md 8). */
export function signInError(error: unknown, mode: 'logIn' | 'signUp'): string {
  const refused = isFault(error, 'wrongCredentials', 'forbidden', 'unauthenticated')
  if (mode === 'logIn' && refused) return t('login.wrongCredentials')
  if (isFault(error, 'usernameTaken', 'conflict')) return t('login.usernameTaken')
  if (isFault(error, 'tooMany')) return t('login.tooMany')
  return passwordError(error) ?? faultText(error)
}

/** Why a new password is refused; undefined for any other failure. */
function passwordError(error: unknown): string | undefined {
  if (!isFault(error, 'badRequest') || error.field !== 'password') return undefined
  return error.reason && reasonText(error.reason, error.params)
}

/** How many seconds to wait before the same may be tried again; 0 when one may at once. */
export function waitOf(error: unknown): number {
  const fault: Fault | undefined = isFault(error, 'tooMany', 'unavailable') ? error : undefined
  return fault?.retryAfterSec ?? 0
}
