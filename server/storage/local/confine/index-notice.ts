/** Notifies the index of names of changes. */

import type { NameIndex } from '#server/storage/names.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Handle } from '../handles/handle.ts'
import { belowRoot } from '../handles/node-of-stats.ts'
import type { OpenSlot } from '../handles/resolve.ts'
import { isAtOrBelow } from '../mounts/mounts.ts'
import type { ConfinedFolder } from './confined-folder.ts'

interface Indexed {
  root: Handle
  /** @returns the real path of the root, at most a moment old */
  rootPath: () => string
  index?: NameIndex | undefined
}

/**
 * Notifies the index of changed names when the result is disposed of. Disposal follows also after a failed change,
 * which may have changed some names.
 */
export function notifyingIndex(
  served: Indexed,
  slots: () => readonly Pick<OpenSlot, 'pathWhenChecked' | 'name'>[],
): Disposable {
  return {
    [Symbol.dispose]() {
      // The index may have been attached during the change.
      const { root, rootPath, index } = served
      if (!index) return
      index.changed(
        slots().map(({ pathWhenChecked, name }) => {
          // The root may have been moved a moment ago.
          const isBelow = isAtOrBelow(pathWhenChecked, rootPath())
          return belowRoot(isBelow ? rootPath() : root.realPath(), `${pathWhenChecked}/${name}`)
        }),
      )
    },
  }
}

/** @returns the slot of a folder that was created; no slot if it cannot be opened */
export function madeFolderSlot(
  confined: ConfinedFolder,
  path: TreePath,
): Pick<OpenSlot, 'pathWhenChecked' | 'name'>[] {
  try {
    using slot = confined.slot(path, true)
    return [slot]
  } catch {
    return []
  }
}
