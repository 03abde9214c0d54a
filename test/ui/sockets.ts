/** Sockets for unit tests: who opens one talks to the test. */
import type { ShellReply, ShellRequest } from '#wire/shell.ts'

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

  /** The server lets it in. */
  open(): void {
    this.readyState = FakeSocket.OPEN
    this.onopen?.()
  }

  say(reply: ShellReply): void {
    this.onmessage?.({ data: JSON.stringify(reply) })
  }

  /** The server, or the network, ends it. */
  drop(): void {
    this.readyState = 3
    this.onclose?.()
  }
}

/** Those that were opened since `catchSockets`, in their order. */
export const sockets: FakeSocket[] = []

export function catchSockets(): void {
  sockets.length = 0
  Object.defineProperty(globalThis, 'WebSocket', { value: FakeSocket, configurable: true })
}

/** The one that was opened last. @throws Error when none was */
export function lastSocket(): FakeSocket {
  const socket = sockets.at(-1)
  if (!socket) throw new Error('No socket was opened.')
  return socket
}
