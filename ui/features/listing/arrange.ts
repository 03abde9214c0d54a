import type { Entry } from '#wire/entry.ts'
import type { ViewMode } from '#wire/user.ts'

/** The items of a folder in the order that a view shows them. */
export interface Arranged {
  items: readonly Entry[]
  /** How many pictures come first, and how many folders after them. */
  pictures: number
  folders: number
}

/**
 * Folders before files; in the gallery pictures before both.
 *
 * @param pictured whether pictures can be shown at all
 */
export function arrange(items: readonly Entry[], view: ViewMode, pictured: boolean): Arranged {
  const folders = items.filter(({ isDir }) => isDir)
  if (view !== 'mosaic gallery' || !pictured) {
    return { items, pictures: 0, folders: folders.length }
  }
  const files = items.filter(({ isDir }) => !isDir)
  const pictures = files.filter(({ type }) => type === 'image')
  const others = files.filter(({ type }) => type !== 'image')
  return {
    items: [...pictures, ...folders, ...others],
    pictures: pictures.length,
    folders: folders.length,
  }
}
