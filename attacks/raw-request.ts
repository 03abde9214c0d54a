/** Sends requests with an unchanged target, which `fetch` would normalise. */
import { connect } from 'node:net'

export interface RawResponse {
  status: number
  headers: Headers
  text: string
}

export type RequestHeaders = Record<string, string>

export function rawRequest(
  url: string,
  method: string,
  target: string,
  headers: RequestHeaders = {},
  body = '',
): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const parts: Buffer[] = []
    socket.on('data', (part) => {
      parts.push(Buffer.from(part))
      // An upgraded connection stays open, so only its first data is read.
      if (headers.Upgrade) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(readResponse(Buffer.concat(parts).toString('latin1'))))
    const lines = Object.entries({
      Host: `${hostname}:${port}`,
      Connection: 'close',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`)
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  })
}

function readResponse(output: string): RawResponse {
  const [head = '', ...rest] = output.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return { status: Number(first.split(' ')[1]), headers, text: rest.join('\r\n\r\n') }
}
