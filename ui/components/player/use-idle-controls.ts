import { type RefObject, useEffect, useState } from 'react'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
/** A control with the keyboard's focus, which keeps the controls visible, as an open menu does. */
const IN_USE = ':focus-visible:is(button, input, select)'

/** Whether the controls over a film are hidden: while it plays, `viewerIdleMs` after the last movement or key press. */
export function useIdleControls(frame: RefObject<HTMLElement | null>, isPlaying: boolean): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element || !isPlaying) return
    let timer: ReturnType<typeof setTimeout> | undefined
    function hide(): void {
      const used = element?.querySelector(IN_USE) || document.querySelector(':popover-open')
      if (used) show()
      else setIdle(true)
    }
    function show(): void {
      clearTimeout(timer)
      setIdle(false)
      timer = setTimeout(hide, ON_DEMAND_LIMITS.viewerIdleMs)
    }
    show()
    for (const type of ACTIVITY_EVENTS) element.addEventListener(type, show, { passive: true })
    return () => {
      clearTimeout(timer)
      setIdle(false)
      for (const type of ACTIVITY_EVENTS) element.removeEventListener(type, show)
    }
  }, [frame, isPlaying])
  return isIdle
}
