/** Searches names below a folder; results are streamed. */

import type { VisibleSearch } from '#server/access/scope/indexed-names.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { pacer } from '#server/lib/slices.ts'
import { nameOf, relativePath, type TreePath } from '#wire/paths.ts'
import { abortOf, hasNothingFor, type WalkNotes, walkFolders } from '../walk-folders.ts'
import type { SearchHit } from './search-hit.ts'
import { parseQuery } from './search-query.ts'

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
    if (hasNothingFor(error)) return undefined
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
  const options = parsed.terms.length > 0 ? { names: parsed } : {}
  const pace = pacer()
  for await (const nodes of walkFolders(scope, from, notes, signal, options)) {
    const hits: SearchHit[] = []
    for (const node of nodes) {
      await pace()
      if (!parsed.matches(nameOf(node.path))) continue
      hits.push({ dir: node.kind === 'folder', path: relativePath(node.path, folder).slice(1) })
    }
    if (hits.length > 0) yield hits
  }
}
