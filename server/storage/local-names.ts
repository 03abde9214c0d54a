/** The index of names as one view of the tree asks it, and how it is told of changes. */
import type { TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import { faults } from './faults.ts'
import type { Handle } from './handle.ts'
import { belowTop } from './local-node.ts'
import type { Slot } from './local-resolve.ts'
import type { NameIndex } from './names.ts'
import type { NamesKnown } from './storage.ts'

/** What a view of the tree lends for it. */
export interface NamesView {
  root: Handle
  index(): NameIndex | undefined
  confined(): ConfinedFolder
}

export function namesIn({ root, index, confined }: NamesView): NamesKnown {
  /** Where a folder of the view lies in the served tree; it is opened, so that all is asked of it. */
  const treePathOf = (path: TreePath) =>
    faults(() => {
      using jail = confined()
      using folder = jail.openFolder(path)
      return belowTop(root.realPath(), folder.handle.realPath())
    })
  return {
    find: async (path, query) => index()?.find(await treePathOf(path), query),
    sizes: async (path) => index()?.sizes(await treePathOf(path)),
  }
}

/** Tells the index, when it is disposed of, that names have changed: also after a failure, which may leave parts. */
export function telling(
  { root, index }: Pick<NamesView, 'root' | 'index'>,
  slots: () => readonly Pick<Slot, 'where' | 'name'>[],
): Disposable {
  return {
    [Symbol.dispose]() {
      const told = index()
      if (!told) return
      const top = root.realPath()
      told.changed(slots().map(({ where, name }) => belowTop(top, `${where}/${name}`)))
    },
  }
}

/** The place of a folder that was made; none when it was not. */
export function madeAt(confined: ConfinedFolder, path: TreePath): Pick<Slot, 'where' | 'name'>[] {
  try {
    using slot = confined.slot(path, true)
    return [slot]
  } catch {
    return []
  }
}
