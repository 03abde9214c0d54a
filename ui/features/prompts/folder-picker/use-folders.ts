import { useCallback, useEffect, useRef, useState } from 'react'
import type { Siblings } from '#ui/lib/entries/new-names.ts'
import { foldersOf, listFolder } from '#ui/state/folder/folders.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

interface Loaded {
  folder: TreePath
  folders: readonly TreePath[]
  /** The names of all entries. */
  names: Siblings
  fault: unknown
}

const NO_NAMES: Siblings = { names: [], foldsCase: false }

/**
 * The folders in `open` without the excluded ones; undefined until they are loaded. When another folder is opened, the
 * requests for the earlier one are aborted.
 */
export function useFolders(open: TreePath, excluded: readonly TreePath[]) {
  const [loaded, setLoaded] = useState<Loaded>()
  const opened = useRef<AbortController>(undefined)
  const load = useCallback(
    async (signal?: AbortSignal) => {
      try {
        const listed = await listFolder(open, signal)
        if (signal?.aborted) return
        const { items, foldsCase = false } = listed
        setLoaded({
          folder: open,
          folders: foldersOf(listed).map(({ path }) => path),
          names: { names: items.map(({ name }) => name), foldsCase },
          fault: undefined,
        })
      } catch (fault) {
        if (!isFault(fault, 'aborted'))
          setLoaded({ folder: open, folders: [], names: NO_NAMES, fault })
      }
    },
    [open],
  )

  useEffect(() => {
    const controller = new AbortController()
    opened.current = controller
    void load(controller.signal)
    return () => controller.abort()
  }, [load])

  const current = loaded?.folder === open ? loaded : undefined
  return {
    folders: current?.folders.filter((folder) => !excluded.includes(folder)),
    names: current?.names ?? NO_NAMES,
    fault: current?.fault,
    reload: () => load(opened.current?.signal),
  }
}
