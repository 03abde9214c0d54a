/** Opens a folder by its path below another one without links, and finds mount points above a folder. */
import { O_FOLDER } from '#server/os/flags.ts'
import type { Handle } from './handle.ts'
import { volumeOf } from './volume-id.ts'

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
