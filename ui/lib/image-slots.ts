/** Loading of small pictures: at most six at once, and none for rows that have scrolled away. */

const AT_ONCE = 6

const queue: (() => void)[] = []
let active = 0

/**
 * Loads `src` when a slot is free, then calls `loaded`, or `failed` when it is no picture. Returns
 * how to give up.
 */
export function takeSlot(
  src: string,
  loaded: (image: HTMLImageElement) => void,
  failed: () => void = () => undefined,
): () => void {
  const image = new Image()
  let settled = false
  function settle(): void {
    if (settled) return
    settled = true
    active -= 1
    queue.shift()?.()
  }
  function start(): void {
    active += 1
    image.onload = () => {
      settle()
      loaded(image)
    }
    image.onerror = () => {
      settle()
      failed()
    }
    image.src = src
  }
  if (active < AT_ONCE) start()
  else queue.push(start)
  return () => {
    image.onload = null
    image.onerror = null
    const waiting = queue.indexOf(start)
    if (waiting >= 0) queue.splice(waiting, 1)
    else if (!settled) {
      image.src = ''
      // The slot is free when the browser has let go of the request.
      setTimeout(settle)
    }
  }
}
