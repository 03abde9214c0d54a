import { useCallback, useEffect, useRef, useState } from 'react'
import { foldersIn } from '#ui/state/folder/folders.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

interface Loaded {
  folder: TreePath
  folders: readonly TreePath[]
  fault: unknown
}

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
        const entries = await foldersIn(open, signal)
        if (signal?.aborted) return
        setLoaded({
          folder: open,
          folders: entries.map(({ path }) => path),
          fault: undefined,
        })
      } catch (fault) {
        if (!isFault(fault, 'aborted')) setLoaded({ folder: open, folders: [], fault })
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
    fault: current?.fault,
    reload: () => load(opened.current?.signal),
  }
}
