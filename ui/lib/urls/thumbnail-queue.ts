/** Loads thumbnails: at most six at once, and none for rows that are scrolled out of the viewport. */

import { UI_LIMITS } from '../limits.ts'
import { isBrokenPagePicture } from '../page/page-picture.ts'

/** The time at which a thumbnail failed, in milliseconds since 1970, by its URL. A changed file has another URL. */
const failures = new Map<string, number>()

/** Functions that start a load, the first to start first. */
const queue: (() => void)[] = []
/** The number of loads that are running. */
let active = 0

/**
 * Loads `src` when fewer than six loads are running, then calls `loaded`, or `failed` if there is no thumbnail.
 *
 * @returns a function that cancels the load
 */
export function queueThumbnail(
  src: string,
  loaded: (image: HTMLImageElement) => void,
  failed: () => void = () => undefined,
): () => void {
  if (hasFailed(src)) {
    queueMicrotask(failed)
    return () => undefined
  }
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
      failures.set(src, Date.now())
      failed()
    }
    image.src = src
  }
  if (active < UI_LIMITS.concurrentThumbnails) start()
  else queue.push(start)
  return () => {
    image.onload = null
    image.onerror = null
    const queueIndex = queue.indexOf(start)
    if (queueIndex >= 0) queue.splice(queueIndex, 1)
    else if (!settled) {
      image.src = ''
      // The next load starts after the browser has ended the request.
      setTimeout(settle)
    }
  }
}

/** Allows failed thumbnails to be requested again at once: they may have failed because the connection was lost. */
export function forgetFailures(): void {
  failures.clear()
}

function hasFailed(src: string): boolean {
  if (isBrokenPagePicture(src)) failures.set(src, Date.now())
  const since = failures.get(src)
  if (since !== undefined && Date.now() - since > UI_LIMITS.thumbnailRetryMs) failures.delete(src)
  return failures.has(src)
}
