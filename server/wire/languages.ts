/** The languages of the interface (docs/specification.md 9), by the codes in user accounts. */

export interface Language {
  code: string
  /** The name in the language itself. */
  name: string
  rtl?: true
}

/** Each has a complete file in `ui/i18n/messages/`. */
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

/**
 * Whether a language tag means a supported language, of any region, as browsers or File Browser write it (`pt-PT`,
 * `sv_se`). An empty tag means the default.
 */
export function isLanguage(tag: string): boolean {
  return tag === '' || LANGUAGES.some(({ code }) => baseOf(code) === baseOf(tag))
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? ''
}
