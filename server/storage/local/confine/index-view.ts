/** Connects the index of names to a view of the tree: searches in it, and notifies it of changes. */

import type { NameIndex } from '#server/storage/names.ts'
import type { NameSearch } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import { withFaults } from '../handles/faults.ts'
import type { Handle } from '../handles/handle.ts'
import { belowRoot } from '../handles/node-of-stats.ts'
import type { OpenSlot } from '../handles/resolve.ts'
import type { ConfinedFolder } from './confined-folder.ts'

/** The parts of a storage that the search and the notification use. */
export interface NamesView {
  root: Handle
  index(): NameIndex | undefined
  confined(): ConfinedFolder
}

export function nameSearchOf({ root, index, confined }: NamesView): NameSearch {
  /** Opens the folder, so that access to it is checked, and returns its path in the served tree. */
  const treePathOf = (path: TreePath) =>
    withFaults(() => {
      using confinedFolder = confined()
      using folder = confinedFolder.openFolder(path)
      return belowRoot(root.realPath(), folder.handle.realPath())
    })
  return {
    find: async (path, query) => index()?.find(await treePathOf(path), query),
    sizes: async (path) => index()?.sizes(await treePathOf(path)),
  }
}

/**
 * Notifies the index of changed names when the result is disposed of. Disposal follows also after a failed change,
 * which may have changed some names.
 */
export function notifyingIndex(
  { root, index }: Pick<NamesView, 'root' | 'index'>,
  slots: () => readonly Pick<OpenSlot, 'pathWhenChecked' | 'name'>[],
): Disposable {
  return {
    [Symbol.dispose]() {
      const names = index()
      if (!names) return
      const rootPath = root.realPath()
      names.changed(
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
