/** A WebSocket for unit tests: the test plays the server. */
import type { ShellReply, ShellRequest } from '#wire/api/shell.ts'

export class FakeSocket {
  static readonly OPEN = 1
  readonly url: string
  readonly protocol: string
  readyState = 0
  readonly sent: ShellRequest[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null

  constructor(url: string | URL, protocol: string) {
    this.url = String(url)
    this.protocol = protocol
    sockets.push(this)
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.readyState = 3
  }

  /** The server accepts the socket. */
  open(): void {
    this.readyState = FakeSocket.OPEN
    this.onopen?.()
  }

  /** The server sends a reply. */
  say(reply: ShellReply): void {
    this.onmessage?.({ data: JSON.stringify(reply) })
  }

  /** The server closes the socket, or the connection is lost. */
  drop(): void {
    this.readyState = 3
    this.onclose?.()
  }
}

/** The sockets that were opened since `catchSockets`, in their order. */
export const sockets: FakeSocket[] = []

/** From now on `new WebSocket` creates a `FakeSocket`. */
export function catchSockets(): void {
  sockets.length = 0
  Object.defineProperty(globalThis, 'WebSocket', { value: FakeSocket, configurable: true })
}

/** @returns the socket that was opened last */
export function lastSocket(): FakeSocket {
  const socket = sockets.at(-1)
  if (!socket) throw new Error('No socket was opened.')
  return socket
}
