/** Checks what an operation would change: the destination, or a whole tree. */
import type { Node } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import { Fault, isFault, isRefusedBySystem } from '#wire/fault.ts'
import { caselessText } from '#wire/fold.ts'
import { isInside, joinPath, relativePath, type TreePath } from '#wire/paths.ts'
import type { Authorization } from '../authorization.ts'
import type { PathFilter } from '../path-filter.ts'
import { requireAction } from '../policy.ts'

interface AffectedTree {
  path: TreePath
  /** The destination. */
  to: TreePath
  /** Follow links; each target is checked once. */
  follow: boolean
}

export interface TransferCheck {
  from: TreePath
  to: TreePath
  /** Whether a taken name is replaced; `planned` skips this check. */
  overwrite: boolean | 'planned'
  /** Follow links. */
  follow: boolean
}

/** @throws Fault isDirectory, unsupported (a pipe, a socket or a device) */
export function requireReplaceable({ kind }: Node): void {
  if (kind === 'folder') throw new Fault('isDirectory', 'A folder already has this name.')
  if (kind !== 'file' && kind !== 'danglingLink')
    throw new Fault('unsupported', 'This is not a regular file.')
}

/**
 * Checks everything that is moved or copied, and the destination.
 *
 * @throws Fault forbidden, badRequest (into itself), notFound, conflict (the name is taken, or source and destination
 *   are the same)
 */
export async function checkTransfer(
  storage: Storage,
  authorization: Authorization,
  { from, to, overwrite, follow }: TransferCheck,
): Promise<void> {
  authorization.requireChangeable(from)
  authorization.requireChangeable(to)
  if (from !== to && isInside(to, from)) {
    throw new Fault(
      'badRequest',
      'A folder cannot be moved or copied into itself (source is parent).',
      { reason: 'intoItself' },
    )
  }
  if (from === to)
    throw new Fault('conflict', 'Source and destination are the same.', {
      reason: 'sameDestination',
    })
  await storage.stat(from)
  if (overwrite !== 'planned' && (await storage.find(to))) {
    // On a file system that ignores case this may be a rename of a file to another case; the storage decides.
    const isCaseChange = caselessText(from) === caselessText(to)
    if (overwrite) requireAction(authorization.actor, 'overwrite')
    else if (!isCaseChange) throw new Fault('conflict', 'The name is already taken.')
  }
  await requireAllAllowed(storage, authorization.filter, { path: from, to, follow })
}

/**
 * Checks that the path exists and nothing in it is denied.
 *
 * @throws Fault forbidden, notFound
 */
export async function checkRemoval(
  storage: Storage,
  authorization: Authorization,
  path: TreePath,
): Promise<void> {
  try {
    await storage.stat(path)
    await requireAllAllowed(storage, authorization.filter, { path, to: path, follow: false })
  } catch (error) {
    // The target of a link that leads outside is not affected; only the link is removed.
    if (!isFault(error, 'outside')) throw error
  }
}

/**
 * Everything that the operation affects must be allowed, at its old and new path; one denied path refuses the whole
 * (docs/decisions.md 5).
 *
 * @throws Fault forbidden
 */
async function requireAllAllowed(
  storage: Storage,
  filter: PathFilter,
  { path, to, follow }: AffectedTree,
): Promise<void> {
  if (!filter.hasRules) return
  const root = await storage.find(path)
  const pending = root ? [root] : []
  const followed = new Set<TreePath>()
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { foldsCase } = node
    const affectedPaths = [node.path, node.real, joinPath(to, relativePath(node.path, path))]
    if (!affectedPaths.every((affected) => filter.allows(affected, foldsCase))) {
      throw new Fault('forbidden', 'You do not have access to everything in this folder.')
    }
    if (node.kind !== 'folder' || (node.isLink && (!follow || followed.has(node.real)))) continue
    if (node.isLink) followed.add(node.real)
    try {
      for (const child of await storage.list(node.path)) pending.push(child)
    } catch (error) {
      // A copy leaves out what the server's account may not read.
      if (follow && isRefusedBySystem(error)) continue
      // The path exceeds the depth limit, so only an expression could match it.
      if (!isFault(error, 'badRequest') || filter.hasExpressions) throw error
    }
  }
}
