/** The texts of the interface: sets up i18next with built-in English and keys typed from en.json. */
import i18next, { type Module, type ParseKeys } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { withoutDisguise } from '#ui/lib/entries/shown-name.ts'
import { FALLBACK_LANGUAGE } from './languages.ts'
import en from './messages/en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

/** A key of en.json, without its plural suffix. */
export type MessageKey = ParseKeys

/** Shows `[[key]]` instead of the text, so that untranslated text is visible (`?lang=__keys__`). */
export const KEYS_LANGUAGE = '__keys__'

/**
 * Adds a plural form for exactly one thing: "Delete “a.txt”?". The form `one` means something else in some languages:
 * Russian also uses it for 21 things, and Japanese does not have it.
 */
const exactlyOne: Module & Record<string, unknown> = {
  type: 'i18nFormat',
  name: 'exactlyOne',
  init: () => undefined,
  addLookupKeys(
    keys: string[],
    key: string,
    code: string,
    _: unknown,
    options: { count?: number },
  ) {
    const { count } = options
    if (count === undefined) return keys
    const form = i18next.services.pluralResolver.getSuffix(code, count)
    // i18next uses the last key that exists.
    keys.push(`${key}_other`, key + form)
    if (count === 0) keys.push(`${key}_zero`)
    if (count === 1) keys.push(`${key}_single`)
    return keys
  },
}

i18next
  .use(exactlyOne)
  .use(initReactI18next)
  .init({
    resources: { [FALLBACK_LANGUAGE]: { translation: en } },
    lng: FALLBACK_LANGUAGE,
    fallbackLng: FALLBACK_LANGUAGE,
    lowerCaseLng: true,
    initAsync: false,
    // React escapes HTML itself; disguising characters in names are made visible in every text.
    interpolation: { escapeValue: true, escape: withoutDisguise },
    react: { useSuspense: false },
  })

export { useTranslation } from 'react-i18next'
export { i18next }

/**
 * The text of a key, outside of components. Components use `useTranslation`, which follows a change of the language.
 */
export const t = i18next.t
