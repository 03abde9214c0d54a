import { useEffect } from 'react'
import { viewerState } from '#ui/state/viewer.ts'
import { LIMITS } from '#wire/limits.ts'

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const
/** Whoever is led by the focus, or has something open, needs what lies around. */
const NEEDED = ':focus-visible:is(button, a, input, select), dialog[open], :popover-open'

/** Tells the page when nothing has moved for a while. Never where people want less movement. */
export function useIdle(active: boolean): void {
  useEffect(() => {
    if (!active || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let timer: ReturnType<typeof setTimeout> | undefined
    function rest(): void {
      if (document.querySelector(NEEDED)) wake()
      else viewerState.idle = true
    }
    function wake(): void {
      clearTimeout(timer)
      viewerState.idle = false
      timer = setTimeout(rest, LIMITS.viewerIdleMs)
    }
    wake()
    for (const sign of SIGNS) addEventListener(sign, wake, { passive: true })
    return () => {
      clearTimeout(timer)
      viewerState.idle = false
      for (const sign of SIGNS) removeEventListener(sign, wake)
    }
  }, [active])
}
