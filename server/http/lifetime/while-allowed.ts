/**
 * Repeats the access check of long requests each second while bytes are transferred. A request is aborted if its
 * session, right, user or share no longer exists.
 */
import type { Fault } from '#wire/fault.ts'
import type { AnyCall } from '../context/context.ts'

/**
 * Checks each second whether the request may continue, until the result is disposed of.
 *
 * @param end called once, when the request may not continue
 */
export function whileAllowed(
  { var: { recheckAccess, accessMonitor } }: AnyCall,
  end: (fault: Fault) => void,
): Disposable {
  if (!recheckAccess) return { [Symbol.dispose]: () => undefined }
  return accessMonitor.add({ recheck: recheckAccess, end })
}

/**
 * Runs work on a request body while the request is allowed. If the work fails after access was lost, the fault of the
 * access is thrown instead of its error.
 *
 * @param work ends soon after its signal is aborted
 * @throws Fault unauthenticated, forbidden, notFound; what the work throws
 */
export async function receiveWhileAllowed<T>(
  call: AnyCall,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  using _ = whileAllowed(call, (fault) => stop.abort(fault))
  try {
    return await work(stop.signal)
  } catch (error) {
    await call.var.recheckAccess?.()
    throw error
  }
}
