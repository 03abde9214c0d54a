/** Connects Bun's WebSockets to the handlers. Only this module holds sockets. */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Connection, Protocol } from '#server/shell/connection.ts'

/** The handlers that a route provides for an upgraded connection. */
export interface SocketHandler {
  open(connection: Connection): Protocol
  /** Called when the socket is closed by either side. */
  closed(): void
  /** Set when the socket is open. */
  connection?: SocketConnection
  protocol?: Protocol
}

export type Socket = Bun.ServerWebSocket<SocketHandler>

const NORMAL = 1000
/** Close code of the registry of RFC 6455: the client has too many open sockets. */
const TRY_AGAIN_LATER = 1013

/** Limits of every socket. A longer message closes it with code 1009. */
export const websocket: Bun.WebSocketHandler<SocketHandler> = {
  maxPayloadLength: SERVER_LIMITS.socketMessageMaxBytes,
  backpressureLimit: SERVER_LIMITS.socketBacklogMaxBytes,
  open(socket) {
    const { data } = socket
    data.connection = new SocketConnection(socket)
    data.protocol = data.open(data.connection)
  },
  message({ data }, message) {
    data.protocol?.receive(
      typeof message === 'string' ? message : new TextDecoder().decode(message),
    )
  },
  drain({ data }) {
    data.connection?.drained()
  },
  close({ data }) {
    data.protocol?.closed()
    // Senders that wait for the client are resumed.
    data.connection?.drained()
    data.closed()
  },
}

class SocketConnection implements Connection {
  readonly #socket: Socket
  /** Resolve functions of senders that wait until the client has caught up. */
  #waiting: (() => void)[] = []

  constructor(socket: Socket) {
    this.#socket = socket
  }

  async send(text: string): Promise<void> {
    const sendStatus = this.#socket.send(text)
    // 0: the message was dropped because the client reads too slowly. `closeOnBackpressureLimit` would end the socket
    // only after all incoming data is read, which a client can delay for ever.
    if (sendStatus === 0 && text !== '') this.#socket.terminate()
    // -1: sent, but the client is behind.
    if (sendStatus === -1) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
  }

  backlog(): number {
    return this.#socket.getBufferedAmount()
  }

  close(reason?: string): void {
    this.#socket.close(reason === undefined ? NORMAL : TRY_AGAIN_LATER, reason)
  }

  drained(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
