/** A flat list of everything below a folder, which clients compare before they upload a folder. */

import type { Scope } from '#server/access/scope/scope.ts'
import { inByteOrder } from '#server/archives/write/node-order.ts'
import { collectInSlices } from '#server/lib/slices.ts'
import type { Node } from '#server/storage/node.ts'
import type { FlatEntry, FlatLeftOut } from '#wire/api/entry.ts'
import { Fault, isFault, isRefusedBySystem } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'

/**
 * Lists folders before their content, each folder in byte order; links are listed and not followed (docs/api.md 1.6).
 * Memory holds one folder for each level. Stops when `signal` is aborted.
 *
 * A folder below that the server's account may not read is listed without content. What a listing of the folder does not
 * show, such as a link that leads outside, is listed with the reason.
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
  return below(scope, await childrenOf(scope, path), signal)
}

/** A node, and why an archive would not contain it. */
interface Row {
  node: Node
  leftOut?: FlatLeftOut
}

/** Yields the nodes of a stack and everything below them. */
async function* below(
  scope: Scope,
  pending: Row[],
  signal: AbortSignal,
): AsyncGenerator<FlatEntry> {
  for (let row = pending.pop(); row && !signal.aborted; row = pending.pop()) {
    const { node } = row
    const isDir = node.kind === 'folder' && !node.isLink
    const children = isDir && !row.leftOut ? await knownChildren(scope, node.path) : []
    const leftOut = children === 'unreadable' ? children : (row.leftOut ?? reasonOf(node))
    yield {
      path: node.path,
      name: nameOf(node.path),
      size: node.sizeBytes,
      modified: new Date(node.modifiedMs).toISOString(),
      isDir,
      ...(leftOut && { leftOut }),
    }
    if (children === 'unreadable') continue
    // `push(...children)` would fail: the number of arguments of a call is limited.
    for (const child of children) pending.push(child)
  }
}

function reasonOf({ kind }: Node): FlatLeftOut | undefined {
  if (kind === 'file' || kind === 'folder') return undefined
  return kind === 'danglingLink' ? 'link' : 'special'
}

/** The children of a folder, for a stack; none if they cannot be listed. */
async function knownChildren(scope: Scope, path: TreePath): Promise<Row[] | 'unreadable'> {
  try {
    return await childrenOf(scope, path)
  } catch (error) {
    if (isRefusedBySystem(error)) return 'unreadable'
    // The folder was removed since it was listed, or its content exceeds the depth limit.
    if (!isFault(error, 'notFound', 'notDirectory', 'badRequest')) throw error
    return []
  }
}

/** The entries of a folder in reverse order, with those that its listing does not show. */
async function childrenOf(scope: Scope, path: TreePath): Promise<Row[]> {
  using folder = await scope.openFolder(path)
  const children = await folder.children()
  const reasons = new Map<Node, FlatLeftOut>()
  for (const { node, reason } of children.leftOut)
    if (reason !== 'denied') reasons.set(node, reason)
  const nodes = [...(await collectInSlices(children)), ...reasons.keys()]
  const rows = (await inByteOrder(nodes)).map((node) => {
    const leftOut = reasons.get(node)
    return leftOut ? { node, leftOut } : { node }
  })
  return rows.reverse()
}
