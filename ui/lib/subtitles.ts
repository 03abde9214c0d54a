/**
 * The language at the end of the name of a subtitle file, without the name of its film if it begins with that:
 * `film.pt-BR.srt` of `film.mp4` is `pt-BR`. Undefined if there is none.
 */
export function subtitleLanguage(film: string, name: string): string | undefined {
  const stem = film.replace(/\.[^.]+$/, '')
  const rest = name.startsWith(stem) ? name.slice(stem.length) : name
  const tag = /[._-]([a-z]{2,3}(?:-[a-z]{2,4})?)\.[^.]+$/i.exec(rest)?.[1]
  if (!tag) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
