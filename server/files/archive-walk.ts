/** What goes into an archive, one after the other, as the scope shows it. */
import type { Scope } from '#server/access/scope.ts'
import type { Node, Opened } from '#server/storage/storage.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { memberName } from './archive-names.ts'

/** One thing in an archive. The bytes of a file must be read or cancelled. */
export type Member = { name: string } & ({ folder: Node } | { file: Opened })

/** A folder on the way from the top, by its real place. */
interface Trail {
  real: TreePath
  above: Trail | undefined
}

interface Step {
  node: Node
  trail: Trail | undefined
}

/**
 * The tops and everything below them, folders before what they hold. Links are followed, but never
 * back into a folder that is on the way; pipes, sockets and devices are left out, and so is what
 * disappears or is denied meanwhile.
 *
 * @throws Fault as Scope.list and Scope.read
 */
export async function* membersOf(
  scope: Scope,
  { base, tops }: { base: TreePath; tops: readonly Node[] },
): AsyncGenerator<Member> {
  const ahead: Step[] = tops.map((node) => ({ node, trail: undefined })).reverse()
  for (let step = ahead.pop(); step; step = ahead.pop()) {
    const { node, trail } = step
    const name = memberName(node.path, base)
    if (node.kind === 'file') {
      const file = await ifThere(() => scope.read(node.path))
      if (file) yield { name, file }
    } else if (node.kind === 'folder' && !isOn(trail, node.real)) {
      if (name !== '') yield { name, folder: node }
      const here = { real: node.real, above: trail }
      const children = await ifThere(() => listed(scope, node.path))
      for (const child of children ?? []) ahead.push({ node: child, trail: here })
    }
  }
}

function isOn(trail: Trail | undefined, real: TreePath): boolean {
  for (let step = trail; step; step = step.above) {
    if (step.real === real) return true
  }
  return false
}

/** Backwards by name, for a stack. The listing is taken whole: no folder stays open while others go. */
async function listed(scope: Scope, folder: TreePath): Promise<Node[]> {
  const nodes = await Array.fromAsync(scope.list(folder))
  return nodes.sort((a, b) => (a.path < b.path ? 1 : -1))
}

/** Undefined for what is gone, is another kind of thing by now, or is denied by a rule. */
async function ifThere<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    const gone = isFault(error, 'notFound', 'notDirectory', 'isDirectory', 'unsupported')
    // A denial of our own has no cause; one of the system's does, and is a failure.
    if (gone || (isFault(error, 'forbidden') && error.cause === undefined)) return undefined
    throw error
  }
}
