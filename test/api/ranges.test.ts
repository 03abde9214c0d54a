/** Several ranges of a file in one response (`multipart/byteranges`, RFC 9110 section 14.6). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { beginRequest, until } from '../support/server/broken-connection.ts'
import { countOpen } from '../support/server/open-files.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MIB = 2 ** 20
const LARGE = randomBytes(6 * MIB)

let app: TestApp
let hash: string
beforeAll(async () => {
  app = await openTestApp({ args: ['--stall-timeout', '5s'] })
  mkdirSync(disk('docs'))
  writeFileSync(disk('docs/ten.txt'), '0123456789')
  writeFileSync(disk('docs/empty.txt'), '')
  writeFileSync(disk('docs/large.bin'), LARGE)
  hash = (await (await app.anna.call('POST', `${API.share}/docs/`, {})).json()).hash
})
afterAll(() => app.stop())

const disk = (name: string) => join(app.root, 'anna', name)
const TEN = `${API.raw}/docs/ten.txt`

const ask = (address: string, range: string, method = 'GET', more: Record<string, string> = {}) =>
  (address.includes('/public/') ? app.anonymous : app.anna).call(method, address, undefined, {
    Range: range,
    ...more,
  })

interface Part {
  headers: string[]
  bytes: Buffer
}

/** The parts of a body, as the boundary in its media type separates them. */
function partsOf(type: string, body: Buffer): Part[] {
  const boundary = /^multipart\/byteranges; boundary=([0-9a-zA-Z]{1,70})$/.exec(type)?.[1]
  const pieces = body.toString('latin1').split(`--${boundary}`)
  expect([pieces.at(0), pieces.at(-1)]).toEqual(['', '--\r\n'])
  return pieces.slice(1, -1).map((piece) => {
    const [head = '', ...rest] = piece.replace(/^\r\n/, '').split('\r\n\r\n')
    const content = rest.join('\r\n\r\n').replace(/\r\n$/, '')
    return { headers: head.split('\r\n'), bytes: Buffer.from(content, 'latin1') }
  })
}

async function parts(address: string, range: string): Promise<Part[]> {
  const answer = await ask(address, range)
  expect([answer.status, answer.headers.get('content-range')]).toEqual([206, null])
  return partsOf(answer.headers.get('content-type') ?? '', Buffer.from(await answer.bytes()))
}

test('each range is a part with its place in the file, in the order of the request', async () => {
  const type = 'Content-Type: application/octet-stream'
  for (const address of [TEN, `${API.publicDownload}/${hash}/ten.txt`]) {
    const got = await parts(address, 'bytes=5-6,0-1,-1')
    expect(got.map(({ headers, bytes }) => [...headers, bytes.toString()])).toEqual([
      ['Content-Range: bytes 5-6/10', type, '56'],
      ['Content-Range: bytes 0-1/10', type, '01'],
      ['Content-Range: bytes 9-9/10', type, '9'],
    ])
  }
  const [shown] = await parts(`${TEN}?inline=true`, 'bytes=0-0,2-2')
  expect(shown?.headers[1]).toBe('Content-Type: text/plain; charset=utf-8')
})

test('the response keeps the headers of the file, and has its length', async () => {
  const answer = await ask(TEN, 'bytes=0-1,5-6')
  const whole = await app.anna.call('GET', TEN)
  const body = await answer.bytes()
  expect(answer.headers.get('content-length')).toBe(String(body.length))
  for (const name of ['etag', 'last-modified', 'content-disposition', 'content-security-policy']) {
    expect(answer.headers.get(name)).toBe(whole.headers.get(name))
  }
  const head = await ask(TEN, 'bytes=0-1,5-6', 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([206, String(body.length)])
  expect(head.headers.get('content-type')).toStartWith('multipart/byteranges; boundary=')
})

test.each([
  ['one range is left', 'bytes=0-1,50-', '206 bytes 0-1/10 01'],
  ['no range is left', 'bytes=10-,50-', '416 bytes */10'],
  ['the ranges have more bytes than the file', 'bytes=0-,0-', '200  0123456789'],
  ['a range is malformed', 'bytes=0-1,6-5', '200  0123456789'],
])('if %s, no parts are sent', async (_, range, expected) => {
  const { status, headers, body } = await ask(TEN, range)
  const text = await new Response(body).text()
  const answer = `${status} ${headers.get('content-range') ?? ''}`
  expect(status === 416 ? answer : `${answer} ${text}`).toBe(expected)
})

test('a range of an empty file gets the empty file, as some clients send one with every request', async () => {
  const answer = await ask(`${API.raw}/docs/empty.txt`, 'bytes=0-')
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test('too many ranges get the whole file @limit-90', async () => {
  const many = (count: number) => `bytes=${Array.from({ length: count }, (_, at) => `${at}-${at}`)}`
  const address = `${API.raw}/docs/large.bin`
  expect(await parts(address, many(SERVER_LIMITS.rangesMax))).toHaveLength(SERVER_LIMITS.rangesMax)
  const whole = await ask(address, many(SERVER_LIMITS.rangesMax + 1))
  expect([whole.status, Buffer.compare(await whole.bytes(), LARGE)]).toEqual([200, 0])
})

test('ranges belong to the version that the client has', async () => {
  const tag = (await ask(TEN, 'bytes=0-0')).headers.get('etag') ?? ''
  const status = async (more: Record<string, string>) =>
    (await ask(TEN, 'bytes=0-1,5-6', 'GET', more)).status
  expect(await status({ 'If-Range': tag })).toBe(206)
  expect(await status({ 'If-Range': '"another"' })).toBe(200)
  expect(await status({ 'If-Match': '"another"' })).toBe(412)
  expect(await status({ 'If-None-Match': tag })).toBe(304)
})

test('an archive sends one range at most', async () => {
  const zip = await ask(`${API.raw}/docs/?algo=zip`, 'bytes=0-1,5-6')
  await zip.body?.cancel()
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
})

test('the download of a later part is recorded once, as part of the reading that began it', async () => {
  writeFileSync(disk('docs/film.mp4'), '0123456789')
  const film = `${API.raw}/docs/film.mp4`
  for (const range of ['bytes=0-1,4-5', 'bytes=5-6,8-9', 'bytes=6-6,9-9']) await parts(film, range)
  const records = async () => {
    const items: AuditEntry[] = await (await app.anna.call('GET', API.audit)).json()
    return items.filter(({ path }) => path.endsWith('/film.mp4'))
  }
  await until(async () => (await records()).length > 0)
  await parts(film, 'bytes=7-7,9-9')
  expect(await records()).toHaveLength(1)
})

describe('long ranges', () => {
  const LONG = `${API.raw}/docs/large.bin`

  test('long ranges have the bytes of the file', async () => {
    const [a, b] = await parts(LONG, `bytes=10-2999999,${5 * MIB}-`)
    expect(a?.bytes.equals(LARGE.subarray(10, 3_000_000))).toBe(true)
    expect(b?.bytes.equals(LARGE.subarray(5 * MIB))).toBe(true)
  })

  /** Begins the download of a sparse file in two ranges, and reads only the beginning. */
  async function begin(name: string) {
    writeFileSync(disk(`docs/${name}`), '')
    truncateSync(disk(`docs/${name}`), 2 ** 40)
    const connection = await beginRequest(app.url, `GET ${API.raw}/docs/${name}`, {
      'X-Auth': app.anna.token,
      Range: `bytes=0-${2 ** 39},${2 ** 39 + 10}-`,
    })
    await connection.receives(/Content-Range: bytes 0-/)
    connection.socket.pause()
    return connection
  }

  const memoryMib = () => {
    const status = readFileSync(`/proc/${app.server.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }

  test('a client that does not read slows the disk down, and costs no memory', async () => {
    const before = memoryMib()
    const begun = [await begin('slow-1.bin'), await begin('slow-2.bin'), await begin('slow-3.bin')]
    // Without back-pressure, the server would read the files in the meantime.
    for (let count = 0; count < 200; count += 1) await app.anonymous.call('GET', '/health')
    expect(memoryMib() - before).toBeLessThan(64)
    for (const { cut } of begun) cut()
    for (const at of [1, 2, 3]) await until(() => countOpen(app.server.pid, `slow-${at}.bin`) === 0)
  })

  test('a file that becomes shorter aborts the connection', async () => {
    const { socket, received } = await begin('shorter.bin')
    truncateSync(disk('docs/shorter.bin'), 2 ** 20)
    const closed = new Promise((done) => socket.on('close', done))
    socket.resume()
    await closed
    expect(received()).not.toEndWith('0\r\n\r\n')
    await app.server.says(/shorter\.bin: 206 .*became shorter/)
    await until(() => countOpen(app.server.pid, 'shorter.bin') === 0)
  })
})
