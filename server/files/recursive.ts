/** Everything below a folder as one flat list: what a client compares before it uploads a folder. */

import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/node.ts'
import type { FlatEntry } from '#wire/entry.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { inByteOrder } from './node-order.ts'

/**
 * Folders before what they hold, each folder in byte order; links are listed and not followed
 * (docs/api.md 1.6). What is ahead of the reader is one folder on each level. Stops when `signal` does.
 *
 * @throws Fault notFound, forbidden, badRequest (not a folder), before the first entry
 */
export async function recursive(
  scope: Scope,
  path: TreePath,
  signal: AbortSignal,
): Promise<AsyncGenerator<FlatEntry>> {
  const top = await scope.stat(path)
  if (top.kind !== 'folder') throw new Fault('badRequest', 'path is not a directory')
  return below(scope, await sortedChildren(scope, path), signal)
}

async function* below(
  scope: Scope,
  pending: Node[],
  signal: AbortSignal,
): AsyncGenerator<FlatEntry> {
  for (let node = pending.pop(); node && !signal.aborted; node = pending.pop()) {
    const isDir = node.kind === 'folder' && !node.isLink
    yield {
      path: node.path,
      name: nameOf(node.path),
      size: node.sizeBytes,
      modified: new Date(node.modifiedMs).toISOString(),
      isDir,
    }
    if (isDir) pending.push(...(await sortedChildren(scope, node.path)))
  }
}

/** A folder's children, the first in byte order last: the list is a stack. */
async function sortedChildren(scope: Scope, path: TreePath): Promise<Node[]> {
  try {
    return (await inByteOrder(await scope.list(path))).reverse()
  } catch (error) {
    // It went meanwhile, or what it holds lies deeper than any path.
    if (!isFault(error, 'notFound', 'notDirectory', 'badRequest')) throw error
    return []
  }
}
