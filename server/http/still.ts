/**
 * Requests that take long, and may end before they are done: the session ended, the right or the person is
 * gone, a public link was removed or its time is over. While bytes are on their way this is asked each second.
 */
import type { Fault } from '#wire/fault.ts'
import type { AnyCall } from './context.ts'

/**
 * Asks what the request may, each second until the returned thing is disposed of.
 *
 * @param end called once, when the request may not go on
 */
export function whileAllowed(
  { var: { still, permitted } }: AnyCall,
  end: (fault: Fault) => void,
): Disposable {
  if (!still) return { [Symbol.dispose]: () => undefined }
  return permitted.add({ still, end })
}

/**
 * Work on the body of a request, as long as the request may go on. Whoever may not hears of that, and not of
 * what the work made of it.
 *
 * @param work ends soon after its signal is aborted
 * @throws Fault unauthenticated, forbidden; what the work throws
 */
export async function receiving<T>(
  call: AnyCall,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  using _ = whileAllowed(call, (fault) => stop.abort(fault))
  try {
    return await work(stop.signal)
  } catch (error) {
    call.var.still?.()
    throw error
  }
}
