/** A folder with what it holds, in the person's order. */

import type { Scope } from '#server/access/scope.ts'
import { inSlices, runToEnd } from '#server/slices.ts'
import type { Node } from '#server/storage/node.ts'
import { type Entry, LATEST_MS, type Listing, type Sorting } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { entryOf } from './entry.ts'
import { HEAD_BYTES, startsAsText } from './file.ts'
import { looksLikeText, mayBeText, typeByName } from './file-types.ts'
import { keysOf, sortKeys } from './name-order.ts'
import { subtitlesIn } from './subtitles.ts'

/** How closely a listing looks at what it lists. */
export interface ListingOptions {
  /** Into files whose names do not say what they are. */
  inside: boolean
  /** For the subtitles of videos. */
  subtitles: boolean
  /** For the sizes of folders, as far as they are known. */
  sizes?: boolean
}

/** Files that one listing looks into; the others go by their names until somebody opens them. */
const SNIFFED_MAX = 256
/** Videos of one listing that come with their subtitles; the others get them when they are opened. */
const VIDEOS_MAX = 500

/** A folder that has been read, and is not yet in order. */
export interface UnsortedListing {
  /** Changes with anything that the listing says. */
  tag: string
  /** The listing itself. */
  make(): Promise<Listing>
}

/** @throws Fault notFound, notDirectory, forbidden */
export async function listing(
  scope: Scope,
  path: TreePath,
  sorting: Sorting,
  options: ListingOptions,
): Promise<Listing> {
  return (await unsortedListing(scope, path, sorting, options)).make()
}

/** Reads a folder, and leaves out what costs most for a client that has the listing. @throws as `listing` */
export async function unsortedListing(
  scope: Scope,
  path: TreePath,
  sorting: Sorting,
  options: ListingOptions,
): Promise<UnsortedListing> {
  const folder = await scope.stat(path)
  // Asked for meanwhile: a listing without sizes is better than a late one.
  const sizes = options.sizes ? scope.folderSizes(path).catch(() => undefined) : undefined
  const rows = await inSlices(rowsOf(await scope.list(path)))
  if (options.inside) await findText(scope, path, rows)
  if (options.subtitles) await addSubtitles(scope, path, rows)
  const entries = rows.map(({ entry }) => entry)
  const totalSize = addSizes(entries, await sizes)
  const itself = { ...entryOf(folder, ''), ...(totalSize !== undefined && { totalSize }) }
  return {
    tag: await runToEnd(tagOf(entries, `${textOf(itself)} ${JSON.stringify(sorting)}`)),
    async make() {
      const numDirs = entries.filter(({ isDir }) => isDir).length
      const numFiles = entries.length - numDirs
      return { items: await sorted(entries, sorting), numDirs, numFiles, sorting, ...itself }
    },
  }
}

/** Entries whose text is summed up in one step. */
const STEP = 64

/** A sum over all that is said of entries, in the order of the folder. */
function* tagOf(entries: readonly Entry[], before: string): Generator<void, string> {
  let sum = Bun.hash.wyhash(before)
  for (let at = 0; at < entries.length; at += STEP) {
    sum = Bun.hash.wyhash(
      entries
        .slice(at, at + STEP)
        .map(textOf)
        .join('\0'),
      sum,
    )
    yield
  }
  return `${sum.toString(16)}-${entries.length.toString(16)}`
}

/** All that is said of an entry, but for what follows from it. No name holds a NUL. */
function textOf(entry: Entry): string {
  const { path, size, modified, mode, isSymlink, type, totalSize = '', subtitles } = entry
  const text = `${path}\0${size}\0${modified}\0${mode}\0${isSymlink}\0${type}\0${totalSize}`
  return subtitles ? `${text}\0${subtitles.join('\0')}` : text
}

/** Says of folders how much they hold. @returns the same of all of them, where all are known */
function addSizes(
  entries: readonly Entry[],
  sizes: ReadonlyMap<string, number> | undefined,
): number | undefined {
  if (!sizes) return undefined
  let total: number | undefined = 0
  for (const entry of entries) {
    // What a link leads to lies elsewhere, and is counted there.
    if (entry.isSymlink) continue
    const bytes = entry.isDir ? sizes.get(entry.name) : entry.size
    if (entry.isDir && bytes !== undefined) entry.totalSize = bytes
    total = total === undefined || bytes === undefined ? undefined : total + bytes
  }
  return total
}

interface Row {
  entry: Entry
  node: Node
}

function* rowsOf(nodes: readonly Node[]): Generator<Row> {
  for (const node of nodes) yield { entry: entryOf(node, typeByName(node)), node }
}

/** Finds the text among the first files whose names say nothing. What cannot be read keeps its type. */
async function findText(scope: Scope, folder: TreePath, rows: readonly Row[]): Promise<void> {
  const unknown = rows.filter(({ node, entry }) => mayBeText(node, entry.type))
  const looked = unknown.slice(0, SNIFFED_MAX)
  if (looked.length === 0) return
  const files = looked.map(({ node }) => node)
  const starts = await scope.peeks(folder, files, HEAD_BYTES)
  for (const [index, { entry, node }] of looked.entries()) {
    const start = starts[index]
    const isText = start
      ? looksLikeText(start.bytes)
      : await startsAsText(scope, node.path).catch(() => false)
    if (isText) entry.type = 'text'
  }
}

async function addSubtitles(scope: Scope, folder: TreePath, rows: readonly Row[]): Promise<void> {
  const videos = rows.filter(({ entry }) => entry.type === 'video')
  if (videos.length === 0) return
  const shelf = await subtitlesIn(scope, folder)
  for (const { entry, node } of videos.slice(0, VIDEOS_MAX)) {
    const subtitles = shelf.of(node.path)
    if (subtitles.length > 0) entry.subtitles = subtitles
  }
}

/** Folders before files; then the chosen key; names decide between equals (docs/decisions.md 4). */
async function sorted(entries: readonly Entry[], { by, asc }: Sorting): Promise<Entry[]> {
  const names = entries.map(({ name }) => name)
  const numbers = (at: number) => {
    const { isDir, size, modified } = entries[at] as Entry
    const kind = isDir ? 0 : 1
    if (by === 'name' || (by === 'size' && isDir)) return [kind]
    const number = by === 'size' ? size : Date.parse(modified) + LATEST_MS
    return [kind, asc ? number : Number.MAX_SAFE_INTEGER - number]
  }
  const keys = await runToEnd(keysOf(names, numbers))
  const byExactName = (a: number, b: number) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1)
  const order = await runToEnd(sortKeys(keys, byExactName))
  const inOrder = Array.from(order, (at) => entries[at] as Entry)
  if (by !== 'name' || asc) return inOrder
  const firstFile = inOrder.findIndex(({ isDir }) => !isDir)
  const folders = firstFile < 0 ? inOrder.length : firstFile
  return [...inOrder.slice(0, folders).reverse(), ...inOrder.slice(folders).reverse()]
}
