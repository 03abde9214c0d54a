/**
 * Runs `work` when the browser is idle, so that the first rows do not wait for it.
 *
 * @returns a function that cancels `work` if it has not run yet
 */
export function whenIdle(work: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, IDLE_MS)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(work, { timeout: 10 * IDLE_MS })
  return () => cancelIdleCallback(request)
}

const IDLE_MS = 500
