/** The texts of the interface: sets up i18next with built-in English and keys typed from en.json. */
import i18next, { type Module, type ParseKeys, type TFunction } from 'i18next'
import { useSyncExternalStore } from 'react'
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

i18next.use(exactlyOne).init({
  resources: { [FALLBACK_LANGUAGE]: { translation: en } },
  lng: FALLBACK_LANGUAGE,
  fallbackLng: FALLBACK_LANGUAGE,
  lowerCaseLng: true,
  initAsync: false,
  // React escapes HTML itself; disguising characters in names are made visible in every text.
  interpolation: { escapeValue: true, escape: withoutDisguise },
})

export { i18next }

/**
 * The text of a key, outside of components. Components use `useTranslation`, which follows a change of the language.
 */
export const t = i18next.t

/** The texts for components: another object for each language, so that what depends on it is made again. */
let translation = translationNow()
i18next.on('languageChanged', () => {
  translation = translationNow()
})

/** The texts of the language. The component renders again when the language changes. */
export function useTranslation(): typeof translation {
  return useSyncExternalStore(onLanguageChange, () => translation)
}

function onLanguageChange(changed: () => void): () => void {
  i18next.on('languageChanged', changed)
  return () => i18next.off('languageChanged', changed)
}

/**
 * i18next looks each text up in steps, also those without numbers or names. Rows that scroll ask for such texts often, so
 * they are remembered.
 */
function translationNow() {
  const plain = new Map<unknown, string>()
  // Callers have the type of i18next, whose overloads cannot be spelled out here.
  const translate = i18next.t as unknown as (...request: unknown[]) => string
  const remembered = (...request: unknown[]) => {
    if (request.length > 1) return translate(...request)
    const [key] = request
    const known = plain.get(key)
    if (known !== undefined) return known
    const text = translate(key)
    // A text of a part that is not loaded yet is its key.
    if (text !== key) plain.set(key, text)
    return text
  }
  return { t: remembered as unknown as TFunction, language: i18next.language }
}
