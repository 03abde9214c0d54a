/** Programs on the server, with one WebSocket each. */
import { withBase } from '#ui/lib/page/location.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import { API } from '#wire/api/routes.ts'
import { SHELL_PROTOCOL, type ShellReply, type ShellRequest } from '#wire/api/shell.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { request } from './request.ts'

export interface CommandSocket {
  /** Sends nothing if the socket is not open. */
  send(request: ShellRequest): void
  close(): void
}

interface CommandSocketListener {
  onOpen(): void
  onReply(reply: ShellReply): void
  /** Called if the server refused or closed the socket, or the connection was lost; but not by `close`. */
  onClose(): void
}

/** Opens a WebSocket for a folder; the cookie authenticates it. */
export function openCommandSocket(
  folder: TreePath,
  listener: CommandSocketListener,
): CommandSocket {
  const url = new URL(commandUrl(folder, withBase), location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url, SHELL_PROTOCOL)
  socket.onopen = listener.onOpen
  socket.onmessage = ({ data }) => {
    // The server sends the types of `#wire/shell.ts`; both sides compile against them.
    listener.onReply(JSON.parse(String(data)) as ShellReply)
  }
  socket.onclose = listener.onClose
  return {
    send(request) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request))
    },
    close() {
      socket.onmessage = null
      socket.onclose = null
      socket.close()
    },
  }
}

/**
 * Finds out why a WebSocket was refused, which browsers do not report. The user may have to sign in again.
 *
 * @returns undefined if the server would accept a WebSocket
 */
export async function findRefusal(folder: TreePath): Promise<Fault | undefined> {
  try {
    await request(commandUrl(folder))
  } catch (error) {
    // The only error is that this request is no WebSocket.
    if (isFault(error, 'badRequest')) return undefined
    return toFault(error)
  }
  return undefined
}

function commandUrl(folder: TreePath, complete = (url: string) => url): string {
  return complete(API.command + toUrlPath(folder, true))
}
