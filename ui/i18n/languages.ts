export interface Language {
  code: string
  /** The name in the language itself. */
  name: string
  rtl?: true
}

/**
 * The languages of the interface (docs/specification.md 9). Each has a complete file in `messages/`. An account may also
 * have another language; then the interface uses the next best.
 */
export const LANGUAGES = [
  { code: 'ar', name: 'العربية', rtl: true },
  { code: 'ca', name: 'Català' },
  { code: 'cs', name: 'Čeština' },
  { code: 'de', name: 'Deutsch' },
  { code: 'el', name: 'Ελληνικά' },
  { code: 'en', name: 'English' },
  { code: 'es', name: 'Español' },
  { code: 'fr', name: 'Français' },
  { code: 'he', name: 'עברית', rtl: true },
  { code: 'hu', name: 'Magyar' },
  { code: 'is', name: 'Íslenska' },
  { code: 'it', name: 'Italiano' },
  { code: 'ja', name: '日本語' },
  { code: 'ko', name: '한국어' },
  { code: 'nl-be', name: 'Nederlands (België)' },
  { code: 'pl', name: 'Polski' },
  { code: 'pt', name: 'Português' },
  { code: 'pt-br', name: 'Português (Brasil)' },
  { code: 'ro', name: 'Română' },
  { code: 'ru', name: 'Русский' },
  { code: 'sk', name: 'Slovenčina' },
  { code: 'sv-se', name: 'Svenska (Sverige)' },
  { code: 'tr', name: 'Türkçe' },
  { code: 'uk', name: 'Українська' },
  { code: 'vi', name: 'Tiếng Việt' },
  { code: 'zh-cn', name: '中文 (简体)' },
  { code: 'zh-tw', name: '中文 (繁體)' },
] as const satisfies readonly Language[]

export type LanguageCode = (typeof LANGUAGES)[number]['code']

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
