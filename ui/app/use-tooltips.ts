import { useEffect } from 'react'
import { useAfterFirstRows } from '#ui/state/first-rows.ts'

/** Loads tooltips after the first rows. Every control also has an accessible name, so the page works without them. */
export function useTooltips(): void {
  const isAfterRows = useAfterFirstRows()
  useEffect(() => {
    if (!isAfterRows) return
    let stop: (() => void) | undefined
    let isUnmounted = false
    void import('#ui/components/tooltips.ts').then(
      ({ showTooltips }) => {
        if (!isUnmounted) stop = showTooltips()
      },
      () => undefined,
    )
    return () => {
      isUnmounted = true
      stop?.()
    }
  }, [isAfterRows])
}
