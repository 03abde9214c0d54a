/** Changes the language: loads its texts and sets direction and `lang` of the page. */
import { i18next, KEYS_LANGUAGE } from './i18n.ts'
import { FALLBACK_LANGUAGE, languageFor } from './languages.ts'

type Messages = Record<string, unknown>

const LOADERS = import.meta.glob<Messages>(['./messages/*.json', '!./messages/en.json'], {
  import: 'default',
})

/** Counts the calls: a language that is loaded after a later call is not activated. */
let calls = 0

/**
 * Activates the offered language that matches `tags` best, else English. Only the last of several calls counts.
 *
 * @throws TypeError if its texts cannot be loaded: the current language stays
 */
export async function setLanguage(tags: readonly string[]): Promise<void> {
  calls += 1
  const current = calls
  if (import.meta.env.DEV && tags[0] === KEYS_LANGUAGE) return showKeys()
  const language = languageFor(tags)
  const load = LOADERS[`./messages/${language.code}.json`]
  const isLoaded = i18next.hasResourceBundle(language.code, 'translation')
  if (load && !isLoaded) {
    i18next.addResourceBundle(language.code, 'translation', await load(), true, true)
  }
  if (current !== calls) return
  await i18next.changeLanguage(language.code)
  document.documentElement.lang = language.code
  document.documentElement.dir = language.rtl ? 'rtl' : 'ltr'
}

async function showKeys(): Promise<void> {
  i18next.use({
    type: 'postProcessor',
    name: KEYS_LANGUAGE,
    process: (_value: string, key: string | string[]) => `[[${[key].flat()[0]}]]`,
  })
  i18next.options.postProcess = [KEYS_LANGUAGE]
  await i18next.changeLanguage(FALLBACK_LANGUAGE)
}
