/** Programs on the server, over a socket each. */
import { withBase } from '#ui/lib/location.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { API } from '#wire/routes.ts'
import { SHELL_PROTOCOL, type ShellReply, type ShellRequest } from '#wire/shell.ts'
import { request } from './request.ts'

export interface CommandSocket {
  /** Says nothing on a socket that is not open. */
  send(request: ShellRequest): void
  close(): void
}

interface Ears {
  onOpen(): void
  onReply(reply: ShellReply): void
  /** By the server, or because there is no connection; not by `close`. */
  closed(): void
}

/** Opens a socket for a folder; the cookie says who is asking. */
export function openCommandSocket(folder: TreePath, listener: Ears): CommandSocket {
  const url = new URL(commandUrl(folder, withBase), location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url, SHELL_PROTOCOL)
  socket.onopen = listener.onOpen
  socket.onmessage = ({ data }) => {
    // The server says what `#wire/shell.ts` promises; both sides compile against it.
    listener.onReply(JSON.parse(String(data)) as ShellReply)
  }
  socket.onclose = listener.closed
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
 * Why a socket was not opened, which browsers do not tell; the person may have to sign in again.
 *
 * @returns undefined when the server would open one
 */
export async function refusalOf(folder: TreePath): Promise<Fault | undefined> {
  try {
    await request(commandUrl(folder))
  } catch (error) {
    // All is well but that this was no socket.
    if (isFault(error, 'badRequest')) return undefined
    return error instanceof Fault ? error : new Fault('internal', '', { cause: error })
  }
  return undefined
}

function commandUrl(folder: TreePath, within = (url: string) => url): string {
  return within(API.command + toUrlPath(folder, true))
}
