/** Requests that are sent, or whose responses are read, only in part. */
import { connect } from 'node:net'
import type { Fixture } from './fixture.ts'
import type { RequestHeaders } from './raw-request.ts'

/** More bytes than socket buffers hold. */
export const MANY_BYTES = 64 * 2 ** 20

/** A response whose head has arrived. */
export interface OpenResponse {
  status: number
  /** Breaks the connection. */
  disconnect(): void
  /**
   * Reads the rest of the response.
   *
   * @returns whether the connection ended before the end of the response
   */
  isTruncated(): Promise<boolean>
  /**
   * Reads MANY_BYTES more.
   *
   * @returns false if the connection ends before
   */
  continues(): Promise<boolean>
}

/**
 * Sends a request and waits for the head of the response; the rest is not read yet.
 *
 * @param line the method and the target
 * @throws Error if the connection fails or ends before the head has arrived
 */
export function openResponse(
  fixture: Fixture,
  line: string,
  headers: RequestHeaders = {},
  body = '',
): Promise<OpenResponse> {
  const { hostname, port } = new URL(fixture.url)
  const lines = Object.entries({ Host: hostname, Connection: 'close', ...headers })
  const sentHead = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let [head, last, bodyBytes] = ['', '', 0]
    let hasHead = false
    // After the head has arrived, this has no effect: a connection that is reset has ended too.
    socket.on('error', reject)
    const closed = new Promise<void>((done) => socket.on('close', () => done()))
    closed.then(() => reject(new Error(`${line}: the connection ended before a response`)))
    socket.on('data', (part: Buffer) => {
      last = (last + part.subarray(-5).toString('latin1')).slice(-5)
      bodyBytes += part.length
      if (hasHead) return
      head += part.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      hasHead = true
      bodyBytes = head.length - end - 4
      head = head.slice(0, end)
      socket.pause()
      resolve({
        status: Number(head.split(' ')[1]),
        disconnect: () => socket.destroy(),
        async isTruncated() {
          socket.resume()
          await closed
          const lengthBytes = /^content-length: *(\d+)$/im.exec(head)?.[1]
          return lengthBytes === undefined ? last !== '0\r\n\r\n' : bodyBytes < Number(lengthBytes)
        },
        continues() {
          const wantedBytes = bodyBytes + MANY_BYTES
          return new Promise((done) => {
            socket.on('data', () => bodyBytes >= wantedBytes && done(true))
            closed.then(() => done(false))
            socket.resume()
          })
        },
      })
    })
    socket.write(`${line} HTTP/1.1\r\n${sentHead}\r\n${body}`)
  })
}

/**
 * Sends the beginning of a request as alice, and reads no response.
 *
 * @returns a function that breaks the connection
 */
export function beginRequest(
  fixture: Fixture,
  method: string,
  target: string,
  headers: RequestHeaders,
  body: string,
): Promise<() => void> {
  const { hostname, port } = new URL(fixture.url)
  const all = { Host: hostname, 'X-Auth': fixture.tokens.alice ?? '', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', reject)
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, () =>
      resolve(() => socket.resetAndDestroy()),
    )
  })
}
