/** The use of a private folder by one caller. */
import type { PrivateFolder } from '../private/private-folder.ts'

/** Disposing ends the use. */
export interface VolumeUse extends Disposable {
  folder: PrivateFolder
}

/** @returns a use of the folder; only the first disposal calls `endUse` */
export function newUse(folder: PrivateFolder, endUse: () => void): VolumeUse {
  let isInUse = true
  return {
    folder,
    [Symbol.dispose]() {
      if (isInUse) endUse()
      isInUse = false
    },
  }
}
