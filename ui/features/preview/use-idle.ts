import { useEffect } from 'react'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { viewerState } from '#ui/state/file/viewer.ts'

const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const
/**
 * The element around hidden controls. On devices whose main input is touch (`hover: none` in the styles), hidden
 * controls receive no events, so the target of a tap is this element.
 */
const IDLE_ELEMENTS = '[data-idle]'
/** A focused control, or an open dialog or menu, keeps the controls visible. */
const IN_USE = ':focus-visible:is(button, a, input, select), dialog[open], :popover-open'

/**
 * A tap on a hidden control only shows it. Without this the tap would also activate it, because the browser chooses
 * the target of the click when the finger is lifted, and the control is visible by then.
 */
function ignoreTapOnHidden(event: Event): void {
  if (!isOnHidden(event)) return
  const ignore = (click: Event) => {
    click.preventDefault()
    click.stopPropagation()
  }
  addEventListener('click', ignore, { capture: true, once: true })
  const stopListening = () => removeEventListener('click', ignore, { capture: true })
  addEventListener('pointerdown', stopListening, { capture: true, once: true })
}

/** A mouse shows the controls by its movement, before it can press one. */
function isOnHidden(event: Event): boolean {
  if (!(event.target instanceof Element)) return false
  if (event.target.matches(IDLE_ELEMENTS)) return true
  const control = event.target.closest(`${IDLE_ELEMENTS} > *`)
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
  return isTouch && control !== null && getComputedStyle(control).opacity !== '1'
}

/**
 * Hides the controls after a time without use of pointer and keyboard, while `isActive`. Never if the user prefers
 * reduced motion.
 */
export function useIdle(isActive: boolean): void {
  useEffect(() => {
    if (!isActive || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let timer: ReturnType<typeof setTimeout> | undefined
    function hideControls(): void {
      if (document.querySelector(IN_USE)) showControls()
      else viewerState.isIdle = true
    }
    function showControls(): void {
      clearTimeout(timer)
      viewerState.isIdle = false
      timer = setTimeout(hideControls, ON_DEMAND_LIMITS.viewerIdleMs)
    }
    function onActivity(event: Event): void {
      if (event.type === 'pointerdown' && viewerState.isIdle) ignoreTapOnHidden(event)
      showControls()
    }
    showControls()
    for (const type of ACTIVITY_EVENTS) addEventListener(type, onActivity, { passive: true })
    return () => {
      clearTimeout(timer)
      viewerState.isIdle = false
      for (const type of ACTIVITY_EVENTS) removeEventListener(type, onActivity)
    }
  }, [isActive])
}
