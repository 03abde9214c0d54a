import { useEffect } from 'react'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'

/** Loads tooltips after the listing. Every control also has an accessible name, so the page works without them. */
export function useTooltips(): void {
  const isAfterListing = useAfterListing()
  useEffect(() => {
    if (!isAfterListing) return
    let stop: (() => void) | undefined
    let isUnmounted = false
    void import('#ui/components/feedback/tooltips.ts').then(
      ({ showTooltips }) => {
        if (!isUnmounted) stop = showTooltips()
      },
      () => undefined,
    )
    return () => {
      isUnmounted = true
      stop?.()
    }
  }, [isAfterListing])
}
