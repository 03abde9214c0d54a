import { useEffect } from 'react'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'

/** Counts what is opened, for the order of search results. The code is loaded after the listing. */
export function useCountedUses(): void {
  const isReady = useAfterListing()
  useEffect(() => {
    if (!isReady) return
    // Without the code nothing is counted, and the order stays that of the server.
    import('#ui/state/finder/uses.ts').then(
      ({ watchUses }) => watchUses(),
      () => undefined,
    )
  }, [isReady])
}
