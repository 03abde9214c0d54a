/** What a verb would touch, looked at as a whole before anything is. */
import type { Node, Storage } from '#server/storage/storage.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { joinPath, relativePath, type TreePath } from '#wire/paths.ts'
import type { Sight } from './sight.ts'

export interface Touched {
  path: TreePath
  /** Where it would come to lie. */
  to: TreePath
  /** The verb goes through links: each place behind them is looked at once. */
  follow: boolean
}

/**
 * Everything a verb would touch, and where it would come to lie, must be allowed; one denied thing
 * refuses the whole (decisions 5).
 *
 * @throws Fault forbidden
 */
export async function mustAllowAll(
  storage: Storage,
  sight: Sight,
  { path, to, follow }: Touched,
): Promise<void> {
  if (!sight.isLimited) return
  const top = await find(storage, path)
  const pending = top ? [top] : []
  const followed = new Set<TreePath>()
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { foldsCase } = node
    const touched = [node.path, node.real, joinPath(to, relativePath(node.path, path))]
    if (!touched.every((each) => sight.allows(each, foldsCase))) {
      throw new Fault('forbidden', 'Something inside may not be touched.')
    }
    if (node.kind !== 'folder' || (node.isLink && (!follow || followed.has(node.real)))) continue
    if (node.isLink) followed.add(node.real)
    try {
      for (const child of await storage.list(node.path)) pending.push(child)
    } catch (error) {
      // Deeper than any path: no rule that is a path leads there.
      if (!isFault(error, 'badRequest') || sight.hasExpressions) throw error
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
