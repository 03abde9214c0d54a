/** Whether the person led the page last by its keys: only then does the keyboard's place need a mark. */

let byKeys = false

globalThis.addEventListener?.('keydown', () => record(true), { capture: true, passive: true })
globalThis.addEventListener?.('pointerdown', () => record(false), { capture: true, passive: true })

/** False for a pointer, and before anything has happened. */
function isLedByKeys(): boolean {
  return byKeys
}

function record(keys: boolean): void {
  byKeys = keys
}

/** On what has the keyboard without showing where: nobody uses the keyboard. */
const QUIET = 'data-quiet'

/**
 * Gives an element the keyboard, without a mark until a key is pressed: the browser takes a focus that comes from
 * nowhere for the keyboard's.
 *
 * @returns stops waiting for a key
 */
export function focusQuietly(element: HTMLElement): () => void {
  if (!isLedByKeys()) element.setAttribute(QUIET, '')
  element.focus({ preventScroll: true })
  const speak = () => element.removeAttribute(QUIET)
  addEventListener('keydown', speak, { once: true, capture: true })
  return () => removeEventListener('keydown', speak, { capture: true })
}
