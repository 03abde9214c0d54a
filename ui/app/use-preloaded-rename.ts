import { useEffect } from 'react'
import { preloadRename } from '#ui/actions/files.ts'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'

/** Loads the code of a rename after the listing, so that no character is lost that a user types right after F2. */
export function usePreloadedRename(): void {
  const isReady = useAfterListing()
  useEffect(() => {
    if (isReady) preloadRename()
  }, [isReady])
}
