/** The language of the interface for the languages that a person wants. */
import { LANGUAGES, type Language, type LanguageCode } from '#wire/languages.ts'

/** An account may also have a language that the interface lacks; then it uses the next best. */
export const FALLBACK_LANGUAGE: LanguageCode = 'en'

/**
 * @param tags the wanted languages, the best first, in the spelling of browsers or File Browser: `pt-BR`, `sv_se`
 * @returns the best match: the same tag, else the same language with another region, if possible in the same script;
 *   English if there is none
 */
export function languageFor(tags: readonly string[]): Language {
  for (const tag of tags) {
    const normalized = tag.toLowerCase().replaceAll('_', '-')
    const base = baseOf(normalized)
    const regional = LANGUAGES.filter(({ code }) => baseOf(code) === base)
    const match =
      LANGUAGES.find(({ code }) => code === normalized) ??
      LANGUAGES.find(({ code }) => code === base) ??
      regional.find(({ code }) => scriptOf(code) === scriptOf(normalized)) ??
      regional[0]
    if (match) return match
  }
  return { code: FALLBACK_LANGUAGE, name: 'English' }
}

function baseOf(tag: string): string | undefined {
  return tag.split('-')[0]
}

/** The script of a language tag, also if only its region implies it: `Hant` for `zh-hk`; undefined for an invalid tag. */
function scriptOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script
  } catch {
    return undefined
  }
}
