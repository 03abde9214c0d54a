/** The layers over the page, such as dialogs: the back button closes the topmost one before it leaves the page. */
import { CAME_FROM } from './location.ts'

interface Layer {
  close(): void
  /** The URL and the state of the history entry in which the layer was opened. */
  href: string
  state: unknown
}

/** The topmost last. */
const layers: Layer[] = []

/** Marks in the state of history entries: the first entry of this page, and the one that is added after it. */
const FIRST = 'first'
const BEFORE = 'before'

/**
 * Adds a second history entry of the same URL. Going back from the first entry leaves the page, which no layer could
 * prevent; going back from the second one does not leave it.
 */
function addSecondEntry(): void {
  const state: object = Object(history.state)
  if (CAME_FROM in state || BEFORE in state) return
  history.replaceState({ ...state, [FIRST]: true }, '')
  history.pushState({ [BEFORE]: true }, '')
}

/**
 * Goes back one step more if the user went back from the added entry to the first one: for the user both are one.
 *
 * @param state that of the history entry that was reached
 * @returns true if it went back
 */
export function skipFirstEntry(state: unknown): boolean {
  if (!(FIRST in Object(state))) return false
  history.back()
  return true
}

/**
 * From now on the back button calls `close`.
 *
 * @param level `bottom`: all other layers are closed before, also those that were added before
 * @returns a function that removes the layer
 */
export function addLayer(close: () => void, level: 'top' | 'bottom' = 'top'): () => void {
  addSecondEntry()
  const layer = { close, href: location.href, state: history.state as unknown }
  if (level === 'top') layers.push(layer)
  else layers.unshift(layer)
  return () => {
    const index = layers.indexOf(layer)
    if (index >= 0) layers.splice(index, 1)
  }
}

/**
 * Closes the topmost layer after the back button was pressed. The browser has already changed the history entry, so
 * the entry of the layer is restored.
 *
 * @returns false if there is no layer
 */
export function closeTopmost(): boolean {
  const layer = layers.at(-1)
  if (!layer) return false
  history.pushState(layer.state, '', layer.href)
  layer.close()
  return true
}
