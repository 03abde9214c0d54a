/** What lies over the page: going back closes the topmost of it before it leaves the page. */
import { CAME_FROM } from './location.ts'

interface Layer {
  close(): void
  /** Where it was opened, as the history has it. */
  href: string
  state: unknown
}

/** The topmost last. */
const layers: Layer[] = []

/** Marks in the state of an entry of the history: the first of this page, and the one that stands before it. */
const FIRST = 'first'
const BEFORE = 'before'

/**
 * Going back from the first entry of a page leaves the page, whatever lies over it: so a second entry of the
 * same address is put there.
 */
function standBefore(): void {
  const state: object = Object(history.state)
  if (CAME_FROM in state || BEFORE in state) return
  history.replaceState({ ...state, [FIRST]: true }, '')
  history.pushState({ [BEFORE]: true }, '')
}

/** Goes on when somebody comes to the first entry from the one before it: for them both are one. */
export function leaveFirst(state: unknown): boolean {
  if (!(FIRST in Object(state))) return false
  history.back()
  return true
}

/** From now on going back calls `close`. Returns how to end that. */
export function addLayer(close: () => void): () => void {
  standBefore()
  const layer = { close, href: location.href, state: history.state as unknown }
  layers.push(layer)
  return () => {
    const at = layers.indexOf(layer)
    if (at >= 0) layers.splice(at, 1)
  }
}

/** Closes the topmost. The browser is at the other entry already: it comes back. False when there is none. */
export function closeTopmost(): boolean {
  const layer = layers.at(-1)
  if (!layer) return false
  history.pushState(layer.state, '', layer.href)
  layer.close()
  return true
}
