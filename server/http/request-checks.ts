/** What must hold of a request before anything else looks at it. */
import { Fault } from '#wire/fault.ts'
import type { Connection } from './context.ts'
import { isHost } from './hosts.ts'
import { urlOf } from './request-url.ts'

/**
 * Why a request cannot be served at all: its address makes no sense, its host is not served here, or
 * its sender has hung up already. A connection that was reset has no address any more; whoever
 * cannot be named in the record changes nothing and guesses nothing.
 *
 * @returns Fault badRequest, forbidden or aborted; undefined for a request that can be served
 */
export function rejectEarly(
  request: Request,
  { peer }: Connection,
  isServed: (host: string) => boolean,
): Fault | undefined {
  const host = request.headers.get('host')
  if (!isHost(host) || !urlOf(request)) {
    return new Fault('badRequest', 'The header Host or the address of the request is not valid.')
  }
  if (!isServed(host)) return new Fault('forbidden', OTHER_HOST)
  if (peer === undefined) return new Fault('aborted', 'The connection was closed by the client.')
  return undefined
}

const OTHER_HOST =
  'This server does not answer under this host name. Name it with --allowed-hosts, or use the address of the server.'
