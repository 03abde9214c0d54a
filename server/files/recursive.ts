/** A flat list of everything below a folder, which clients compare before they upload a folder. */

import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/node.ts'
import type { FlatEntry } from '#wire/entry.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { inByteOrder } from './node-order.ts'

/**
 * Lists folders before their content, each folder in byte order; links are listed and not followed (docs/api.md 1.6).
 * Memory holds one folder for each level. Stops when `signal` is aborted.
 *
 * @throws Fault notFound, forbidden, badRequest (not a folder), before the first entry; the result throws forbidden at a
 *   folder below that cannot be read
 */
export async function recursive(
  scope: Scope,
  path: TreePath,
  signal: AbortSignal,
): Promise<AsyncGenerator<FlatEntry>> {
  const root = await scope.stat(path)
  if (root.kind !== 'folder') throw new Fault('badRequest', 'path is not a directory')
  return below(scope, await sortedChildren(scope, path), signal)
}

/** Yields the nodes of a stack and everything below them. */
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
    if (!isDir) continue
    // `push(...children)` would fail: the number of arguments of a call is limited.
    for (const child of await sortedChildren(scope, node.path)) pending.push(child)
  }
}

/** The children of a folder in reverse byte order, for a stack. */
async function sortedChildren(scope: Scope, path: TreePath): Promise<Node[]> {
  try {
    return (await inByteOrder(await scope.list(path))).reverse()
  } catch (error) {
    // The folder was removed since it was listed, or its content exceeds the depth limit.
    if (!isFault(error, 'notFound', 'notDirectory', 'badRequest')) throw error
    return []
  }
}
