/** Looking for names below a folder; hits come as they are found. */

import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/storage.ts'
import { isFault } from '#wire/fault.ts'
import { nameOf, relativePath, type TreePath } from '#wire/paths.ts'
import type { SearchHit } from '#wire/search.ts'
import { parseQuery } from './search-query.ts'

/** Names looked at between two turns of the event loop. */
const SLICE = 1000

/**
 * Every name below `folder` that the query means, as the actor may see them. Links are found and not
 * followed. Ends early when `signal` does; what cannot be read on the way is passed over.
 */
export async function* search(
  scope: Scope,
  folder: TreePath,
  query: string,
  signal: AbortSignal,
): AsyncIterable<SearchHit> {
  const matches = parseQuery(query)
  const pending = [folder]
  let seen = 0
  for (let at = pending.shift(); at !== undefined && !signal.aborted; at = pending.shift()) {
    for (const node of await readable(scope, at)) {
      seen += 1
      if (seen % SLICE === 0) await new Promise(setImmediate)
      if (signal.aborted) return
      const dir = node.kind === 'folder'
      if (matches(nameOf(node.path))) {
        yield { dir, path: relativePath(node.path, folder).slice(1) }
      }
      if (dir && !node.isLink) pending.push(node.path)
    }
  }
}

/** A folder's things; none where the folder went away, lies too deep or may not be read. */
async function readable(scope: Scope, path: TreePath): Promise<Node[]> {
  try {
    return await scope.list(path)
  } catch (error) {
    if (!isFault(error, 'notFound', 'notDirectory', 'forbidden', 'outside', 'badRequest'))
      throw error
    return []
  }
}
