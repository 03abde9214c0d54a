/** The supported languages (docs/specification.md 9), by the codes in user accounts. */
export const LANGUAGE_CODES = [
  'ar',
  'ca',
  'cs',
  'de',
  'el',
  'en',
  'es',
  'fr',
  'he',
  'hu',
  'is',
  'it',
  'ja',
  'ko',
  'nl-be',
  'pl',
  'pt',
  'pt-br',
  'ro',
  'ru',
  'sk',
  'sv-se',
  'tr',
  'uk',
  'vi',
  'zh-cn',
  'zh-tw',
] as const

/**
 * Whether a language tag means a supported language, of any region, as browsers or File Browser write it (`pt-PT`,
 * `sv_se`). An empty tag means the default.
 */
export function isLanguage(tag: string): boolean {
  return tag === '' || LANGUAGE_CODES.some((code) => baseOf(code) === baseOf(tag))
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? ''
}
