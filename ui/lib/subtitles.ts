/** The language in the name of a subtitle file: `film.pt-BR.srt` is `pt-BR`. Undefined if there is none. */
export function subtitleLanguage(name: string): string | undefined {
  const tag = /[._-]([a-z]{2,3}(?:-[a-z]{2,4})?)\.[^.]+$/i.exec(name)?.[1]
  if (!tag) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
