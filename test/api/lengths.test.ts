/** The length of responses, measured in the bytes of the connection. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { until } from '../support/server/broken-connection.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const LARGE = randomBytes(3 * 2 ** 20)
const HUGE_BYTES = 2 ** 27

let app: TestApp
let hash: string
beforeAll(async () => {
  app = await openTestApp({ args: ['--stall-timeout', '5s'] })
  writeFileSync(disk('large.bin'), LARGE)
  writeFileSync(disk('small.txt'), '0123456789')
  writeFileSync(disk('empty.txt'), '')
  const picture = { create: { width: 900, height: 900, channels: 3, background: 'red' } } as const
  writeFileSync(disk('picture.png'), await sharp(picture).png().toBuffer())
  writeFileSync(disk('moving.gif'), Buffer.concat([Buffer.from('GIF89a'), LARGE]))
  writeFileSync(disk('film.srt'), '1\n00:00:01,000 --> 00:00:02,000\nword\n')
  const made = await app.anna.call('POST', `${API.share}/`, {})
  hash = (await made.json()).hash
})
afterAll(() => app.stop())

const disk = (name: string) => join(app.root, 'anna', name)

interface Answer {
  status: number
  headers: Map<string, string>
  body: Buffer
}

/** Status and headers of a response, and its body without decoding. */
function parse(received: Buffer): Answer {
  const end = received.indexOf('\r\n\r\n')
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers),
    body: received.subarray(end + 4),
  }
}

function begin(url: string, line: string, headers: Record<string, string>): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const all = Object.entries({ Host: `${hostname}:${port}`, ...headers })
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname, () => done(socket))
    socket.on('error', fail)
    const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`${line} HTTP/1.1\r\n${head}\r\n`)
  })
}

/** Everything until the server closes the connection. */
function rest(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((done) => {
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.on('error', () => undefined)
    socket.on('close', () => done(Buffer.concat(parts)))
  })
}

async function ask(
  line: string,
  headers: Record<string, string> = {},
  token = app.anna.token,
): Promise<Answer> {
  const auth: Record<string, string> = token === '' ? {} : { 'X-Auth': token }
  const socket = await begin(app.url, line, { Connection: 'close', ...auth, ...headers })
  return parse(await rest(socket))
}

/** `206 90 bytes 10-99/3145728`: status, length and range, after the length of the body was checked. */
async function answer(...request: Parameters<typeof ask>): Promise<string> {
  const { status, headers, body } = await ask(...request)
  expect(headers.get('transfer-encoding')).toBeUndefined()
  const length = headers.get('content-length')
  if (!request[0].startsWith('HEAD')) expect(String(body.length)).toBe(length ?? 'none')
  return `${status} ${length} ${headers.get('content-range') ?? ''}`.trim()
}

const N = LARGE.length
const large = `${API.raw}/large.bin`

describe('the length is said', () => {
  test.each([
    ['of a large file', `GET ${large}`, {}, `200 ${N}`],
    ['to a client that takes gzip', `GET ${large}`, { 'Accept-Encoding': 'gzip' }, `200 ${N}`],
    ['without the bytes', `HEAD ${large}`, {}, `200 ${N}`],
    ['of a span', `GET ${large}`, { Range: 'bytes=10-99' }, `206 90 bytes 10-99/${N}`],
    [
      'of a long span',
      `GET ${large}`,
      { Range: 'bytes=1000-1999999' },
      `206 1999000 bytes 1000-1999999/${N}`,
    ],
    ['of the end', `GET ${large}`, { Range: 'bytes=-5' }, `206 5 bytes ${N - 5}-${N - 1}/${N}`],
    ['of a span without it', `HEAD ${large}`, { Range: 'bytes=0-4' }, `206 5 bytes 0-4/${N}`],
    ['where several spans are the whole', `GET ${large}`, { Range: 'bytes=0-,0-' }, `200 ${N}`],
    ['of several spans', `GET ${large}`, { Range: 'bytes=0-1,3-4' }, '206 354'],
    ['of several spans without them', `HEAD ${large}`, { Range: 'bytes=0-1,3-4' }, '206 354'],
    [
      'where the span is of another version',
      `GET ${large}`,
      { Range: 'bytes=0-1', 'If-Range': '"another"' },
      `200 ${N}`,
    ],
    ['of a small file', `GET ${API.raw}/small.txt`, {}, '200 10'],
    ['of a span of it', `GET ${API.raw}/small.txt`, { Range: 'bytes=2-4' }, '206 3 bytes 2-4/10'],
    ['of an empty file', `GET ${API.raw}/empty.txt`, {}, '200 0'],
    ['of an empty file without it', `HEAD ${API.raw}/empty.txt`, {}, '200 0'],
    ['of a picture sent as it is', `GET ${API.preview}/big/moving.gif`, {}, `200 ${N + 6}`],
  ])('a response has its length %s', async (_, line, headers, expected) => {
    expect(await answer(line, headers)).toBe(expected)
  })

  test('downloads of shares and texts have a length', async () => {
    const open = `${API.publicDownload}/${hash}/large.bin`
    expect(await answer(`GET ${open}`, {}, '')).toBe(`200 ${N}`)
    expect(await answer(`GET ${open}`, { Range: 'bytes=5-' }, '')).toBe(
      `206 ${N - 5} bytes 5-${N - 1}/${N}`,
    )
    const text = `GET ${API.resources}/small.txt`
    expect(await answer(text, { 'X-Encoding': 'true' })).toBe('200 10')
  })

  test.each([
    ['a listing', () => `${API.resources}/`],
    ['a text with its content', () => `${API.resources}/small.txt`],
    ['what a link leads to', () => `${API.publicShare}/${hash}`],
    ['the page', () => '/files/'],
    ['a script of it', () => '/sw.js'],
    ['health', () => '/health'],
  ])('the length of %s is the same with and without its bytes', async (_, address) => {
    const plain = { 'Accept-Encoding': 'identity' }
    expect(await answer(`HEAD ${address()}`, plain)).toBe(await answer(`GET ${address()}`, plain))
  })

  test('an archive or search has no length, and the stream marks its end', async () => {
    const { headers } = await ask(`HEAD ${API.raw}/?algo=tar`)
    expect(headers.get('content-length')).toBeUndefined()
    expect(headers.get('transfer-encoding')).toBe('chunked')
    const search = await ask(`HEAD ${API.search}/?query=x`)
    expect(search.headers.get('content-length')).toBeUndefined()
  })

  test('the length of previews and subtitles is the same with and without their bytes', async () => {
    for (const address of [`${API.preview}/thumb/picture.png`, `${API.subtitle}/film.srt`]) {
      const whole = await answer(`GET ${address}`)
      expect(whole).toMatch(/^200 [1-9]\d*$/)
      expect(await answer(`HEAD ${address}`)).toBe(whole)
    }
  })
})

test('a download and a range have the bytes of the file', async () => {
  expect((await ask(`GET ${large}`)).body.equals(LARGE)).toBe(true)
  const span = await ask(`GET ${large}`, { Range: 'bytes=300000-2999999' })
  expect(span.body.equals(LARGE.subarray(300_000, 3_000_000))).toBe(true)
})

test('one connection serves many downloads', async () => {
  const auth = { 'X-Auth': app.anna.token }
  const socket = await begin(app.url, `GET ${large}`, auth)
  let received = 0
  socket.on('data', (part) => {
    received += part.length
  })
  await until(() => received > N)
  const first = received
  socket.write(`GET ${large} HTTP/1.1\r\nHost: x\r\nX-Auth: ${app.anna.token}\r\n\r\n`)
  await until(() => received === 2 * first)
  socket.destroy()
})

test('the response to a range outside the file contains the length of the file', async () => {
  const beyond = await ask(`GET ${large}`, { Range: `bytes=${N}-` })
  expect(beyond.status).toBe(416)
  expect(beyond.headers.get('content-range')).toBe(`bytes */${N}`)
  expect(beyond.headers.get('x-fault')).toBe('rangeUnsatisfiable')
  const none = await ask(`GET ${API.raw}/small.txt`, { Range: 'bytes=-0' })
  expect(`${none.status} ${none.headers.get('content-range')}`).toBe('416 bytes */10')
})

/** The number of descriptors that the server has for a file. */
function openOf(name: string, { pid } = app.server): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith(`/${name}`)
    } catch {
      return false
    }
  }).length
}

describe('while it is sent', () => {
  const auth = () => ({ 'X-Auth': app.anna.token })
  /** Begins a download and stops reading after its first bytes. */
  async function stalled(name: string): Promise<Socket> {
    writeFileSync(disk(name), '')
    truncateSync(disk(name), HUGE_BYTES)
    const socket = await begin(app.url, `GET ${API.raw}/${name}`, auth())
    await new Promise<void>((done) => {
      socket.once('data', (part) => {
        socket.pause()
        socket.unshift(part)
        done()
      })
    })
    return socket
  }

  test('the server closes a file when its client disconnects', async () => {
    const socket = await stalled('left.bin')
    await until(() => openOf('left.bin') > 0)
    socket.resetAndDestroy()
    await until(() => openOf('left.bin') === 0)
  })

  test('the server closes a file when its client has received all of it', async () => {
    await ask(`GET ${large}`)
    await until(() => openOf('large.bin') === 0)
  })

  test('the connection of a client that stops reading is closed', async () => {
    const socket = await stalled('stalled.bin')
    await until(() => openOf('stalled.bin') === 0)
    socket.destroy()
  })

  test('a file that becomes shorter aborts the connection, and no bytes are added', async () => {
    const socket = await stalled('shorter.bin')
    truncateSync(disk('shorter.bin'), 2 ** 25)
    const { headers, body } = parse(await rest(socket.resume()))
    expect(headers.get('content-length')).toBe(String(HUGE_BYTES))
    expect(body.length).toBeLessThan(HUGE_BYTES / 2)
    await until(() => openOf('shorter.bin') === 0)
    await app.server.says(/shorter\.bin: 200 .*became shorter/)
  })
})

test('at a unix socket each client gets the file that it requested', async () => {
  const folder = temporaryFolder()
  const socket = join(folder.path, 'filemgr.sock')
  const hosts: TestServer = await startServer({
    args: ['--socket', socket, '--auth.method', 'noauth'],
  })
  const numbers = Array.from({ length: 12 }, (_, at) => at)
  for (const at of numbers) {
    writeFileSync(join(hosts.root, `${at}.bin`), Buffer.alloc(2 ** 20, 65 + at))
  }
  const login = await fetch('http://localhost/api/login', { method: 'POST', unix: socket })
  const token = await login.text()
  const download = async (at: number) => {
    const answer = await fetch(`http://localhost/api/raw/${at}.bin`, {
      unix: socket,
      headers: { 'X-Auth': token },
    })
    expect(answer.headers.get('content-length')).toBe(String(2 ** 20))
    const bytes = Buffer.from(await answer.arrayBuffer())
    return bytes.equals(Buffer.alloc(2 ** 20, 65 + at))
  }
  for (let round = 0; round < 5; round += 1) {
    expect(await Promise.all(numbers.map(download))).toEqual(numbers.map(() => true))
  }
  await until(() => numbers.every((at) => openOf(`${at}.bin`, hosts) === 0))
  await hosts.stop()
  folder.remove()
})
