/** The room for new content at a path of the served tree. */
import { accessSync, constants } from 'node:fs'
import { diskFull } from '#server/lib/common-faults.ts'
import type { Usage } from '#wire/api/entry.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from '../confine/confined-folder.ts'
import { nearestFolder } from '../confine/nearest-folder.ts'
import type { Handle } from '../handles/handle.ts'
import { usageOf } from '../room/disk-usage.ts'
import type { ServedFolder } from './served-folder.ts'

/**
 * @param opened disposed of at the end
 * @param userId whose writes; undefined for the server itself
 * @returns the usage of the file system that holds an entry. Free is what `requireRoomAt` accepts.
 * @throws Fault notFound, forbidden; system errors
 */
export async function usageAt(
  opened: ConfinedFolder,
  path: TreePath,
  userId: number | undefined,
  served: ServedFolder,
): Promise<Usage> {
  using confined = opened
  using object = confined.open(path)
  const { total, used, free } = usageOf(object, await reclaimableOn(object, userId, served))
  const kept = served.options.reserve?.keptOn(object.dev) ?? 0
  return { total, used, free: Math.max(0, free - kept) }
}

/**
 * Refuses new content that cannot be stored at a path. Missing folders above it would be created.
 *
 * @param opened disposed of at the end
 * @param bytes the size of the content
 * @param userId who writes it; undefined for the server itself
 * @throws Fault noSpace, forbidden; system errors (EROFS, EACCES)
 */
export async function requireRoomAt(
  opened: ConfinedFolder,
  path: TreePath,
  { bytes, userId }: { bytes: number; userId: number | undefined },
  served: ServedFolder,
): Promise<void> {
  using confined = opened
  using folder = nearestFolder(confined, parentPath(path))
  accessSync(folder.disk, constants.W_OK | constants.X_OK)
  const kept = served.options.reserve?.keptOn(folder.dev) ?? 0
  if (bytes <= usageOf(folder, 0).free - kept) return
  if (bytes <= usageOf(folder, await reclaimableOn(folder, userId, served)).free - kept) return
  if (kept > 0 && served.options.reserve) throw served.options.reserve.refusal(folder.dev)
  throw diskFull()
}

/** @returns the bytes that a write of a user can free by deleting trash on the file system of an open object */
async function reclaimableOn(
  object: Handle,
  userId: number | undefined,
  { volumes, options }: ServedFolder,
): Promise<number> {
  const trash = volumes.trashes?.idOf(object)
  return trash === undefined ? 0 : ((await options.reclaimable?.(trash, userId)) ?? 0)
}
