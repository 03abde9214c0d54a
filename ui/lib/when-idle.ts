import { UI_LIMITS } from './limits.ts'

/**
 * Runs `work` when the browser is idle, so that the listing does not wait for it.
 *
 * @returns a function that cancels `work` if it has not run yet
 */
export function whenIdle(work: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, UI_LIMITS.idleWaitMs)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(work, { timeout: 10 * UI_LIMITS.idleWaitMs })
  return () => cancelIdleCallback(request)
}
