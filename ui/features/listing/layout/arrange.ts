import type { Entry } from '#wire/api/entry.ts'
import type { AlbumFacts } from '#wire/api/media.ts'
import type { ViewMode } from '#wire/api/user.ts'

/** The entries of a folder in the display order of a view. */
export interface Arranged {
  items: readonly Entry[]
  /** The number of pictures at the beginning, and of folders after them. */
  pictures: number
  folders: number
  /** Pictures of one day or month, in their order; empty if the gallery has no groups. */
  groups: readonly PictureGroup[]
}

/** Pictures below one title: `start` is the first, `end` is one past the last. */
export interface PictureGroup {
  title: string
  start: number
  end: number
}

/** The metadata of the pictures and films of a folder. */
export interface Album {
  factsOf(entry: Entry): AlbumFacts | undefined
  /** @returns pictures in the order of their days, with titles; undefined if no picture has a date */
  byDay(pictures: readonly Entry[]): { items: Entry[]; groups: PictureGroup[] } | undefined
}

/**
 * Puts the entries of a folder in the display order: folders before files; in the gallery, pictures and films before
 * both.
 *
 * @param isShown whether the gallery shows a file as a picture; undefined in other views
 * @param album set if the gallery is grouped by day
 */
export function arrange(
  items: readonly Entry[],
  view: ViewMode,
  isShown: ((entry: Entry) => boolean) | undefined,
  album?: Album,
): Arranged {
  const folders = items.filter(({ isDir }) => isDir)
  if (view !== 'mosaic gallery' || !isShown) {
    return { items, pictures: 0, folders: folders.length, groups: [] }
  }
  const files = items.filter(({ isDir }) => !isDir)
  const pictures = files.filter(isShown)
  const others = files.filter((file) => !isShown(file))
  const days = album?.byDay(pictures)
  return {
    items: [...(days?.items ?? pictures), ...folders, ...others],
    pictures: pictures.length,
    folders: folders.length,
    groups: days?.groups ?? [],
  }
}
