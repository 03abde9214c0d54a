/** Folders by their names below another one, and the tops of the file systems that are mounted there. */
import { O_FOLDER } from '#server/os/flags.ts'
import type { Handle } from './handle.ts'
import { volumeOf } from './volume-id.ts'

/** What the names lead to, one after the other, without following links. The caller closes it. @throws system errors */
export function childOf(root: Handle, names: readonly string[]): Handle {
  let folder = root.duplicate()
  for (const name of names) {
    using above = folder
    folder = above.child(name, O_FOLDER)
  }
  return folder
}

/** Whether a volume is mounted right on this folder. */
export function isTop(folder: Handle): boolean {
  using above = folder.above()
  return volumeOf(above) !== volumeOf(folder)
}

/** The folders of one volume from its top down to `folder`. The caller closes them. */
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
