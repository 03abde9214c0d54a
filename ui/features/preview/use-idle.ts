import { useEffect } from 'react'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { viewerState } from '#ui/state/viewer.ts'

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const
/** What lies around hits nothing while it is hidden: what is hit in its place is what holds it. */
const HIDES = '[data-idle]'
/** Whoever is led by the focus, or has something open, needs what lies around. */
const NEEDED = ':focus-visible:is(button, a, input, select), dialog[open], :popover-open'

/**
 * A tap where something is hidden brings it back and does nothing else: a browser decides what is clicked when the
 * finger leaves, and by then it is there.
 */
function dropTapOnHidden({ target }: Event): void {
  if (!(target instanceof Element && target.matches(HIDES))) return
  const drop = (click: Event) => {
    click.preventDefault()
    click.stopPropagation()
  }
  addEventListener('click', drop, { capture: true, once: true })
  const letGo = () => removeEventListener('click', drop, { capture: true })
  addEventListener('pointerdown', letGo, { capture: true, once: true })
}

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
      timer = setTimeout(rest, UI_LIMITS.viewerIdleMs)
    }
    function onSign(event: Event): void {
      if (event.type === 'pointerdown' && viewerState.idle) dropTapOnHidden(event)
      wake()
    }
    wake()
    for (const sign of SIGNS) addEventListener(sign, onSign, { passive: true })
    return () => {
      clearTimeout(timer)
      viewerState.idle = false
      for (const sign of SIGNS) removeEventListener(sign, onSign)
    }
  }, [active])
}
