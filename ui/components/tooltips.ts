/**
 * What a button is for, and the keys that do the same: beside it, for a pointer that rests on it and for the
 * keyboard that reaches it. `data-tip` holds the words, `data-keys` the keys. The words are the name of the
 * button for assistive technology already, so the tooltip itself is silent. A finger sees none.
 */
import { keyLabel } from '#ui/lib/keys.ts'
import './Tooltip.css'

/** So long a pointer rests before the first one shows; the next one, soon after, shows at once. */
const REST_MS = 500
const SOON_MS = 400

const GAP_PX = 6
const MARGIN_PX = 6

/** Shows them until the returned function is called. */
export function showTooltips(): () => void {
  const tip = makeTip()
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true, passive: true }
  let owner: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let hiddenAt = Number.NEGATIVE_INFINITY

  function show(element: Element): void {
    if (!element.isConnected || !fill(tip, element)) return
    // A popover is above every dialog; opening it anew lifts it above those that came later.
    tip.hidePopover()
    tip.showPopover()
    putBeside(tip, element)
  }

  function hide(): void {
    clearTimeout(timer)
    if (tip.matches(':popover-open')) hiddenAt = performance.now()
    tip.hidePopover()
    owner = null
  }

  function aimAt(element: Element | null, waitMs: number): void {
    if (element === owner) return
    hide()
    owner = element
    if (element) timer = setTimeout(() => show(element), waitMs)
  }

  function over(event: PointerEvent): void {
    if (event.pointerType === 'touch') return
    const isSoon = performance.now() - hiddenAt < SOON_MS
    aimAt(ownerOf(event.target), isSoon || tip.matches(':popover-open') ? 0 : REST_MS)
  }

  function focus(event: FocusEvent): void {
    const element = ownerOf(event.target)
    if (element?.matches(':focus-visible')) aimAt(element, 0)
    else hide()
  }

  addEventListener('pointerover', over, options)
  addEventListener('focusin', focus, options)
  for (const name of ['pointerdown', 'keydown', 'focusout', 'scroll', 'wheel', 'blur'] as const) {
    addEventListener(name, hide, options)
  }
  return () => {
    listening.abort()
    hide()
    tip.remove()
  }
}

function makeTip(): HTMLElement {
  const tip = document.createElement('div')
  tip.className = 'Tooltip'
  tip.popover = 'manual'
  tip.ariaHidden = 'true'
  return document.body.appendChild(tip)
}

function ownerOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-tip]') : null
}

/** Puts the words and the keys into it. False where they would say what can be read already. */
function fill(tip: HTMLElement, element: Element): boolean {
  if (!(element instanceof HTMLElement)) return false
  const { tip: words = '', keys = '' } = element.dataset
  const parts: (string | Node)[] = [words]
  const shown = element.innerText
  if (keys) {
    const key = document.createElement('kbd')
    key.textContent = keyLabel(keys)
    parts.push(key)
  }
  if (words === '' || (shown.includes(words) && shown.includes(keys && keyLabel(keys))))
    return false
  tip.replaceChildren(...parts)
  return true
}

/** Below the middle of its button, or above it, within the window. */
function putBeside(tip: HTMLElement, element: Element): void {
  const box = element.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const middle = box.left + box.width / 2 - width / 2
  const end = innerWidth - width - MARGIN_PX
  const below = box.bottom + GAP_PX
  const top = below + height + MARGIN_PX > innerHeight ? box.top - height - GAP_PX : below
  tip.style.left = `${Math.max(MARGIN_PX, Math.min(middle, end))}px`
  tip.style.top = `${top}px`
}
