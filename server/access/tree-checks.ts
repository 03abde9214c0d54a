/** What a verb would touch, looked at as a whole before anything is. */
import type { Node } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { isInside, joinPath, relativePath, type TreePath } from '#wire/paths.ts'
import type { Authorization } from './authorization.ts'
import type { PathFilter } from './path-filter.ts'
import { must } from './policy.ts'

interface Touched {
  path: TreePath
  /** Where it would come to lie. */
  to: TreePath
  /** The verb goes through links: each place behind them is looked at once. */
  follow: boolean
}

export interface Transfer {
  from: TreePath
  to: TreePath
  /** Whether a taken name is replaced; `planned` leaves that to be asked. */
  overwrite: boolean | 'planned'
  /** Goes through links. */
  follow: boolean
}

/**
 * Asks about all that is moved or copied, and about where it goes.
 *
 * @throws Fault forbidden, badRequest (into itself), notFound, conflict
 */
export async function mustTransfer(
  storage: Storage,
  authorization: Authorization,
  { from, to, overwrite, follow }: Transfer,
): Promise<void> {
  authorization.mustChange(from)
  authorization.mustChange(to)
  if (from !== to && isInside(to, from)) {
    throw new Fault('badRequest', 'A folder cannot go into itself (source is parent).')
  }
  if (from === to) throw new Fault('conflict', 'Source and destination are the same.')
  await storage.stat(from)
  if (overwrite !== 'planned' && (await find(storage, to))) {
    // Where case makes no difference, a name may be its own new spelling: the storage knows.
    const respelled = from.toLowerCase() === to.toLowerCase()
    if (overwrite) must(authorization.actor, 'overwrite')
    else if (!respelled) throw new Fault('conflict', 'The name is already taken.')
  }
  await mustAllowAll(storage, authorization.filter, { path: from, to, follow })
}

/** There is something to remove, and nothing in it is denied. @throws Fault forbidden, notFound */
export async function mustStandAlone(
  storage: Storage,
  authorization: Authorization,
  path: TreePath,
): Promise<void> {
  try {
    await storage.stat(path)
    await mustAllowAll(storage, authorization.filter, { path, to: path, follow: false })
  } catch (error) {
    // A link that leads outside has nothing inside to ask about: the link itself may go.
    if (!isFault(error, 'outside')) throw error
  }
}

/**
 * Everything a verb would touch, and where it would come to lie, must be allowed; one denied thing
 * refuses the whole (docs/decisions.md 5).
 *
 * @throws Fault forbidden
 */
async function mustAllowAll(
  storage: Storage,
  filter: PathFilter,
  { path, to, follow }: Touched,
): Promise<void> {
  if (!filter.isLimited) return
  const top = await find(storage, path)
  const pending = top ? [top] : []
  const followed = new Set<TreePath>()
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { foldsCase } = node
    const touched = [node.path, node.real, joinPath(to, relativePath(node.path, path))]
    if (!touched.every((each) => filter.allows(each, foldsCase))) {
      throw new Fault('forbidden', 'You do not have access to something in this folder.')
    }
    if (node.kind !== 'folder' || (node.isLink && (!follow || followed.has(node.real)))) continue
    if (node.isLink) followed.add(node.real)
    try {
      for (const child of await storage.list(node.path)) pending.push(child)
    } catch (error) {
      // Deeper than any path: no rule that is a path leads there.
      if (!isFault(error, 'badRequest') || filter.hasExpressions) throw error
    }
  }
}

/** What stands at a path; undefined for nothing. */
export async function find(storage: Storage, path: TreePath): Promise<Node | undefined> {
  try {
    return await storage.stat(path)
  } catch (error) {
    if (isFault(error, 'notFound')) return undefined
    throw error
  }
}
