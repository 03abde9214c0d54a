/**
 * The language at the end of the name of a subtitle file, without the name of its film if it begins with that:
 * `film.pt-BR.srt` of `film.mp4` is `pt-BR`. Undefined if there is none.
 */
export function subtitleLanguage(film: string, name: string): string | undefined {
  const stem = film.replace(/\.[^.]+$/, '')
  const rest = name.startsWith(stem) ? name.slice(stem.length) : name
  const tag = tagAtEnd(rest.replace(MARK, '')) ?? tagAtEnd(rest)
  if (!tag || NO_LANGUAGES.test(tag)) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** Marks of subtitles for the deaf, and of those that are always shown: they may follow the language. */
const MARK = /[._-](?:sdh|cc|hi|forced)(?=\.[^.]+$)/i
/** Marks that have the form of a language, but are not used as one. Without a language before it, `hi` is Hindi. */
const NO_LANGUAGES = /^(?:sdh|cc)$/i

function tagAtEnd(name: string): string | undefined {
  return /[._-]([a-z]{2,3}(?:-[a-z]{2,4})?)\.[^.]+$/i.exec(name)?.[1]
}
