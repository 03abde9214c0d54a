/** Notifies the index of names of changes. */

import type { NameIndex } from '#server/storage/names.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Handle } from '../handles/handle.ts'
import { belowRoot } from '../handles/node-of-stats.ts'
import type { OpenSlot } from '../handles/resolve.ts'
import type { ConfinedFolder } from './confined-folder.ts'

interface Indexed {
  root: Handle
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
      const { root, index } = served
      if (!index) return
      const rootPath = root.realPath()
      index.changed(
        slots().map(({ pathWhenChecked, name }) =>
          belowRoot(rootPath, `${pathWhenChecked}/${name}`),
        ),
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
