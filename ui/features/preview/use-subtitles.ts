/** The subtitles of a film: the files beside it, and those inside. */
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { languageName, namedSubtitles } from '#ui/i18n/subtitle-names.ts'
import { subtitleLanguage } from '#ui/lib/entries/subtitles.ts'
import type { FileSource } from '#ui/state/file/file-source.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { nameOf, parsePath } from '#wire/paths.ts'

export interface SubtitleChoice {
  /** The same with another encoding. */
  id: string
  src: string
  label: string
  /** A tag of BCP 47; undefined if it is not known. */
  language: string | undefined
}

/** The containers whose subtitles the server reads. */
const FILMS = /\.(?:mkv|webm|mp4|m4v|mov)$/i

/**
 * Those inside follow when the server has listed them; none if it cannot.
 *
 * @param encoding of the files; undefined if the server detects it
 */
export function useSubtitles(
  file: FileEntry,
  source: FileSource,
  encoding: string | undefined,
): SubtitleChoice[] {
  const { t } = useTranslation()
  const path = parsePath(file.path)
  const key = FILMS.test(file.name) ? `${source.keyOf(path)} ${file.modified}` : undefined
  const listed = useAsync(key, (signal) => source.filmSubtitles(path, signal))
  const inside = listed.status === 'loaded' ? listed.value : []
  const files = (file.subtitles ?? []).map(parsePath)
  return namedSubtitles([
    ...files.map((one) => ({
      id: one,
      src: source.subtitle(one, { encoding }),
      language: subtitleLanguage(file.name, nameOf(one)),
      name: nameOf(one),
    })),
    ...inside.map(({ index, language, title }, position) => ({
      id: `track ${index}`,
      src: source.subtitle(path, { track: index }),
      language,
      name: title ?? `${languageName(language) ?? t('player.subtitles')} ${position + 1}`,
    })),
  ])
}
