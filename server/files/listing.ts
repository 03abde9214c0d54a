/** Lists a folder with its entries in the user's sort order. */

import type { Scope } from '#server/access/scope.ts'
import { collectInSlices, runInSlices } from '#server/slices.ts'
import type { Node } from '#server/storage/node.ts'
import { type Entry, LATEST_MS, type Listing, type Sorting } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { entryOf } from './entry.ts'
import { HEAD_BYTES, isTextFile } from './file.ts'
import { looksLikeText, mayBeText, typeByName } from './file-types.ts'
import { keysOf, sortKeys } from './name-order.ts'
import { subtitlesIn } from './subtitles.ts'

/** The optional parts of a listing. */
export interface ListingOptions {
  /** Read the first bytes of files whose type is not clear from the name. */
  inside: boolean
  /** Find the subtitles of videos. */
  subtitles: boolean
  /** Add the sizes of folders, as far as they are known. */
  sizes?: boolean
}

/** The most files of one listing that are read; others get their type when they are opened. */
const SNIFFED_MAX = 256
/** The most videos of one listing with subtitles; others get them when they are opened. */
const VIDEOS_MAX = 500

/** A listing that is not sorted yet. */
export interface UnsortedListing {
  /** Changes with any part of the listing. */
  tag: string
  /** Sorts the listing. */
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

/**
 * Reads a folder without sorting, which a client that has the listing does not need.
 *
 * @throws as `listing`
 */
export async function unsortedListing(
  scope: Scope,
  path: TreePath,
  sorting: Sorting,
  options: ListingOptions,
): Promise<UnsortedListing> {
  const folder = await scope.stat(path)
  // Runs in parallel. A failure leaves the sizes out.
  const sizes = options.sizes ? scope.folderSizes(path).catch(() => undefined) : undefined
  const rows = await collectInSlices(rowsOf(await scope.list(path)))
  if (options.inside) await findText(scope, path, rows)
  if (options.subtitles) await addSubtitles(scope, path, rows)
  const entries = rows.map(({ entry }) => entry)
  const totalSize = addSizes(entries, await sizes)
  const itself = { ...entryOf(folder, ''), ...(totalSize !== undefined && { totalSize }) }
  return {
    tag: await runInSlices(tagOf(entries, `${textOf(itself)} ${JSON.stringify(sorting)}`)),
    async make() {
      const numDirs = entries.filter(({ isDir }) => isDir).length
      const numFiles = entries.length - numDirs
      return { items: await sorted(entries, sorting), numDirs, numFiles, sorting, ...itself }
    },
  }
}

/** Entries that are hashed in one step. */
const STEP = 64

/** A hash of all data of the entries in their present order, and of `folderText`. */
function* tagOf(entries: readonly Entry[], folderText: string): Generator<void, string> {
  let sum = Bun.hash.wyhash(folderText)
  for (let index = 0; index < entries.length; index += STEP) {
    sum = Bun.hash.wyhash(
      entries
        .slice(index, index + STEP)
        .map(textOf)
        .join('\0'),
      sum,
    )
    yield
  }
  return `${sum.toString(16)}-${entries.length.toString(16)}`
}

/** All independent fields of an entry. Names do not contain NUL. */
function textOf(entry: Entry): string {
  const { path, size, modified, mode, isSymlink, type, totalSize = '', subtitles } = entry
  const text = `${path}\0${size}\0${modified}\0${mode}\0${isSymlink}\0${type}\0${totalSize}`
  return subtitles ? `${text}\0${subtitles.join('\0')}` : text
}

/**
 * Adds the sizes of folders to their entries.
 *
 * @param sizes bytes by the name of the folder; a folder of unknown size is absent
 * @returns the bytes of all entries; undefined if a size is unknown
 */
function addSizes(
  entries: readonly Entry[],
  sizes: ReadonlyMap<string, number> | undefined,
): number | undefined {
  if (!sizes) return undefined
  let total: number | undefined = 0
  for (const entry of entries) {
    // The target of a link is counted in its own folder.
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

/** Detects text among the first files of unknown type. A file that cannot be read keeps its type. */
async function findText(scope: Scope, folder: TreePath, rows: readonly Row[]): Promise<void> {
  const unknown = rows.filter(({ node, entry }) => mayBeText(node, entry.type))
  const examined = unknown.slice(0, SNIFFED_MAX)
  if (examined.length === 0) return
  const files = examined.map(({ node }) => node)
  const starts = await scope.peeks(folder, files, HEAD_BYTES)
  for (const [index, { entry, node }] of examined.entries()) {
    const start = starts[index]
    const isText = start
      ? looksLikeText(start.bytes)
      : await isTextFile(scope, node.path).catch(() => false)
    if (isText) entry.type = 'text'
  }
}

async function addSubtitles(scope: Scope, folder: TreePath, rows: readonly Row[]): Promise<void> {
  const videos = rows.filter(({ entry }) => entry.type === 'video')
  if (videos.length === 0) return
  const folderSubtitles = await subtitlesIn(scope, folder)
  for (const { entry, node } of videos.slice(0, VIDEOS_MAX)) {
    const subtitles = folderSubtitles.of(node.path)
    if (subtitles.length > 0) entry.subtitles = subtitles
  }
}

/** Sorts folders before files, then by the chosen key, then by name (docs/decisions.md 4). */
async function sorted(entries: readonly Entry[], { by, asc }: Sorting): Promise<Entry[]> {
  const names = entries.map(({ name }) => name)
  const numbers = (index: number) => {
    const { isDir, size, totalSize = 0, modified } = entries[index] as Entry
    const kind = isDir ? 0 : 1
    if (by === 'name') return [kind]
    const bytes = isDir ? totalSize : size
    const number = by === 'size' ? bytes : Date.parse(modified) + LATEST_MS
    return [kind, asc ? number : Number.MAX_SAFE_INTEGER - number]
  }
  const keys = await runInSlices(keysOf(names, numbers))
  const byExactName = (a: number, b: number) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1)
  const order = await runInSlices(sortKeys(keys, byExactName))
  const inOrder = Array.from(order, (index) => entries[index] as Entry)
  if (by !== 'name' || asc) return inOrder
  const firstFile = inOrder.findIndex(({ isDir }) => !isDir)
  const folders = firstFile < 0 ? inOrder.length : firstFile
  return [...inOrder.slice(0, folders).reverse(), ...inOrder.slice(folders).reverse()]
}
