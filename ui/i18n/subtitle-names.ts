/** The names of subtitles in a menu. */
import { cached, capitalized } from './format.ts'

interface Subtitle {
  /** A tag of BCP 47; undefined if it is not known. */
  language: string | undefined
  /** Shown if the language does not tell them apart. */
  name: string
}

/** Adds the label of each: its language, such as `English`; its name if it has no language, or shares it with another. */
export function namedSubtitles<T extends Subtitle>(
  subtitles: readonly T[],
): (T & { label: string })[] {
  const languages = subtitles.map(({ language }) => languageName(language))
  return subtitles.map((subtitle, index) => {
    const language = languages[index]
    const isOnly = languages.filter((one) => one === language).length === 1
    return { ...subtitle, label: language !== undefined && isOnly ? language : subtitle.name }
  })
}

/** @returns undefined for a tag that is no language */
export function languageName(tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined
  const names = cached(
    'languages',
    (locale) => new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }),
  )
  const name = names.of(tag)
  return name && capitalized(name)
}
