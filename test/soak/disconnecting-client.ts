/** A client that begins requests of every kind, and resets each connection before the response is complete. */
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import type { Client } from '../support/server/client.ts'

const BODY_BYTES = 300_000
const TUS_CONTENT_TYPE = 'application/offset+octet-stream'

interface Request {
  /** The method and the URL path. */
  line: string
  headers?: Record<string, string>
  body?: Uint8Array
}

/**
 * Begins one request after the other, and resets each connection after a part of its body was sent or a part of its
 * response has arrived.
 *
 * @param url the server
 * @param home the name of the folder in which the client works; it contains `picture.jpg`
 * @param untilMs milliseconds since the epoch
 * @returns the number of requests that were begun
 */
export async function disconnectRepeatedly(
  url: string,
  client: Client,
  home: string,
  untilMs: number,
): Promise<number> {
  const content = randomBytes(BODY_BYTES)
  const checksum = `sha256 ${createHash('sha256').update(content).digest('base64')}`
  const chunkHeaders = {
    'Tus-Resumable': '1.0.0',
    'Content-Type': TUS_CONTENT_TYPE,
    'Upload-Offset': '0',
    'Upload-Checksum': checksum,
  }
  const requests: Request[] = [
    { line: `GET ${API.raw}/${home}/picture.jpg` },
    { line: `GET ${API.raw}/${home}/?algo=tarxz` },
    { line: `GET ${API.raw}/${home}/?algo=zip` },
    { line: `GET ${API.search}/?query=f` },
    { line: `GET ${API.events}/${home}/` },
    { line: `GET ${API.resources}/recursive/` },
    { line: `GET ${API.resources}/${home}/picture.jpg?checksum=sha512` },
    { line: `POST ${API.resources}/${home}/posted?override=true`, body: content },
    { line: `PUT ${API.resources}/${home}/picture.jpg`, body: content },
    { line: `PATCH ${API.tus}/${home}/unfinished`, headers: chunkHeaders, body: content },
    { line: 'POST /api/login', body: new TextEncoder().encode('{"username":"admin","pass') },
  ]
  let count = 0
  for (let round = 0; Date.now() < untilMs; round += 1) {
    if (round % requests.length === 0) {
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(BODY_BYTES) }
      const address = `${API.tus}/${home}/unfinished?override=true`
      const created = await client.call('POST', address, '', headers)
      await created.arrayBuffer()
    }
    const request = requests[round % requests.length]
    if (request) await sendAndReset(url, client.token, request, (round * 7919) % BODY_BYTES)
    count += 1
  }
  return count
}

/**
 * Sends a request, and resets the connection when the first part of the response arrives. A body is declared one byte
 * longer than it is, and the connection is reset after `bytesMax` of it, so that it is never complete.
 */
function sendAndReset(
  url: string,
  token: string,
  { line, headers = {}, body }: Request,
  bytesMax: number,
): Promise<void> {
  const { hostname, port } = new URL(url)
  const length = body ? { 'Content-Length': String(body.length + 1) } : {}
  const fields = { Host: hostname, [TOKEN_HEADER]: token, ...length, ...headers }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    // A reset by the server counts too: `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.on('data', () => socket.resetAndDestroy())
    socket.write(`${line} HTTP/1.1\r\n${head.join('')}\r\n`)
    if (body) socket.write(body.subarray(0, bytesMax), () => socket.resetAndDestroy())
  })
}
