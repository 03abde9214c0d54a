/** The checks of a request before any other code handles it. */
import { Fault } from '#wire/fault.ts'
import type { HttpConnection } from '../context/context.ts'
import { urlOf } from '../context/request-url.ts'
import { isHost } from './hosts.ts'

/**
 * Refuses a request with an invalid address, with a host that is not served, or whose client has already left. A
 * client without an address cannot be recorded or limited.
 *
 * @returns Fault badRequest, forbidden or aborted; undefined if the request can be served
 */
export function rejectEarly(
  request: Request,
  { peer }: HttpConnection,
  isServed: (host: string) => boolean,
): Fault | undefined {
  const host = request.headers.get('host')
  if (!isHost(host) || !urlOf(request)) {
    return new Fault('badRequest', 'The header Host or the URL of the request is not valid.')
  }
  if (!isServed(host)) return new Fault('forbidden', OTHER_HOST)
  if (peer === undefined) return new Fault('aborted', 'The client closed the connection.')
  return undefined
}

const OTHER_HOST =
  'This server does not answer under this host name. Name it with --allowed-hosts, or use the address of the server.'
