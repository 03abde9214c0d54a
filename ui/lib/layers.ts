/** What lies over the page: going back closes the topmost of it before it leaves the page. */

interface Layer {
  close(): void
  /** Where it was opened, as the history has it. */
  href: string
  state: unknown
}

/** The topmost last. */
const layers: Layer[] = []

/** From now on going back calls `close`. Returns how to end that. */
export function addLayer(close: () => void): () => void {
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
