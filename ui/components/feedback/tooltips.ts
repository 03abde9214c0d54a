/**
 * Tooltips with the name of a button and its keys, on hover and keyboard focus. `data-tip` contains the text,
 * `data-keys` the keys. The text is already the accessible name of the button, so the tooltip is hidden from
 * assistive technology. Touch input shows no tooltips.
 */

import { keyLabel } from '#ui/lib/gestures/keys.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import './Tooltip.css'

const GAP_PX = 6
const MARGIN_PX = 6

/** Shows tooltips until the returned function is called. */
export function showTooltips(): () => void {
  const tip = createTooltip()
  const listeners = new AbortController()
  const options = { signal: listeners.signal, capture: true, passive: true }
  /** The element whose tooltip is shown or scheduled. */
  let owner: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let hiddenAt = Number.NEGATIVE_INFINITY

  function show(element: Element): void {
    if (!element.isConnected || !fill(tip, element)) return
    // A popover is above every dialog; opening it again moves it above later ones.
    tip.hidePopover()
    tip.showPopover()
    position(tip, element)
  }

  function hide(): void {
    clearTimeout(timer)
    if (tip.matches(':popover-open')) hiddenAt = performance.now()
    tip.hidePopover()
    owner = null
  }

  function schedule(element: Element | null, waitMs: number): void {
    if (element === owner) return
    hide()
    owner = element
    if (element) timer = setTimeout(() => show(element), waitMs)
  }

  function onPointerOver(event: PointerEvent): void {
    if (event.pointerType === 'touch') return
    // The pointer moves between parts of the same element, whose tooltip a click may have hidden.
    const element = ownerOf(event.target)
    if (element && element === ownerOf(event.relatedTarget)) return
    const isSoon = performance.now() - hiddenAt < ON_DEMAND_LIMITS.nextTooltipMs
    schedule(element, isSoon || tip.matches(':popover-open') ? 0 : ON_DEMAND_LIMITS.tooltipDelayMs)
  }

  function onFocusIn(event: FocusEvent): void {
    const element = ownerOf(event.target)
    if (element?.matches(':focus-visible')) schedule(element, 0)
    else hide()
  }

  addEventListener('pointerover', onPointerOver, options)
  addEventListener('focusin', onFocusIn, options)
  for (const name of ['pointerdown', 'keydown', 'focusout', 'scroll', 'wheel', 'blur'] as const) {
    addEventListener(name, hide, options)
  }
  return () => {
    listeners.abort()
    hide()
    tip.remove()
  }
}

function createTooltip(): HTMLElement {
  const tip = document.createElement('div')
  tip.className = 'Tooltip'
  tip.popover = 'manual'
  tip.ariaHidden = 'true'
  return document.body.appendChild(tip)
}

function ownerOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-tip]') : null
}

/**
 * Sets the text and the keys.
 *
 * @returns false if they would repeat the visible label
 */
function fill(tip: HTMLElement, element: Element): boolean {
  if (!(element instanceof HTMLElement)) return false
  const { tip: text = '', keys = '' } = element.dataset
  const parts: (string | Node)[] = [text]
  const shown = element.innerText
  if (keys) {
    const key = document.createElement('kbd')
    key.textContent = keyLabel(keys)
    parts.push(key)
  }
  if (text === '' || (shown.includes(text) && shown.includes(keys && keyLabel(keys)))) return false
  tip.replaceChildren(...parts)
  return true
}

/** Places the tooltip below the centre of its button, or above if there is no space; always inside the viewport. */
function position(tip: HTMLElement, element: Element): void {
  const box = element.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const middle = box.left + box.width / 2 - width / 2
  const end = innerWidth - width - MARGIN_PX
  const below = box.bottom + GAP_PX
  const top = below + height + MARGIN_PX > innerHeight ? box.top - height - GAP_PX : below
  tip.style.left = `${Math.max(MARGIN_PX, Math.min(middle, end))}px`
  tip.style.top = `${top}px`
}
