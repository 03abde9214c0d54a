/** Walks the files and folders for an archive, as the scope shows them. */
import type { Scope } from '#server/access/scope/scope.ts'
import { search } from '#server/files/search/search.ts'
import { doesNotRespond } from '#server/lib/common-faults.ts'
import { collectInSlices } from '#server/lib/slices.ts'
import type { LeftOutReason, Node } from '#server/storage/node.ts'
import { Fault, isFault, isRefusedBySystem } from '#wire/fault.ts'
import { isInside, type TreePath, tooDeep } from '#wire/paths.ts'
import { memberNames, type NameSpelling } from './archive-names.ts'
import { inByteOrder } from './node-order.ts'
import { type OnLeftOut, unreadable, withoutUnreadable } from './readable.ts'

/** A query with few hits, of which a walk still reads every name. */
const FEW_HITS = 'type:no_such_ending'

/** A file or folder in an archive. */
export interface NamedNode {
  name: string
  node: Node
  /** The content of a file that was made for the archive, and is not on the disk. */
  bytes?: Uint8Array
}

/**
 * Yields the roots and everything below them, each folder before its content. Links are followed: a file appears at its
 * own path and at each link to it; a folder at its own path, and once more at the first link to it, so that the archive
 * is at most twice as large as the listed tree. Left out are special files, links that cannot be followed and further
 * links to a folder, snapshots, and what the server's account may not read.
 *
 * @param stop ends the walk
 * @param leftOut called with each path that is left out
 * @throws Fault as `Scope.list`, conflict for a folder that was removed or denied since it was listed, forbidden if
 *   everything is left out
 */
export async function* walkMembers(
  scope: Scope,
  {
    base,
    roots,
    spelling = 'portable',
  }: { base: TreePath; roots: readonly Node[]; spelling?: NameSpelling },
  stop: AbortSignal,
  leftOut: OnLeftOut,
): AsyncGenerator<NamedNode> {
  let isEmpty = true
  let refusal: Fault | undefined
  const leaveOut = (path: TreePath, why: LeftOutReason, cause?: Fault) => {
    if (why === 'unreadable') refusal ??= unreadable(path, cause)
    leftOut(path, why)
  }
  const names = (nodes: readonly Node[], folder: TreePath, prefix: string) =>
    named(nodes, { base: folder, prefix, spelling })
  const pending = names(await withoutUnreadable(scope, roots, leaveOut), base, '')
  /** Real paths that were entered through a link. */
  const throughLinks = new Set<TreePath>()
  const isNew = ({ path, real }: Node) => {
    if (path === real) return true
    const isLinkToAncestor = isInside(path, real) && isInside(real, base)
    if (isLinkToAncestor || throughLinks.has(real)) return false
    throughLinks.add(real)
    return true
  }
  for (let member = pending.pop(); member && !stop.aborted; member = pending.pop()) {
    const { name, node } = member
    if (node.kind === 'danglingLink') await requireDangling(scope, node)
    const why = reasonToLeaveOut(node, isNew)
    if (why) {
      leaveOut(node.path, why)
    } else if (node.kind === 'file') {
      isEmpty = false
      yield member
    } else {
      const readable = await readableChildren(scope, member, leaveOut)
      if (!readable) continue
      if (name !== '') {
        isEmpty = false
        yield member
      }
      const children = names(await inByteOrder(readable), node.path, name === '' ? '' : `${name}/`)
      // `push(...children)` would fail: the number of arguments of a call is limited.
      for (const child of children) pending.push(child)
    }
  }
  if (isEmpty && refusal) throw refusal
}

/** @param isNew whether a folder is to be entered */
function reasonToLeaveOut(node: Node, isNew: (folder: Node) => boolean): LeftOutReason | undefined {
  if (node.kind === 'file') return undefined
  if (node.kind === 'folder') return isNew(node) ? undefined : 'link'
  return node.kind === 'danglingLink' ? 'link' : 'special'
}

/**
 * A listing shows a link as dangling, too, if its target is on a disk that does not answer.
 *
 * @throws Fault unavailable
 */
async function requireDangling(scope: Scope, { path }: Node): Promise<void> {
  try {
    await scope.stat(path)
  } catch (error) {
    if (isFault(error, 'unavailable')) throw error
  }
}

/**
 * @returns the children of a folder that can be read; undefined if the folder itself is left out
 * @throws as `walkMembers`
 */
async function readableChildren(
  scope: Scope,
  { name, node: { path } }: NamedNode,
  leaveOut: (path: TreePath, why: LeftOutReason, cause?: Fault) => void,
): Promise<readonly Node[] | undefined> {
  let listed: Node[]
  try {
    // The whole listing is read, so that no folder stays open during the walk.
    using folder = await readUnchanged(name, () => scope.openFolder(path))
    const children = await readUnchanged(name, () => folder.children())
    for (const { node, reason } of children.leftOut) leaveOut(node.path, reason)
    listed = await collectInSlices(children)
  } catch (error) {
    if (!isRefusedBySystem(error)) throw error
    leaveOut(path, 'unreadable', error)
    return undefined
  }
  return readUnchanged(name, () => withoutUnreadable(scope, listed, leaveOut))
}

/**
 * Refuses folders with too many levels, or with a disk that does not respond, before an archive begins that is sent while it is made: afterwards it could only
 * break off. With the index of names only folders that it does not cover are read; otherwise all, as for a zip.
 *
 * @throws Fault badRequest, unavailable (a disk in it does not respond), and as `walkMembers`
 */
export async function refuseDeepTrees(
  scope: Scope,
  { roots }: { roots: readonly Node[] },
  stop: AbortSignal,
): Promise<void> {
  for (const root of roots) {
    if (root.kind !== 'folder') continue
    const { hits, isCut, isSilent } = await search(scope, root.path, FEW_HITS, stop)
    for await (const _ of hits) if (stop.aborted) return
    if (isCut()) throw tooDeep()
    if (isSilent()) throw doesNotRespond()
  }
}

/**
 * @param prefix precedes the name of each member
 * @returns the members with their names, in reverse order for a stack
 */
function named(
  nodes: readonly Node[],
  { base, prefix, spelling }: { base: TreePath; prefix: string; spelling: NameSpelling },
): NamedNode[] {
  const paths = nodes.map(({ path }) => path)
  const names = memberNames(paths, base, spelling)
  return nodes.map((node, index) => ({ name: `${prefix}${names[index]}`, node })).reverse()
}

/**
 * Reads a listed member, or fails: an archive in which it is missing would seem complete.
 *
 * @throws Fault conflict if it was removed, moved, replaced or denied since it was listed; locked, with its name, while
 *   another program holds it; as `read`
 */
export async function readUnchanged<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    const isGone = isFault(cause, 'notFound', 'notDirectory', 'isDirectory', 'unsupported')
    // A denial by rules is a change since then. A refusal by the operating system is not: it stays as it is.
    const isDenied = isFault(cause, 'forbidden', 'outside') && cause.errno === undefined
    if (isGone || isDenied) throw changedMeanwhile(name, cause)
    if (isFault(cause, 'locked'))
      throw new Fault('locked', `“${name}”: ${cause.message}`, { cause })
    throw cause
  }
}

/** @param cause the fault of the read */
export function changedMeanwhile(name: string, cause?: unknown): Fault {
  const message = `“${name}” changed or disappeared while the archive was made. Try again.`
  return new Fault('conflict', message, { reason: 'changedMeanwhile', cause })
}
