import { subscribeKey } from 'valtio/utils'
import { speak } from '#ui/i18n/language.ts'
import { session } from '#ui/state/session.ts'

/** Speaks the language of whoever signs in, and follows when they change it. */
export function followLanguage(): void {
  let spoken = session.user?.locale
  subscribeKey(session, 'user', () => {
    const locale = session.user?.locale
    if (!locale || locale === spoken) return
    spoken = locale
    void speak([locale, ...navigator.languages])
  })
}
