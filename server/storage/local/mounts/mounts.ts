/**
 * Mounts: which volume an open object is on, where a volume begins, and where else a folder is shown. The kernel lists for
 * each mount which folder of which file system it shows (proc_pid_mountinfo(5)).
 */

import { readFileSync } from 'node:fs'
import { O_FOLDER } from '#server/os/flags.ts'
import { Fault } from '#wire/fault.ts'
import { nameOfBytes } from '#wire/names.ts'
import type { Slot } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'

/** A device as seen through one mount. */
export type VolumeId = string

/** @returns the volume of an open object */
export function volumeOf({ dev, mountId }: Handle): VolumeId {
  return `${dev}:${mountId}`
}

/**
 * Opens the names one after the other, without following links. The caller closes the result.
 *
 * @throws system errors
 */
export function childOf(root: Handle, names: readonly string[]): Handle {
  let folder = root.duplicate()
  for (const name of names) {
    using above = folder
    folder = above.child(name, O_FOLDER)
  }
  return folder
}

/** Whether a file system is mounted on this folder. */
export function isMountPoint(folder: Handle): boolean {
  using above = folder.above()
  return volumeOf(above) !== volumeOf(folder)
}

/** @returns the folders of one volume from its top down to `folder`. The caller closes them. */
export function withVolumeAbove(folder: Handle): Handle[] {
  const volume = volumeOf(folder)
  const folders = [folder.duplicate()]
  for (let highest = folders[0]; highest; ) {
    const above = highest.above()
    if (volumeOf(above) !== volume || above.identity() === highest.identity()) {
      above.close()
      return folders
    }
    folders.unshift(above)
    highest = above
  }
  return folders
}

/** A folder with a mount in it, or on it, cannot be renamed or removed. */
export function holdsMount(): Fault {
  return new Fault('locked', 'Another file system is mounted in this folder.', {
    reason: 'holdsMount',
  })
}

/** Whether a name is a folder on which a file system is mounted. */
export function isMountAt({ parent, name }: Slot): boolean {
  try {
    using folder = parent.child(name, O_FOLDER)
    return volumeOf(folder) !== volumeOf(parent)
  } catch {
    return false
  }
}

export interface Mount {
  /** The id of the mount, and of the mount that its mount point is in. */
  id: string
  parentId: string
  /** `major:minor` of the file system. */
  device: string
  /** The folder that the mount shows, as a path in its file system. */
  root: string
  /** The mount point. */
  mountPoint: string
}

/**
 * Mounts of a folder above a path are not listed: they show the path too, but a change of the path itself is a change
 * in all of them.
 *
 * @param paths absolute, links resolved
 * @returns the mount points that show a path, or something below it; also a path that is a mount point itself
 * @throws system errors
 */
export function mountsShowing(paths: readonly string[]): string[] {
  const mounts = allMounts()
  const origins = paths.flatMap((path) => originOf(path, mounts) ?? [])
  const showsAnOrigin = ({ device, root }: Mount) =>
    origins.some((origin) => origin.device === device && isAtOrBelow(root, origin.path))
  return mounts.filter(showsAnOrigin).map(({ mountPoint }) => mountPoint)
}

/** @returns the file system of a path, and the path within that file system */
function originOf(
  path: string,
  mounts: readonly Mount[],
): { device: string; path: string } | undefined {
  const mount = mountOf(path, mounts)
  if (!mount) return undefined
  const below = path.slice(mount.mountPoint === '/' ? 0 : mount.mountPoint.length)
  const inFileSystem = `${mount.root === '/' ? '' : mount.root}${below}`
  return { device: mount.device, path: inFileSystem || '/' }
}

/** Follows the mounts on the way to a path, as the kernel does: a mount hides what was mounted below it before. */
function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  const ids = new Set(mounts.map(({ id }) => id))
  const onTheWay = mounts
    .filter(({ mountPoint }) => isAtOrBelow(path, mountPoint))
    .toSorted((a, b) => a.mountPoint.length - b.mountPoint.length)
  // The root of an initramfs is its own parent.
  let mount = onTheWay.find(({ id, parentId }) => !ids.has(parentId) || parentId === id)
  for (let next = mount; next; next = onTheWay.find((child) => isOn(child, next))) mount = next
  return mount
}

function isOn(child: Mount, parent: Mount | undefined): boolean {
  return child.parentId === parent?.id && child.id !== parent.id
}

/** Not the mounts outside the root of this process. Nothing that is mounted is touched. */
export function allMounts(): Mount[] {
  if (process.platform !== 'linux') return []
  const lines = nameOfBytes(readFileSync('/proc/self/mountinfo')).split('\n')
  return lines.flatMap((line) => {
    const [id, parentId, device, root, mountPoint] = line.split(' ')
    if (!id || !parentId || !device || !root || !mountPoint) return []
    return [
      { id, parentId, device, root: unescapeOctal(root), mountPoint: unescapeOctal(mountPoint) },
    ]
  })
}

/** Decodes spaces, tabs, newlines and backslashes, which are written as three octal digits. */
export function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}

/** @returns the id of the mount that a path leads into; empty if the system does not tell */
export function mountIdAt(path: string): string {
  return mountOf(path, allMounts())?.id ?? ''
}

/** Whether a path is a folder or below it. Both are absolute and normalised. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

/**
 * Refuses a folder if it, or a folder in it, is also mounted at another path below the served root: files that others
 * write there while it is removed or moved would be lost.
 *
 * @param rootPath the real path of the served root
 * @throws Fault locked
 */
export function requireMountedOnce({ parent, name }: Slot, rootPath: string): void {
  const mounts = mountsShowing([`${parent.realPath()}/${name}`.replace(/^\/+/, '/')])
  if (!mounts.some((mountPoint) => isAtOrBelow(mountPoint, rootPath))) return
  throw new Fault(
    'locked',
    'A part of this folder is also mounted at another path of the served folder.',
  )
}
