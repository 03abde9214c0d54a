import { useEffect } from 'react'
import { preloadRename } from '#ui/actions/files.ts'
import { useAfterFirstRows } from '#ui/state/first-rows.ts'

/** Loads the code of a rename after the first rows: what a user types right after F2 is the new name. */
export function usePreloadedRename(): void {
  const isReady = useAfterFirstRows()
  useEffect(() => {
    if (isReady) preloadRename()
  }, [isReady])
}
