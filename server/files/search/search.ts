/** Searches names below a folder; results are streamed. */

import type { VisibleSearch } from '#server/access/scope/indexed-names.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { pacer } from '#server/lib/slices.ts'
import type { Node } from '#server/storage/node.ts'
import { isFault } from '#wire/fault.ts'
import { nameOf, relativePath, type TreePath } from '#wire/paths.ts'
import type { SearchHit } from './search-hit.ts'
import { parseQuery, type SearchQuery } from './search-query.ts'

/** A walk has so many folders listed at the same time. */
const READ_AHEAD = 4

/** A search, with the data that is known before the first result. */
export interface Search {
  /** The state of the index; undefined if folders are walked. */
  index: { ageMs: number; nameCount: number } | undefined
  /** Results in batches, as they are found. */
  hits: AsyncIterable<SearchHit[]>
  /** Called after the last result: whether folders were left out because they are too deep. */
  isCut(): boolean
  /** Whether folders were left out because their disk does not respond. */
  isSilent(): boolean
}

/** What a walk notes. */
interface WalkNotes {
  isCut: boolean
  isSilent: boolean
}

/**
 * Finds all names below `folder` that match the query and that the actor may see: with the name index if there is
 * one, otherwise by a walk, with the same results. Links are found but not followed. Ends when `signal` is aborted;
 * unreadable folders are skipped.
 *
 * @throws Fault badRequest (too many words)
 */
export async function search(
  scope: Scope,
  folder: TreePath,
  query: string,
  signal: AbortSignal,
): Promise<Search> {
  const indexed = await indexedOf(scope, folder, query)
  const notes: WalkNotes = { isCut: false, isSilent: false }
  const [isCut, isSilent] = [() => notes.isCut, () => notes.isSilent]
  const walked = (from: TreePath) => walk(scope, { folder, from, query }, notes, signal)
  if (!indexed) return { index: undefined, hits: walked(folder), isCut, isSilent }
  const { ageMs, nameCount } = indexed
  const hits = fromIndex(indexed, { folder, walked, notes, signal })
  return { index: { ageMs, nameCount }, hits, isCut, isSilent }
}

async function indexedOf(
  scope: Scope,
  folder: TreePath,
  query: string,
): Promise<VisibleSearch | undefined> {
  try {
    using opened = await scope.openFolder(folder)
    return await opened.search(query)
  } catch (error) {
    // The folder cannot be read, so a walk would find nothing either.
    if (isUnreadable(error)) return undefined
    throw error
  }
}

async function* fromIndex(
  { batches, uncovered, isCut }: VisibleSearch,
  {
    folder,
    walked,
    notes,
    signal,
  }: {
    folder: TreePath
    walked(from: TreePath): AsyncIterable<SearchHit[]>
    notes: WalkNotes
    signal: AbortSignal
  },
): AsyncIterable<SearchHit[]> {
  let hasHits = false
  for await (const batch of untilAborted(batches, signal)) {
    if (batch.length === 0) continue
    hasHits = true
    yield batch.map(({ isFolder, path }) => ({ dir: isFolder, path }))
  }
  if (signal.aborted) return
  if (!isCut()) for (const start of uncovered) yield* walked(start)
  // A walk would report the first hits again, and find that the disk does not respond.
  else if (hasHits) notes.isSilent = true
  else yield* walked(folder)
}

/** Yields values until the signal is aborted, also while the next one is awaited. */
async function* untilAborted<T>(
  values: AsyncGenerator<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const ended = abortOf(signal)
  try {
    for (;;) {
      const next = await Promise.race([values.next(), ended.promise])
      if (!next || next.done || signal.aborted) return
      yield next.value
    }
  } finally {
    ended[Symbol.dispose]()
    // It ends as soon as the value arrives that is awaited.
    values.return(undefined).catch(() => undefined)
  }
}

/** A promise that resolves when the signal is aborted. */
function abortOf(signal: AbortSignal): Disposable & { promise: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const abort = () => resolve(undefined)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return { promise, [Symbol.dispose]: () => signal.removeEventListener('abort', abort) }
}

/**
 * Yields the hits of a walk with paths relative to `folder`.
 *
 * @param from where the walk starts: `folder` or a folder below it
 */
async function* walk(
  scope: Scope,
  { folder, from, query }: { folder: TreePath; from: TreePath; query: string },
  notes: WalkNotes,
  signal: AbortSignal,
): AsyncIterable<SearchHit[]> {
  const parsed = parseQuery(query)
  const { matches } = parsed
  const pending = [from]
  /** The listings of the next folders of `pending`. */
  const listings: Promise<Node[]>[] = []
  const pace = pacer()
  using ended = abortOf(signal)
  for (let next = 0; next < pending.length; next += 1) {
    for (const path of pending.slice(next + listings.length, next + READ_AHEAD)) {
      const listing = listReadable(scope, path, parsed, notes)
      // An error is thrown below, if the walk comes so far.
      listing.catch(() => undefined)
      listings.push(listing)
    }
    const hits: SearchHit[] = []
    // A disk that does not answer may let it wait for longer than the search may take.
    for (const node of (await Promise.race([listings.shift(), ended.promise])) ?? []) {
      await pace()
      if (signal.aborted) return
      const dir = node.kind === 'folder'
      if (matches(nameOf(node.path))) {
        hits.push({ dir, path: relativePath(node.path, folder).slice(1) })
      }
      if (dir && !node.isLink) pending.push(node.path)
    }
    if (hits.length > 0) yield hits
    if (signal.aborted) return
  }
}

/**
 * Lists the folders in a folder and the names that may match; nothing if it was removed, is too deep or may not be
 * read.
 */
async function listReadable(
  scope: Scope,
  path: TreePath,
  query: SearchQuery,
  notes: WalkNotes,
): Promise<Node[]> {
  try {
    return await scope.list(path, query.terms.length > 0 ? { names: query } : {})
  } catch (error) {
    // What is elsewhere is found although one disk does not respond.
    if (isFault(error, 'unavailable')) notes.isSilent = true
    else if (!isUnreadable(error)) throw error
    if (isTooDeep(error)) notes.isCut = true
    return []
  }
}

/** Whether an error says that paths in a folder would be too deep. */
export function isTooDeep(error: unknown): boolean {
  return isFault(error) && error.reason === 'tooDeep'
}

function isUnreadable(error: unknown): boolean {
  return isFault(error, 'notFound', 'notDirectory', 'forbidden', 'outside', 'badRequest')
}
