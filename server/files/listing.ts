/** A folder with what it holds, in the person's order. */

import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/storage.ts'
import type { Entry, Listing, Sorting } from '#wire/entry.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import { entryOf } from './entry.ts'
import { startsAsText } from './file.ts'
import { mayBeText, typeByName } from './kinds.ts'
import { subtitlesIn } from './subtitles.ts'

/** `file2` before `file10`; capitals and accents do not part what belongs together. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** How closely a listing looks at what it lists. */
export interface Look {
  /** Into files whose names do not say what they are. */
  inside: boolean
  /** For the subtitles of videos. */
  subtitles: boolean
}

/** Files that one listing looks into; the others go by their names until somebody opens them. */
const LOOKS_INSIDE_MAX = 256
/** Videos of one listing that come with their subtitles; the others get them when they are opened. */
const VIDEOS_MAX = 500

/** @throws Fault notFound, notDirectory, forbidden */
export async function listing(
  scope: Scope,
  path: TreePath,
  sorting: Sorting,
  look: Look,
): Promise<Listing> {
  const folder = await scope.stat(path)
  const items: Entry[] = []
  const unknown: [entry: Entry, node: Node][] = []
  let numDirs = 0
  for await (const node of scope.list(path)) {
    if (node.kind === 'folder') numDirs += 1
    const entry = entryOf(node, typeByName(node))
    items.push(entry)
    if (mayBeText(node, entry.type)) unknown.push([entry, node])
  }
  if (look.inside) {
    for (const [entry, { path }] of unknown.slice(0, LOOKS_INSIDE_MAX)) {
      if (await startsAsText(scope, path).catch(() => false)) entry.type = 'text'
    }
  }
  const videos = items.filter(({ type }) => type === 'video')
  if (look.subtitles && videos.length > 0) {
    const shelf = await subtitlesIn(scope, path)
    for (const video of videos.slice(0, VIDEOS_MAX)) {
      const subtitles = shelf.of(parsePath(video.path))
      if (subtitles.length > 0) video.subtitles = subtitles
    }
  }
  items.sort(comparison(sorting))
  return {
    items,
    numDirs,
    numFiles: items.length - numDirs,
    sorting,
    ...entryOf(folder, ''),
  }
}

/** Folders before files; then the chosen key; names decide between equals (decisions 4). */
export function comparison({ by, asc }: Sorting): (a: Entry, b: Entry) => number {
  const direction = asc ? 1 : -1
  return (a, b) => {
    if (a.isDir !== b.isDir) return a.isDir ? -1 : 1
    if (by === 'size' && a.size !== b.size && !a.isDir) return direction * (a.size - b.size)
    if (by === 'modified' && a.modified !== b.modified) {
      return direction * (a.modified < b.modified ? -1 : 1)
    }
    const order = names.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)
    return by === 'name' ? direction * order : order
  }
}
