/** The room for new content at a path of the served tree. */
import { accessSync, constants } from 'node:fs'
import type { Usage } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import { usageOf } from './disk-usage.ts'
import type { Handle } from './handle.ts'
import { nearestFolder } from './nearest-folder.ts'
import type { ServedFolder } from './served-folder.ts'

/**
 * @param opened disposed of at the end
 * @returns the usage of the file system that holds an entry; its trash counts as free
 * @throws Fault notFound, forbidden; system errors
 */
export function usageAt(opened: ConfinedFolder, path: TreePath, served: ServedFolder): Usage {
  using confined = opened
  using object = confined.open(path)
  return usageOf(object, reclaimableOn(object, served))
}

/**
 * Refuses new content that cannot be stored at a path. Missing folders above it would be created.
 *
 * @param opened disposed of at the end
 * @param bytes the size of the content
 * @throws Fault noSpace, forbidden; system errors (EROFS, EACCES)
 */
export function requireRoomAt(
  opened: ConfinedFolder,
  path: TreePath,
  bytes: number,
  served: ServedFolder,
): void {
  using confined = opened
  using folder = nearestFolder(confined, parentPath(path))
  accessSync(folder.disk, constants.W_OK | constants.X_OK)
  if (bytes <= usageOf(folder, 0).free) return
  if (bytes <= usageOf(folder, reclaimableOn(folder, served)).free) return
  throw new Fault('noSpace', 'There is not enough space left on the disk.')
}

/** @returns the bytes that the trash on the file system of an open object can free */
function reclaimableOn(object: Handle, { volumes, options }: ServedFolder): number {
  const trash = volumes.trashes?.idOf(object)
  return trash === undefined ? 0 : (options.reclaimable?.(trash) ?? 0)
}
