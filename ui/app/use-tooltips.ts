import { useEffect } from 'react'
import { whenIdle } from '#ui/lib/when-idle.ts'

/** Tooltips arrive after the first rows. Without them nothing is missing that has no name. */
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
