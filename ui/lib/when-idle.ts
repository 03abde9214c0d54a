/**
 * Does `work` when the browser has nothing else to do, so that the first rows do not wait for it.
 *
 * @returns how to call it off
 */
export function whenIdle(work: () => void): () => void {
  // Safari has no such callback.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, IDLE_MS)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(work, { timeout: 10 * IDLE_MS })
  return () => cancelIdleCallback(request)
}

const IDLE_MS = 500
