/** Listens while the served folder is not there, and responds to every request with the reason. */

import { clearSocket, setSocketMode, socketFault, withUmaskOf } from '#server/listen/unix-socket.ts'
import { API } from '#wire/api/routes.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import type { Config } from './config/config.ts'
import { baseUrl } from './config/load.ts'
import { listenAddressOf, listenFault } from './server.ts'

/** Seconds after which a client may try again. */
const RETRY_AFTER_SEC = 5

export interface AbsentListening {
  /** As in `Listening`. */
  url: string
  stop(): Promise<void>
}

/** @throws as `serve` */
export async function serveReason(config: Config, reason: string): Promise<AbsentListening> {
  const socket = config.text('socket')
  if (socket) await clearSocket(socket)
  const base = baseUrl(config)
  const fetch = (request: Request) => respond(new URL(request.url).pathname, base, reason)
  try {
    const listener = socket
      ? withUmaskOf(config.number('socketPerm'), () => Bun.serve({ fetch, unix: socket }))
      : Bun.serve({ fetch, ...listenAddressOf(config) })
    if (socket) setSocketMode(socket, config.number('socketPerm'))
    const url = socket ? `unix:${socket}` : `${listener.url.origin}${base}`
    return { url, stop: () => listener.stop(true) }
  } catch (error) {
    throw socket
      ? socketFault(socket, error)
      : listenFault(error, config.text('address'), config.number('port'))
  }
}

/** The process is running, which is all that `API.health` says. */
function respond(path: string, base: string, reason: string): Response {
  if (path === `${base}${API.health}`) return Response.json({ status: 'OK' })
  return new Response(`${reason}\n`, {
    status: 503,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(RETRY_AFTER_SEC),
      [FAULT_HEADER]: 'unavailable',
    },
  })
}
