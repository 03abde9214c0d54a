export interface Language {
  code: string
  /** As its speakers write it. */
  name: string
  rtl?: true
}

/** The languages of the specification (section 9). Accounts may name each of them, and others. */
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

/** Those with a complete file in `messages/`. */
const TRANSLATED: readonly LanguageCode[] = ['en']

/** What people may choose: a language is offered when all its keys are translated. */
export const OFFERED_LANGUAGES: readonly Language[] = LANGUAGES.filter(({ code }) =>
  TRANSLATED.includes(code),
)

/**
 * The language of `offered` that suits `tags` best: an exact match, else the same language in
 * another region; English when none does.
 *
 * @param tags as browsers and File Browser spell them: `pt-BR`, `zh-cn`, `sv_se`
 */
export function languageFor(
  tags: readonly string[],
  offered: readonly Language[] = OFFERED_LANGUAGES,
): Language {
  for (const tag of tags) {
    const wanted = tag.toLowerCase().replaceAll('_', '-')
    const found =
      offered.find(({ code }) => code === wanted) ??
      offered.find(({ code }) => code === wanted.split('-')[0]) ??
      offered.find(({ code }) => code.split('-')[0] === wanted.split('-')[0])
    if (found) return found
  }
  return { code: FALLBACK_LANGUAGE, name: 'English' }
}
