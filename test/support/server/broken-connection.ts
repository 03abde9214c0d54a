/** Connections that begin a request and do not complete it. */
import { connect, type Socket } from 'node:net'

export interface BrokenConnection {
  socket: Socket
  /** The data received so far. */
  received(): string
  /**
   * Waits until the received data matches.
   *
   * @throws Error with the received data if the connection ends first
   */
  receives(pattern: RegExp): Promise<void>
  /** Closes the connection abruptly. */
  cut(): void
}

/**
 * Connects and sends the beginning of a request: its headers, and the given part of its body.
 *
 * @param requestLine method and path, such as `GET /health`
 */
export function beginRequest(
  url: string,
  requestLine: string,
  headers: Record<string, string>,
  body: string | Uint8Array = '',
  options: { localAddress?: string } = {},
): Promise<BrokenConnection> {
  const { hostname, port } = new URL(url)
  const lines = Object.entries({ Host: `${hostname}:${port}`, ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, ...options })
    let received = ''
    socket.on('error', reject)
    socket.on('data', (part) => {
      received += part.toString('latin1')
    })
    const receives = (pattern: RegExp) =>
      new Promise<void>((done, fail) => {
        const look = () => pattern.test(received) && done()
        socket.on('data', look)
        socket.on('close', () => fail(new Error(`The connection ended after ${received}`)))
        look()
      })
    socket.on('connect', () => {
      socket.write(`${requestLine} HTTP/1.1\r\n${head}\r\n`)
      socket.write(body, () =>
        resolve({
          socket,
          received: () => received,
          receives,
          cut: () => socket.resetAndDestroy(),
        }),
      )
    })
  })
}

/** One chunk of a chunked body. */
export function chunk(bytes: string | Uint8Array): Buffer {
  const content = Buffer.from(bytes)
  return Buffer.concat([
    Buffer.from(`${content.length.toString(16)}\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
}

/** Polls until the condition is true. The time limit of the test ends a wait without success. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(10)
}
