/** The languages of the interface (spec section 9). */
export interface Language {
  code: string
  /** As its speakers write it. */
  name: string
  rtl?: true
}

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
 * The language of the table that suits `tags` best: an exact match, else the same language in
 * another region; English when none does.
 */
export function languageFor(tags: readonly string[]): Language {
  for (const tag of tags) {
    const wanted = tag.toLowerCase()
    const found =
      LANGUAGES.find(({ code }) => code === wanted) ??
      LANGUAGES.find(({ code }) => code === wanted.split('-')[0]) ??
      LANGUAGES.find(({ code }) => code.split('-')[0] === wanted.split('-')[0])
    if (found) return found
  }
  return { code: FALLBACK_LANGUAGE, name: 'English' }
}
