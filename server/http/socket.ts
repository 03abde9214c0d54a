/** Hono ↔ Bun websocket: the one place that holds a socket. */
import type { Connection, Protocol } from '#server/shell/connection.ts'
import { LIMITS } from '#wire/limits.ts'

/** What a route hands over when it upgrades a connection. */
export interface SocketHandler {
  open(line: Connection): Protocol
  /** Everything is over, whoever ended it. */
  closed(): void
  /** Set when the socket is open. */
  line?: SocketConnection
  protocol?: Protocol
}

export type Socket = Bun.ServerWebSocket<SocketHandler>

const NORMAL = 1000
/** Try again later (the registry of RFC 6455): the other side asks for more than one socket may. */
const TOO_MUCH = 1013

/** How every socket of the server behaves. A longer message ends it with code 1009. */
export const websocket: Bun.WebSocketHandler<SocketHandler> = {
  maxPayloadLength: LIMITS.socketMessageMaxBytes,
  backpressureLimit: LIMITS.socketBacklogMaxBytes,
  open(socket) {
    const { data } = socket
    data.line = new SocketConnection(socket)
    data.protocol = data.open(data.line)
  },
  message({ data }, message) {
    data.protocol?.receive(
      typeof message === 'string' ? message : new TextDecoder().decode(message),
    )
  },
  drain({ data }) {
    data.line?.drained()
  },
  close({ data }) {
    data.protocol?.leave()
    // Whoever waits for the reader need not wait any more.
    data.line?.drained()
    data.closed()
  },
}

class SocketConnection implements Connection {
  readonly #socket: Socket
  #waiting: (() => void)[] = []

  constructor(socket: Socket) {
    this.#socket = socket
  }

  async send(text: string): Promise<void> {
    const sent = this.#socket.send(text)
    // 0: it was dropped, for the reader is too far behind. `closeOnBackpressureLimit` ends such a socket only when all
    // that the client has sent is read, and a client that sends without end keeps it busy.
    if (sent === 0 && text !== '') this.#socket.terminate()
    // -1: it is on its way, but the reader is behind.
    if (sent === -1) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
  }

  backlog(): number {
    return this.#socket.getBufferedAmount()
  }

  close(reason?: string): void {
    this.#socket.close(reason === undefined ? NORMAL : TOO_MUCH, reason)
  }

  drained(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }
}
