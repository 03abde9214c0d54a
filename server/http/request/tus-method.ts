/** The method of a tus request: clients behind firewalls that pass only GET and POST name it in a header. */
import { Fault } from '#wire/fault.ts'
import type { Call } from '../context/context.ts'

const HEADER = 'x-http-method-override'

type TusMethod = 'HEAD' | 'PATCH' | 'DELETE'
type Handle = (call: Call) => Promise<Response>

/**
 * The handler of POST, which gives a request that stands for another method to the handler of that method (tus 1.0). The
 * request stays a POST for everything else: sign-in, the log and the audit record.
 *
 * @param post for a request without the header
 * @returns a handler that throws as the handlers, and Fault badRequest for another method in the header
 */
export function withMethodOverride(post: Handle, others: Record<TusMethod, Handle>): Handle {
  return async (call) => {
    const written = call.req.header(HEADER)
    if (written === undefined) return post(call)
    const method = written.toUpperCase()
    if (isTusMethod(method)) return others[method](call)
    if (method === 'POST') return post(call)
    throw new Fault('badRequest', 'X-HTTP-Method-Override must be HEAD, PATCH or DELETE.')
  }

  function isTusMethod(method: string): method is TusMethod {
    return Object.hasOwn(others, method)
  }
}
