import { useEffect } from 'react'
import { whenIdle } from '#ui/lib/when-idle.ts'

/** Loads tooltips after the first rows. Every control also has an accessible name, so the page works without them. */
export function useTooltips(): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    let isOver = false
    const call = () =>
      import('#ui/components/tooltips.ts').then(
        ({ showTooltips }) => {
          if (!isOver) stop = showTooltips()
        },
        () => undefined,
      )
    const forget = whenIdle(call)
    return () => {
      isOver = true
      forget()
      stop?.()
    }
  }, [])
}
