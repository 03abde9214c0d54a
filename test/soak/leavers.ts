/** Somebody who begins everything and stays for the end of nothing. */
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { API } from '#wire/routes.ts'
import { TOKEN_HEADER } from '#wire/session.ts'
import type { Client } from '../support/client.ts'

const LENGTH = 300_000
const BYTES = 'application/offset+octet-stream'

interface Request {
  line: string
  headers?: Record<string, string>
  body?: Uint8Array
}

/**
 * Begins one request after the other, and resets each connection after a part of its body was sent or a
 * part of its answer has come.
 *
 * @returns how many were begun
 */
export async function leave(
  url: string,
  who: Client,
  home: string,
  until: number,
): Promise<number> {
  const content = randomBytes(LENGTH)
  const sum = `sha256 ${createHash('sha256').update(content).digest('base64')}`
  const upload = { 'Tus-Resumable': '1.0.0', 'Content-Type': BYTES, 'Upload-Offset': '0' }
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
    {
      line: `PATCH ${API.tus}/${home}/unfinished`,
      headers: { ...upload, 'Upload-Checksum': sum },
      body: content,
    },
    { line: 'POST /api/login', body: new TextEncoder().encode('{"username":"admin","pass') },
  ]
  let count = 0
  for (let round = 0; Date.now() < until; round += 1) {
    if (round % requests.length === 0) {
      const length = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(LENGTH) }
      const begun = await who.call(
        'POST',
        `${API.tus}/${home}/unfinished?override=true`,
        '',
        length,
      )
      await begun.arrayBuffer()
    }
    const request = requests[round % requests.length]
    if (request) await breakOff(url, who.token, request, (round * 7919) % LENGTH)
    count += 1
  }
  return count
}

/** Sends so much of a body, or waits for the beginning of the answer, and resets the connection. */
function breakOff(url: string, token: string, request: Request, bytes: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const { line, headers = {}, body } = request
  const length = body ? { 'Content-Length': String(body.length + 1) } : {}
  const all = { Host: hostname, [TOKEN_HEADER]: token, ...length, ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.on('data', () => socket.resetAndDestroy())
    socket.write(`${line} HTTP/1.1\r\n${head.join('')}\r\n`)
    if (body) socket.write(body.subarray(0, bytes), () => socket.resetAndDestroy())
  })
}
