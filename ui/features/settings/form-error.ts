/** Why a form was not saved, and which field is to blame. */
import { faultText, serverMessage } from '#ui/i18n/faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import { passwordError } from '#ui/i18n/sign-in-faults.ts'
import { isFault } from '#wire/fault.ts'

export interface FormError {
  /** Absent for what belongs to the form as a whole. */
  field?: 'username' | 'password' | 'signup'
  text: string
}

/** The server's own sentence where it says more than the code. */
export function formErrorOf(error: unknown): FormError {
  const password = passwordError(error)
  if (password) return { field: 'password', text: password }
  if (isFault(error, 'usernameTaken')) return { field: 'username', text: t('login.usernameTaken') }
  if (!isFault(error, 'badRequest', 'forbidden', 'conflict') || !/\s/.test(error.message)) {
    return { text: faultText(error) }
  }
  const text = serverMessage(error)
  // The server's sentence is for its operator: it names options.
  if (/^open sign-?up/i.test(text)) return { field: 'signup', text: openSignupText() }
  return /user name/i.test(text) ? { field: 'username', text } : { text }
}

function openSignupText(): string {
  return t('settings.access.signup.open', { homes: t('settings.access.createUserDir.title') })
}
