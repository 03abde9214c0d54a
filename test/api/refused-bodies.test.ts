/**
 * A refusal reaches those who send their whole body before they listen, as most programs do: a
 * connection that is closed on what they still send takes the answer along.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { chunk } from '../support/server/broken-connection.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MIB = 2 ** 20
const TIMES = 6

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--upload-limit', String(25 * MIB)] })
  writeFileSync(join(app.root, 'anna', 'taken.txt'), 'x')
  const begin = (name: string, length: number) =>
    app.anna.call('POST', `${API.tus}/${name}`, undefined, { 'Upload-Length': String(length) })
  expect((await begin('begun.bin', 20 * MIB)).status).toBe(201)
  expect((await begin('short.bin', 1000)).status).toBe(201)
})
afterAll(() => app.stop())

/** Sends everything, and listens only then. @returns the status, or why there is none */
function deaf(
  line: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<{ answer: string; reused: boolean }> {
  const { hostname, port } = new URL(app.url)
  const all = { Host: hostname, 'X-Auth': app.anna.token, ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((done) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    let failed = ''
    socket.on('error', (error) => {
      failed = String(error)
    })
    socket.on('close', () => done({ answer: failed || received.slice(9, 12), reused: false }))
    const listen = () => {
      socket.on('data', (part) => {
        received += part.toString('latin1')
        if (!received.includes('\r\n\r\n')) return
        // A client that may continue the connection sends a second request.
        if (/connection: close/i.test(received)) return
        const answers = received.match(/^HTTP\/1\.1 \d+/gm) ?? []
        if (answers.length === 1 && !asked) {
          asked = true
          socket.write(`GET ${API.health} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
        }
        if (answers.length < 2) return
        done({ answer: received.slice(9, 12), reused: answers[1] === 'HTTP/1.1 200' })
        socket.destroy()
      })
      socket.resume()
    }
    let asked = false
    socket.pause()
    socket.write(`${line} HTTP/1.1\r\n${head.join('')}\r\n`)
    socket.write(body, listen)
  })
}

const BYTES = { 'Content-Type': 'application/offset+octet-stream' }

test.each([
  ['PATCH', '/api/tus/begun.bin', { ...BYTES, 'Upload-Offset': '5' }, 20, '409'],
  ['PATCH', '/api/tus/none.bin', { ...BYTES, 'Upload-Offset': '0' }, 20, '404'],
  ['PATCH', '/api/tus/begun.bin', { 'Upload-Offset': '0' }, 20, '415'],
  ['PATCH', '/api/tus/short.bin', { ...BYTES, 'Upload-Offset': '0' }, 20, '413'],
  ['PATCH', '/api/tus/begun.bin', { ...BYTES, 'Upload-Offset': '0', 'X-Auth': 'a.b.c' }, 20, '401'],
  ['POST', '/api/resources/taken.txt', {}, 20, '409'],
  ['POST', '/api/resources/large.bin', {}, 30, '413'],
  ['PUT', '/api/resources/none.txt', {}, 20, '404'],
  ['PUT', '/api/resources/taken.txt', { 'If-Match': '"x"' }, 20, '412'],
  ['POST', '/api/login', {}, 4, '413'],
  ['PUT', '/api/users/1', {}, 4, '413'],
] as const)('%s %s with %p, %i MiB: %s', async (method, path, headers, mib, status) => {
  const body = Buffer.alloc(mib * MIB, 'a')
  const length = { 'Content-Length': String(body.length) }
  for (let time = 0; time < TIMES; time += 1) {
    const answer = await deaf(`${method} ${path}`, { ...headers, ...length }, body)
    expect(answer).toEqual({ answer: status, reused: true })
  }
})

test('a chunked body of unknown length gets its refusal', async () => {
  const piece = chunk(Buffer.alloc(MIB, 'a'))
  const body = Buffer.concat([...Array<Buffer>(4).fill(piece), Buffer.from('0\r\n\r\n')])
  const pieces = { 'Transfer-Encoding': 'chunked' }
  for (let time = 0; time < TIMES; time += 1) {
    for (const line of ['POST /api/login', 'PUT /api/users/1']) {
      expect((await deaf(line, pieces, body)).answer).toBe('413')
    }
  }
})
