import { subscribeKey } from 'valtio/utils'
import { setLanguage } from '#ui/i18n/language.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'

/** Uses the language of the account that signs in, or of the browser if it names none, and follows changes. */
export function followLanguage(): void {
  let current = session.user?.locale
  subscribeKey(session, 'user', () => {
    const locale = session.user?.locale
    if (locale === undefined || locale === current) return
    current = locale
    setLanguage([locale, ...navigator.languages]).catch(toastError)
  })
}
