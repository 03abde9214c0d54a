/** A flat list of everything below a folder, which clients compare before they upload a folder. */

import type { Scope } from '#server/access/scope/scope.ts'
import { inByteOrder } from '#server/archives/write/node-order.ts'
import type { Node } from '#server/storage/node.ts'
import type { FlatEntry } from '#wire/api/entry.ts'
import { Fault, isFault, isRefusedBySystem } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'

/**
 * Lists folders before their content, each folder in byte order; links are listed and not followed (docs/api.md 1.6).
 * Memory holds one folder for each level. Stops when `signal` is aborted.
 *
 * A folder below that the server's account may not read is listed without content.
 *
 * @throws Fault notFound, forbidden, badRequest (not a folder), before the first entry
 */
export async function recursive(
  scope: Scope,
  path: TreePath,
  signal: AbortSignal,
): Promise<AsyncGenerator<FlatEntry>> {
  const root = await scope.stat(path)
  if (root.kind !== 'folder') throw new Fault('badRequest', 'path is not a directory')
  return below(scope, await inReverse(await scope.list(path)), signal)
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

/** The children of a folder, for a stack; none if they cannot be listed. */
async function sortedChildren(scope: Scope, path: TreePath): Promise<Node[]> {
  try {
    return await inReverse(await scope.list(path))
  } catch (error) {
    // The folder was removed since it was listed, or its content exceeds the depth limit.
    const isLeftOut = isFault(error, 'notFound', 'notDirectory', 'badRequest')
    if (!isLeftOut && !isRefusedBySystem(error)) throw error
    return []
  }
}

async function inReverse(nodes: Node[]): Promise<Node[]> {
  return (await inByteOrder(nodes)).reverse()
}
