/** Where the viewers read a file: among the user's own files, or in a share. */
import { useSnapshot } from 'valtio'
import * as media from '#ui/api/files/media.ts'
import { readSharedBytes, readSharedPart } from '#ui/api/files/public.ts'
import { type EndRange, type FilePart, readBytes, readPart } from '#ui/api/files/resources.ts'
import { previewUrl, type SubtitleOptions, subtitleUrl } from '#ui/lib/urls/content-urls.ts'
import { type FileUrls, OWN_URLS } from '#ui/lib/urls/file-urls.ts'
import {
  publicFileUrl,
  publicPreviewUrl,
  publicSubtitleUrl,
  type ShareKey,
  sharePageUrl,
} from '#ui/lib/urls/share-urls.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { FilmSubtitle, MediaFacts } from '#wire/api/media.ts'
import type { TreePath } from '#wire/paths.ts'
import { type MediaProblem, mediaProblemOf, sharedProblemOf } from '../media/media-damage.ts'
import { recordOpening, viewerState } from './viewer.ts'

export interface FileSource extends FileUrls {
  /** Undefined for the user's own files. */
  share: ShareKey | undefined
  /** Identifies a file among those of all sources, for what the browser remembers of it. */
  keyOf(path: TreePath): string
  /** A picture of a file: small (`thumb`, a square, or `small`), for a row (`row`), or for the screen (`big`). */
  preview(
    size: 'thumb' | 'small' | 'row' | 'big',
    entry: Pick<Entry, 'modified'>,
    path: TreePath,
  ): string
  /** Subtitles in the format of players: of a subtitle file, or of a track of a film. */
  subtitle(path: TreePath, options?: SubtitleOptions): string
  /** The subtitles inside of a film. @throws as `read`; Fault unavailable */
  filmSubtitles(path: TreePath, signal: AbortSignal): Promise<FilmSubtitle[]>
  /** @throws Fault notFound, forbidden, and for a share unauthenticated */
  read(path: TreePath, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
  /** The first or last bytes of a file; all, if it has fewer. @throws as `read` */
  readPart(path: TreePath, range: EndRange, signal: AbortSignal): Promise<FilePart>
  /** What the server knows of a picture, film or recording. @throws as `read` */
  facts(path: TreePath, signal: AbortSignal): Promise<MediaFacts>
  /** Why the browser cannot play a file. @throws as `mediaProblemOf` and `sharedProblemOf` */
  problemOf(file: { name: string }, path: TreePath, signal: AbortSignal): Promise<MediaProblem>
  /** Records that the user opened a file whose content may not be requested for it. */
  recordOpening(path: TreePath): void
}

/** The source of the file that the page shows. */
export function useFileSource(): FileSource {
  const { visit } = useSnapshot(viewerState)
  if (!visit) return OWN_FILES
  const { hash, token } = visit.share
  if (lastShared?.share?.hash !== hash || lastShared.share.token !== token) {
    lastShared = sharedFiles({ hash, token })
  }
  return lastShared
}

/** The source of the last share. It is the same for each call, so that a component loads a file once. */
let lastShared: FileSource | undefined

export const OWN_FILES: FileSource = {
  ...OWN_URLS,
  share: undefined,
  keyOf: (path) => path,
  preview: previewUrl,
  subtitle: subtitleUrl,
  filmSubtitles: media.readFilmSubtitles,
  read: async (path, signal) => (await readBytes(path, signal)).bytes,
  readPart,
  facts: media.read,
  problemOf: mediaProblemOf,
  recordOpening,
}

function sharedFiles(share: ShareKey): FileSource {
  return {
    ...sharedUrls(share),
    share,
    keyOf: (path) => `share ${share.hash} ${path}`,
    preview: (size, entry, path) => publicPreviewUrl(share, size, path, entry),
    subtitle: (path, options) => publicSubtitleUrl(share, path, options),
    filmSubtitles: (path, signal) => media.readSharedFilmSubtitles(share, path, signal),
    read: (path, signal) => readSharedBytes(share, path, signal),
    readPart: (path, range, signal) => readSharedPart(share, path, range, signal),
    facts: (path, signal) => media.readShared(share, path, signal),
    problemOf: (file, path, signal) => sharedProblemOf(share, file, path, signal),
    // The page has requested the entry, which the server has recorded.
    recordOpening: () => undefined,
  }
}

export function sharedUrls(share: ShareKey): FileUrls {
  return {
    content: (path, isShown) => publicFileUrl(share, path, isShown),
    page: (path, asFolder) => sharePageUrl(share.hash, path, asFolder),
  }
}
