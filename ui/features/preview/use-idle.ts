import { useEffect } from 'react'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { viewerState } from '#ui/state/viewer.ts'

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const
/** Hidden controls receive no events: the target is the element around them, which has this attribute. */
const HIDES = '[data-idle]'
/** A focused control, or an open dialog or menu, keeps the controls visible. */
const NEEDED = ':focus-visible:is(button, a, input, select), dialog[open], :popover-open'

/**
 * A tap on a hidden control only shows it. Without this the tap would also activate it, because the browser chooses
 * the target of the click when the finger is lifted, and the control is visible by then.
 */
function dropTapOnHidden({ target }: Event): void {
  if (!(target instanceof Element && target.matches(HIDES))) return
  const drop = (click: Event) => {
    click.preventDefault()
    click.stopPropagation()
  }
  addEventListener('click', drop, { capture: true, once: true })
  const stopListening = () => removeEventListener('click', drop, { capture: true })
  addEventListener('pointerdown', stopListening, { capture: true, once: true })
}

/** Sets the idle attribute after a time without movement. Never if the user prefers reduced motion. */
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
