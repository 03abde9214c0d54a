import { faultText } from '#ui/i18n/faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import { isFault } from '#wire/fault.ts'

/** Why signing in or up did not work, as a sentence (spec section 8). */
export function troubleText(error: unknown, mode: 'logIn' | 'signUp'): string {
  const refused = isFault(error, 'wrongCredentials', 'forbidden', 'unauthenticated')
  if (mode === 'logIn' && refused) return t('login.wrongCredentials')
  if (isFault(error, 'usernameTaken', 'conflict')) return t('login.usernameTaken')
  if (isFault(error, 'tooMany')) return t('login.tooMany')
  return faultText(error)
}
