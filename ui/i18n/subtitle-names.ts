/** The names of subtitles in a menu. */
import { subtitleLanguage } from '#ui/lib/entries/subtitles.ts'
import { cached, capitalized } from './format.ts'

/** @returns the language of each file, such as `English`; its name if it has no language, or shares it with another file */
export function subtitleNames(film: string, files: readonly string[]): string[] {
  const languages = files.map((file) => languageName(subtitleLanguage(film, file)))
  return files.map((file, index) => {
    const language = languages[index]
    const isOnly = languages.filter((one) => one === language).length === 1
    return language !== undefined && isOnly ? language : file
  })
}

function languageName(tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined
  const names = cached(
    'languages',
    (locale) => new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }),
  )
  const name = names.of(tag)
  return name && capitalized(name)
}
