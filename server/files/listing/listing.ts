/** Lists a folder with its entries in the user's sort order. */

import type { Scope } from '#server/access/scope/scope.ts'
import type { ScopeFolder } from '#server/access/scope/scope-folder.ts'
import { sortNames } from '#server/lib/name-order.ts'
import { collectInSlices, runInSlices } from '#server/lib/slices.ts'
import type { EarlyNodes, FolderNodes } from '#server/storage/folder-nodes.ts'
import type { Node } from '#server/storage/node.ts'
import {
  type Entry,
  type EntryType,
  LATEST_MS,
  type Listing,
  type Sorting,
} from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'
import { HEAD_BYTES, isTextFile } from '../content/file.ts'
import { subtitlesAmong } from '../content/subtitles.ts'
import { entryOf } from '../entry.ts'
import { looksLikeText, mayBeText, typeByName } from '../file-types.ts'

/** The optional parts of a listing. */
export interface ListingOptions {
  /** Read the first bytes of files whose type is not clear from the name. */
  inside: boolean
  /** Find the subtitles of videos. */
  subtitles: boolean
  /** Add the sizes of folders, as far as they are known. */
  sizes?: boolean
  /** List links that lead outside too, with a mark. */
  linksOutside?: boolean
  /**
   * Receives the entries of a large folder that come first, before the others are read, and how many names it has. The
   * entries lack the parts above. It is called at most once, and only for the order of names.
   */
  onFirst?: ((first: LazyListing, total: number) => void) | undefined
}

/** The most files of one listing that are read; others get their type when they are opened. */
const SNIFFED_MAX = 256
/** The most videos of one listing with subtitles; others get them when they are opened. */
const VIDEOS_MAX = 500
/** So many entries are asked whether the disk ignores case. */
const NODES_ASKED = 16

/** A listing whose entries are made one by one, because those of a large folder fill the memory. */
export interface LazyListing extends Omit<Listing, 'items'> {
  items: Iterable<Entry> & { length: number }
}

/** A listing that is not sorted yet. */
export interface UnsortedListing {
  /** The `ETag` of the response: it changes with any part of the listing. */
  tag: string
  /** Sorts the listing. */
  make(): Promise<LazyListing>
}

/** @throws Fault forbidden */
export async function listing(
  scope: Scope,
  folder: ScopeFolder,
  sorting: Sorting,
  options: ListingOptions,
): Promise<Listing> {
  const unsorted = await unsortedListing(scope, folder, sorting, options)
  const { items, ...entry } = await unsorted.make()
  return { ...entry, items: await collectInSlices(items) }
}

/**
 * Reads a folder without sorting, which a client that has the listing does not need.
 *
 * @param opened is needed until the promise is settled
 * @throws as `listing`
 */
export async function unsortedListing(
  scope: Scope,
  opened: ScopeFolder,
  sorting: Sorting,
  options: ListingOptions,
): Promise<UnsortedListing> {
  const folder = await opened.stat()
  // Runs in parallel. A failure leaves the sizes out.
  const sizes = options.sizes ? opened.sizes().catch(() => undefined) : undefined
  const followed = await opened.children({ early: earlyNodes(scope, folder, sorting, options) })
  const nodes = options.linksOutside ? followed.withLinksOutside() : followed
  const types = await collectInSlices(typesOf(nodes))
  const rows: Rows = {
    scope,
    nodes,
    types,
    followed: followed.length,
    subtitles: new Map(),
    sizes: undefined,
  }
  if (options.inside) await detectTexts(scope, opened, rows)
  if (options.subtitles) await addSubtitles(scope, rows)
  rows.sizes = await sizes
  const totalSize = totalSizeOf(rows)
  const folderEntry = {
    ...entryOf(folder, ''),
    ...(totalSize !== undefined && { totalSize }),
    ...caseOf(nodes),
    ...listOnlyOf(scope, folder),
  }
  // Rules decide about each entry, but rarely change.
  const folderText = JSON.stringify([folderEntry, sorting, scope.actor.rules, followed.length])
  return {
    tag: await runInSlices(tagOf(rows, folderText)),
    async make() {
      const order = await orderOf(rows, sorting)
      return { items: entriesOf(rows, order), ...countsOf(types), sorting, ...folderEntry }
    },
  }
}

function earlyNodes(
  scope: Scope,
  folder: Node,
  sorting: Sorting,
  { onFirst }: ListingOptions,
): EarlyNodes | undefined {
  if (!onFirst || sorting.by !== 'name') return undefined
  return {
    ascending: sorting.asc,
    onFirst(nodes, total) {
      if (nodes.length === 0) return
      const types = [...typesOf(nodes)]
      const followed = nodes.length
      const rows = { scope, nodes, types, followed, subtitles: new Map(), sizes: undefined }
      const items = entriesOf(rows, Uint32Array.from(types.keys()))
      const folderEntry = {
        ...entryOf(folder, ''),
        ...caseOf(nodes),
        ...listOnlyOf(scope, folder),
      }
      onFirst({ items, ...countsOf(types), sorting, ...folderEntry }, total)
    },
  }
}

/** Whether the disk ignores case, which the entries of a folder know. An entry that is a mount point does not. */
function caseOf(nodes: FolderNodes): Pick<Listing, 'foldsCase'> {
  for (let index = 0; index < Math.min(nodes.length, NODES_ASKED); index += 1) {
    if (nodes.at(index).foldsCase) return { foldsCase: true }
  }
  return {}
}

function countsOf(types: readonly EntryType[]): Pick<Listing, 'numDirs' | 'numFiles'> {
  const numDirs = types.filter((type) => type === FOLDER).length
  return { numDirs, numFiles: types.length - numDirs }
}

/** The type of a folder. */
const FOLDER: EntryType = ''

/** The entries of a folder, described by the same index in each list. */
interface Rows {
  scope: Scope
  nodes: FolderNodes
  types: EntryType[]
  /** The rows from this index on are links that lead outside. */
  followed: number
  /** Key: the index of a video; value: the paths of its subtitles. */
  subtitles: Map<number, readonly string[]>
  /** Bytes by the name of the folder; a folder of unknown size is absent. Undefined: no sizes were requested. */
  sizes: ReadonlyMap<string, number> | undefined
}

function* typesOf(nodes: FolderNodes): Generator<EntryType> {
  for (let index = 0; index < nodes.length; index += 1) {
    yield typeByName(nodes.at(index), nodes.nameAt(index))
  }
}

/** @param order the indexes of the rows */
function entriesOf(rows: Rows, order: Uint32Array): LazyListing['items'] {
  return {
    length: order.length,
    *[Symbol.iterator]() {
      // `for … of` over a typed array takes ten times as long in JavaScriptCore.
      for (let next = 0; next < order.length; next += 1) yield entryAt(rows, order[next] ?? 0)
    },
  }
}

function entryAt(rows: Rows, index: number): Entry {
  const node = rows.nodes.at(index)
  const entry = entryOf(node, rows.types[index] as EntryType, rows.nodes.nameAt(index))
  Object.assign(entry, listOnlyOf(rows.scope, node))
  if (index >= rows.followed) Object.assign(entry, { isSymlink: true, leadsOutside: true })
  const totalSize = totalSizeAt(rows, index)
  if (totalSize !== undefined) entry.totalSize = totalSize
  const subtitles = rows.subtitles.get(index)
  if (subtitles) entry.subtitles = subtitles
  return entry
}

/** @returns the mark of a folder that a rule denies, and that leads to an allowed one; nothing for other nodes */
function listOnlyOf(scope: Scope, { kind, path }: Node): Pick<Entry, 'listOnly'> {
  if (kind !== 'folder' || scope.actor.rules.length === 0) return {}
  try {
    scope.requireVisible(path)
    return {}
  } catch (error) {
    if (isFault(error, 'forbidden')) return { listOnly: true }
    throw error
  }
}

/** @returns the bytes in a folder, as far as they are known. The target of a link is counted in its own folder. */
function totalSizeAt({ nodes, types, sizes }: Rows, index: number): number | undefined {
  if (!sizes || types[index] !== FOLDER || nodes.at(index).isLink) return undefined
  return sizes.get(nodes.nameAt(index))
}

/** @returns the bytes of all files and folders, without links; undefined if a size is unknown */
function totalSizeOf(rows: Rows): number | undefined {
  if (!rows.sizes) return undefined
  let total = 0
  for (let index = 0; index < rows.nodes.length; index += 1) {
    const { isLink, sizeBytes } = rows.nodes.at(index)
    if (isLink) continue
    const bytes = rows.types[index] === FOLDER ? totalSizeAt(rows, index) : sizeBytes
    if (bytes === undefined) return undefined
    total += bytes
  }
  return total
}

/** Entries that are hashed in one step. */
const STEP = 64
/** Numbers of one entry in the hash. */
const HASHED_NUMBERS = 5

/** A hash of all that the entries are made of, in their present order, and of `folderText`. */
function* tagOf(rows: Rows, folderText: string): Generator<void, string> {
  const { nodes, types } = rows
  const numbers = new Float64Array(STEP * HASHED_NUMBERS)
  let sum = Bun.hash.wyhash(folderText)
  for (let first = 0; first < nodes.length; first += STEP) {
    const end = Math.min(first + STEP, nodes.length)
    const names: string[] = []
    for (let index = first; index < end; index += 1) {
      const { sizeBytes, modifiedMs, mode, isLink } = nodes.at(index)
      const values = [sizeBytes, modifiedMs, mode, Number(isLink), totalSizeAt(rows, index) ?? -1]
      numbers.set(values, (index - first) * HASHED_NUMBERS)
      names.push(nodes.nameAt(index))
    }
    // Names do not contain NUL.
    const text = `${names.join('\0')}\0\0${types.slice(first, end).join()}`
    sum = Bun.hash.wyhash(text, sum)
    sum = Bun.hash.wyhash(numbers.subarray(0, (end - first) * HASHED_NUMBERS), sum)
    yield
  }
  for (const [index, paths] of rows.subtitles) {
    sum = Bun.hash.wyhash(`${index}\0${paths.join('\0')}`, sum)
  }
  return `${sum.toString(16)}-${nodes.length.toString(16)}`
}

/** Detects text among the first files of unknown type. A file that cannot be read keeps its type. */
async function detectTexts(
  scope: Scope,
  folder: ScopeFolder,
  { nodes, types }: Rows,
): Promise<void> {
  const examined: number[] = []
  for (const [index, type] of types.entries()) {
    if (examined.length >= SNIFFED_MAX) break
    if (type === 'blob' && mayBeText(nodes.at(index), type)) examined.push(index)
  }
  if (examined.length === 0) return
  const files = examined.map((index) => nodes.at(index))
  const starts = await folder.peekStarts(files, { bytesMax: HEAD_BYTES })
  for (const [order, index] of examined.entries()) {
    const start = starts[order]
    const isText = start
      ? looksLikeText(start.bytes)
      : await isTextFile(scope, nodes.at(index).path).catch(() => false)
    if (isText) types[index] = 'text'
  }
}

async function addSubtitles(scope: Scope, rows: Rows): Promise<void> {
  const videos: number[] = []
  for (const [index, type] of rows.types.entries()) {
    if (videos.length >= VIDEOS_MAX) break
    if (type === 'video') videos.push(index)
  }
  if (videos.length === 0) return
  const folderSubtitles = await subtitlesAmong(scope, rows.nodes)
  for (const index of videos) {
    const subtitles = folderSubtitles.of(rows.nodes.at(index).path)
    if (subtitles.length > 0) rows.subtitles.set(index, subtitles)
  }
}

/**
 * Sorts folders before files, then by the chosen key, then by name (docs/decisions.md 4).
 *
 * @returns the indexes of the rows in order
 */
async function orderOf(rows: Rows, { by, asc }: Sorting): Promise<Uint32Array> {
  const { nodes, types } = rows
  const names = Array.from(types, (_, index) => nodes.nameAt(index))
  const numbers = (index: number) => {
    const kind = types[index] === FOLDER ? 0 : 1
    if (by === 'name') return [kind]
    const { sizeBytes, modifiedMs } = nodes.at(index)
    const bytes = kind === 0 ? (totalSizeAt(rows, index) ?? 0) : sizeBytes
    // Times before 1970 are negative. The sum is not, as the order needs.
    const number = by === 'size' ? bytes : Math.trunc(modifiedMs) + LATEST_MS
    return [kind, asc ? number : Number.MAX_SAFE_INTEGER - number]
  }
  const order = await runInSlices(sortNames(names, numbers))
  if (by !== 'name' || asc) return order
  const firstFile = order.findIndex((index) => types[index] !== FOLDER)
  const folders = firstFile < 0 ? order.length : firstFile
  order.subarray(0, folders).reverse()
  order.subarray(folders).reverse()
  return order
}
