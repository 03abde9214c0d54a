/** A delay that can be aborted. */
import { abortedBy } from '../send/faults.ts'

/**
 * Resolves after `ms` milliseconds.
 *
 * @throws Fault aborted (by the signal, also during the delay)
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(abortedBy(signal))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
