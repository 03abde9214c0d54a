/** The error message of a form, and the field concerned. */
import { faultText } from '#ui/i18n/faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import { isFault } from '#wire/fault.ts'

export interface FormError {
  /** Undefined if the error concerns the whole form. */
  field?: 'username' | 'password' | 'signup' | 'publicAddress'
  text: string
}

/** Uses the server's own message if it says more than the code. */
export function formErrorOf(error: unknown): FormError {
  if (isFault(error, 'usernameTaken')) return { field: 'username', text: t('login.usernameTaken') }
  if (isFault(error) && error.reason === 'openSignup')
    return { field: 'signup', text: openSignupText() }
  if (isFault(error) && error.reason) {
    const field = FIELDS.find((known) => known === error.field)
    return { ...(field && { field }), text: faultText(error) }
  }
  const hasOwnMessage = isFault(error, 'badRequest', 'forbidden', 'conflict') && error.message
  return { text: hasOwnMessage || faultText(error) }
}

const FIELDS = ['username', 'password', 'publicAddress'] as const

/** The server's message is not suitable here: it names options of the command line. */
function openSignupText(): string {
  return t('settings.access.signup.open', { homes: t('settings.access.createUserDir.title') })
}
