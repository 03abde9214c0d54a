/** Looking for names below a folder; hits come as they are found. */

import type { SeenSearch } from '#server/access/indexed-names.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/node.ts'
import { isFault } from '#wire/fault.ts'
import { nameOf, relativePath, type TreePath } from '#wire/paths.ts'
import type { SearchHit } from '#wire/search.ts'
import { parseQuery } from './search-query.ts'

/** Names looked at between two turns of the event loop. */
const SLICE = 1000

/** A search with what is known of it before its first hit. */
export interface Search {
  /** What the index says of itself; undefined for a walk through the folders. */
  index: { ageMs: number; names: number } | undefined
  /** Several hits at a time, as they are found. */
  hits: AsyncIterable<SearchHit[]>
}

/**
 * Every name below `folder` that the query means, as the actor may see them: from the index where there is one, by a
 * walk otherwise, with the same hits. Links are found and not followed. Ends early when `signal` does; what cannot be
 * read on the way is passed over.
 */
export async function search(
  scope: Scope,
  folder: TreePath,
  query: string,
  signal: AbortSignal,
): Promise<Search> {
  const indexed = await indexedOf(scope, folder, query)
  if (!indexed) return { index: undefined, hits: walk(scope, folder, folder, query, signal) }
  const { ageMs, names } = indexed
  return { index: { ageMs, names }, hits: fromIndex(scope, folder, query, indexed, signal) }
}

async function indexedOf(
  scope: Scope,
  folder: TreePath,
  query: string,
): Promise<SeenSearch | undefined> {
  try {
    return await scope.indexed(folder, query)
  } catch (error) {
    // The walk finds nothing there either.
    if (isUnreadable(error)) return undefined
    throw error
  }
}

async function* fromIndex(
  scope: Scope,
  folder: TreePath,
  query: string,
  { batches, uncovered }: SeenSearch,
  signal: AbortSignal,
): AsyncIterable<SearchHit[]> {
  for await (const batch of batches) {
    if (signal.aborted) return
    if (batch.length > 0) yield batch.map(({ isFolder, path }) => ({ dir: isFolder, path }))
  }
  for (const each of uncovered) yield* walk(scope, folder, each, query, signal)
}

/** @param from where to begin, in `folder` or that itself */
async function* walk(
  scope: Scope,
  folder: TreePath,
  from: TreePath,
  query: string,
  signal: AbortSignal,
): AsyncIterable<SearchHit[]> {
  const matches = parseQuery(query)
  const pending = [from]
  let seen = 0
  for (let next = 0; next < pending.length; next += 1) {
    const hits: SearchHit[] = []
    for (const node of await readable(scope, pending[next] ?? from)) {
      seen += 1
      if (seen % SLICE === 0) await new Promise(setImmediate)
      if (signal.aborted) return
      const dir = node.kind === 'folder'
      if (matches(nameOf(node.path))) {
        hits.push({ dir, path: relativePath(node.path, folder).slice(1) })
      }
      if (dir && !node.isLink) pending.push(node.path)
    }
    if (hits.length > 0) yield hits
  }
}

/** A folder's things; none where the folder went away, lies too deep or may not be read. */
async function readable(scope: Scope, path: TreePath): Promise<Node[]> {
  try {
    return await scope.list(path)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return []
  }
}

function isUnreadable(error: unknown): boolean {
  return isFault(error, 'notFound', 'notDirectory', 'forbidden', 'outside', 'badRequest')
}
