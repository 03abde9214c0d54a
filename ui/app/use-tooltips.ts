import { useEffect } from 'react'
import { whenIdle } from '#ui/lib/when-idle.ts'

/** Loads tooltips after the first rows. Every control also has an accessible name, so the page works without them. */
export function useTooltips(): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    let isUnmounted = false
    const load = () =>
      import('#ui/components/tooltips.ts').then(
        ({ showTooltips }) => {
          if (!isUnmounted) stop = showTooltips()
        },
        () => undefined,
      )
    const cancel = whenIdle(load)
    return () => {
      isUnmounted = true
      cancel()
      stop?.()
    }
  }, [])
}
