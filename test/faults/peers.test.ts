/** Clients that stall, disconnect or send invalid requests, and concurrent writes to one file. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { until } from '../support/server/broken-connection.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { digest } from './expected-state.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const stagedCount = () => {
  const work = join(app.root, '.filemgr/work')
  return readdirSync(work).flatMap((name) => readdirSync(join(work, name))).length
}

/** Connects and sends bytes. */
function openAndSend(text: string | Uint8Array): Promise<Socket> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', reject)
    socket.on('connect', () => socket.write(text, () => resolve(socket)))
  })
}
/** What the server sends until it closes the connection. */
function responseTo(bytes: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      received += part.toString('latin1')
    })
    socket.on('close', () => resolve(received))
    socket.write(bytes)
  })
}
const put = (token: string, name: string, length: number) =>
  `PUT ${API.resources}/${name} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nContent-Length: ${length}\r\n\r\n`

test('two hundred connections with incomplete requests do not block other clients', async () => {
  const incomplete = await Promise.all(
    Array.from({ length: 200 }, () => openAndSend('GET / HTTP/1.1\r\nHost:')),
  )
  expect(await outcome(app.anna.call('GET', `${API.resources}/`))).toBe('200')
  for (const socket of incomplete) socket.destroy()
})

test('fifty clients that disconnect during a save leave the file complete, and no staged files', async () => {
  writeFileSync(disk('saved'), 'whole')
  const begun = await Promise.all(
    Array.from({ length: 50 }, () =>
      openAndSend(`${put(app.anna.token, 'saved', 1_000_000)}${'x'.repeat(1000)}`),
    ),
  )
  await until(() => stagedCount() === begun.length)
  for (const socket of begun) socket.destroy()
  await until(() => stagedCount() === 0)
  expect(readFileSync(disk('saved'), 'utf8')).toBe('whole')
  expect(await outcome(app.anna.call('PUT', `${API.resources}/saved`, 'new'))).toBe('200')
})

test('invalid requests are refused, and do not affect other clients', async () => {
  const invalid = [
    randomBytes(4096),
    Buffer.from('GET  HTTP/9.9\r\n\r\n'),
    Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
    Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n`),
    Buffer.from(
      `POST ${API.login} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n`,
    ),
    Buffer.from(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
    Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(20_000)}\r\n`),
  ]
  for (const bytes of invalid) {
    const response = responseTo(bytes)
    expect(await outcome(app.anna.call('GET', `${API.resources}/`))).toBe('200')
    // A reset connection can lose the refusal.
    expect(await response).toMatch(/^(HTTP\/1\.1 (4\d\d|505) |$)/)
  }
})

test('during and after two concurrent writes of one file, its content is always that of one write', async () => {
  const [one, two] = [randomBytes(200_000), randomBytes(150_000)].map(
    (bytes) => new Uint8Array(bytes),
  )
  const digests = [one, two].map((bytes) => digest(bytes ?? ''))
  await app.anna.call('POST', `${API.resources}/both`, one)
  for (let round = 0; round < 25; round += 1) {
    const writes = [
      app.anna.call('PUT', `${API.resources}/both`, one),
      app.admin.call('POST', `${API.resources}/anna/both?override=true`, two),
    ]
    const reads = Array.from({ length: 4 }, async () =>
      digest(new Uint8Array(await (await app.anna.call('GET', `${API.raw}/both`)).arrayBuffer())),
    )
    for (const seen of await Promise.all(reads)) expect(digests).toContain(seen)
    for (const answer of await Promise.all(writes)) expect(answer.status).toBe(200)
    expect(digests).toContain(digest(readFileSync(disk('both'))))
  }
}, 60_000)

test('of two saves of the same version, the second is refused', async () => {
  await app.anna.call('POST', `${API.resources}/read`, 'old')
  const etag = (await app.anna.call('GET', `${API.resources}/read`)).headers.get('etag') ?? ''
  const save = (content: string) =>
    outcome(app.anna.call('PUT', `${API.resources}/read`, content, { 'If-Match': etag }))
  const answer = await Promise.all([save('one'), save('two')])
  expect(answer.sort()).toEqual(['200', '412 precondition'])
  expect(['one', 'two']).toContain(readFileSync(disk('read'), 'utf8'))
})
