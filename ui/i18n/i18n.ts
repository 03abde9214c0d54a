/** The words of the interface: i18next set up once, English built in, keys typed from en.json. */
import i18next, { type ParseKeys } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { withoutDisguise } from '#ui/lib/shown-name.ts'
import { FALLBACK_LANGUAGE } from './languages.ts'
import en from './messages/en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

/** A key of en.json, without its plural endings. */
export type MessageKey = ParseKeys

/** Shows `[[key]]` instead of words, so that untranslated text is visible (`?lang=__keys__`). */
export const KEYS_LANGUAGE = '__keys__'

i18next.use(initReactI18next).init({
  resources: { [FALLBACK_LANGUAGE]: { translation: en } },
  lng: FALLBACK_LANGUAGE,
  fallbackLng: FALLBACK_LANGUAGE,
  lowerCaseLng: true,
  initAsync: false,
  // React writes text as text; what hides in a name is shown in every sentence.
  interpolation: { escapeValue: true, escape: withoutDisguise },
  react: { useSuspense: false },
})

export { useTranslation } from 'react-i18next'
export { i18next }

/** The words for a key, outside of components. Inside, `useTranslation` follows a change of language. */
export const t = i18next.t
