/** Leaves out what the server's account may not read, such as `lost+found` of a disk. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { LeftOutReason, Node } from '#server/storage/node.ts'
import { Fault, isRefusedBySystem } from '#wire/fault.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'

/** With these bits everybody may read a file. */
const READ_BITS = 0o444

/** Called with each path that is left out, and why. */
export type OnLeftOut = (path: TreePath, why: LeftOutReason) => void

/**
 * @param nodes those in the folder of the first one are read together
 * @returns the nodes without the files that cannot be opened. Folders are not tried.
 * @throws Fault forbidden without the right to download, and as `Scope.read` for other reasons
 */
export async function withoutUnreadable(
  scope: Scope,
  nodes: readonly Node[],
  leftOut: OnLeftOut,
): Promise<readonly Node[]> {
  const doubtful = nodes.filter(({ kind, mode }) => kind === 'file' && !mayAllRead(mode))
  const [first] = doubtful
  if (!first) return nodes
  const parent = parentPath(first.path)
  const together = doubtful.filter(({ path }) => parentPath(path) === parent)
  using folder = await scope.openFolder(parent)
  const starts = await folder.readStarts(together, { bytesMax: 0 })
  const opened = new Set(together.filter((_, index) => starts[index]))
  const unreadable = new Set<Node>()
  for (const node of doubtful) {
    // A link, or a file that was just replaced, is not read with the others.
    if (!opened.has(node) && (await isUnreadable(scope, node))) unreadable.add(node)
  }
  for (const { path } of unreadable) leftOut(path, 'unreadable')
  return unreadable.size === 0 ? nodes : nodes.filter((node) => !unreadable.has(node))
}

function mayAllRead(mode: number): boolean {
  return (mode & READ_BITS) === READ_BITS
}

/**
 * Whether the system does not let the server read a file or a folder. Any other fault, such as of a file that was removed,
 * is that of its reader.
 */
export async function isUnreadable(
  scope: Scope,
  { kind, path }: Pick<Node, 'kind' | 'path'>,
): Promise<boolean> {
  try {
    if (kind === 'folder') await scope.list(path)
    else (await scope.peek(path)).close()
    return false
  } catch (error) {
    return isRefusedBySystem(error)
  }
}

/** The fault of a path that is left out, or of an operation for which nothing else is left. */
export function unreadable(path: TreePath, cause?: Fault): Fault {
  return new Fault('forbidden', `The server’s account could not read “${nameOf(path)}”.`, {
    cause,
    errno: cause?.errno ?? 'EACCES',
    reason: 'systemDenies',
  })
}
