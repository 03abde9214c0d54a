/** What goes into an archive, one after the other, as the scope shows it. */
import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/node.ts'
import { isFault } from '#wire/fault.ts'
import { isInside, type TreePath } from '#wire/paths.ts'
import { memberName } from './archive-names.ts'
import { inByteOrder } from './node-order.ts'

/** One file or folder in an archive. */
export interface Member {
  name: string
  node: Node
}

/**
 * The tops and everything below them, folders before what they hold. Links are followed: a folder is
 * there at its own place, and once more where links lead to it first, however many do. So no tree of
 * links holds more than twice what lies in its folders. Pipes, sockets and devices are left out, and
 * so is what disappears or is denied meanwhile.
 *
 * @param stop ends the walk
 * @throws Fault as Scope.list
 */
export async function* membersOf(
  scope: Scope,
  { base, tops }: { base: TreePath; tops: readonly Node[] },
  stop: AbortSignal,
): AsyncGenerator<Member> {
  const ahead = [...tops].reverse()
  /** Real places that were entered through a link. */
  const throughLinks = new Set<TreePath>()
  const isNew = ({ path, real }: Node) => {
    if (path === real) return true
    const isOnTheWay = isInside(path, real) && isInside(real, base)
    if (isOnTheWay || throughLinks.has(real)) return false
    throughLinks.add(real)
    return true
  }
  for (let node = ahead.pop(); node && !stop.aborted; node = ahead.pop()) {
    const name = memberName(node.path, base)
    if (node.kind === 'file') yield { name, node }
    else if (node.kind === 'folder' && isNew(node)) {
      if (name !== '') yield { name, node }
      const children = await ifExists(() => backwards(scope, node.path))
      // One by one: a call has room for some ten thousand arguments.
      for (const child of children ?? []) ahead.push(child)
    }
  }
}

/** By name, for a stack. The listing is taken whole: no folder stays open while others go. */
async function backwards(scope: Scope, folder: TreePath): Promise<Node[]> {
  return (await inByteOrder(await scope.list(folder))).reverse()
}

/** Undefined for what is gone, is another kind of thing by now, lies too deep, or is denied by a rule. */
export async function ifExists<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    const gone = isFault(
      error,
      'notFound',
      'notDirectory',
      'isDirectory',
      'unsupported',
      'outside',
      'badRequest',
    )
    // A denial of our own has no cause; one of the system's does, and is a failure.
    if (gone || (isFault(error, 'forbidden') && error.cause === undefined)) return undefined
    throw error
  }
}
