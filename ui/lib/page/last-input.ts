/** Whether the last input came from the keyboard: only then is the focus indicator needed. */

/** Whether the last input was a key. False after pointer input, and before any input. */
let wasKey = false

globalThis.addEventListener?.('keydown', () => setWasKey(true), { capture: true, passive: true })
globalThis.addEventListener?.('pointerdown', () => setWasKey(false), {
  capture: true,
  passive: true,
})

function setWasKey(isKey: boolean): void {
  wasKey = isKey
}

/** Set on an element that has the focus without an indicator, because the keyboard is not in use. */
const NO_FOCUS_RING = 'data-no-focus-ring'

/**
 * Focuses an element without an indicator until a key is pressed. Browsers treat a focus set by a script as keyboard
 * focus.
 *
 * @returns a function that stops waiting for a key
 */
export function focusWithoutIndicator(element: HTMLElement): () => void {
  if (!wasKey) element.setAttribute(NO_FOCUS_RING, '')
  element.focus({ preventScroll: true })
  const showIndicator = () => element.removeAttribute(NO_FOCUS_RING)
  addEventListener('keydown', showIndicator, { once: true, capture: true })
  return () => removeEventListener('keydown', showIndicator, { capture: true })
}
