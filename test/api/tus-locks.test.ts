/** Uploads that break off, meet each other, or are asked about while they run. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { beginRequest, chunk, until } from '../support/server/broken-connection.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const TYPE = 'application/offset+octet-stream'
const BYTES = Buffer.alloc(300_000, 'bytes that are counted. ')

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
/** @returns the name of the upload with its id, by which it is found when it is finished */
async function create(name: string, length: number, who = app.anna): Promise<string> {
  const headers = { 'Upload-Length': String(length) }
  const made = await who.call('POST', `${API.tus}/${name}`, undefined, headers)
  return (made.headers.get('location') ?? '').slice(`${API.tus}/`.length)
}
const send = (
  name: string,
  offset: number,
  body: BodyInit,
  how: { by?: Client; headers?: Record<string, string> } = {},
) =>
  (how.by ?? app.anna).call('PATCH', `${API.tus}/${name}`, body, {
    'Upload-Offset': String(offset),
    'Content-Type': TYPE,
    ...how.headers,
  })
const head = async (name: string, who = app.anna) => {
  const answer = await who.call('HEAD', `${API.tus}/${name}`)
  return `${answer.status} ${answer.headers.get('upload-offset') ?? ''}`.trim()
}
const sum = (bytes: string | Uint8Array) =>
  `sha1 ${createHash('sha1').update(bytes).digest('base64')}`

/** A PATCH whose body is begun and not ended; resolves when the bytes are staged. */
async function beginSending(
  name: string,
  bytes: Uint8Array,
  how: { headers?: Record<string, string>; url?: string; token?: string; root?: string } = {},
) {
  const uploads = join(how.root ?? app.root, '.filemgr/uploads')
  const ofThisSize = () =>
    readdirSync(uploads).filter((id) => statSync(join(uploads, id)).size === bytes.length).length
  const before = ofThisSize()
  const line = await beginRequest(
    how.url ?? app.url,
    `PATCH ${API.tus}/${name}`,
    {
      'X-Auth': how.token ?? app.anna.token,
      'Upload-Offset': '0',
      'Content-Type': TYPE,
      'Transfer-Encoding': 'chunked',
      ...how.headers,
    },
    chunk(bytes),
  )
  await until(() => ofThisSize() > before)
  return line
}

describe('a connection that breaks', () => {
  test('a connection that breaks leaves a checksummed upload where its bytes were counted last', async () => {
    await create('broken', BYTES.length)
    const line = await beginSending('broken', BYTES.subarray(0, 200_000), {
      headers: { 'Upload-Checksum': sum(BYTES) },
    })
    line.cut()
    expect(await head('broken')).toBe('200 0')
    const whole = send('broken', 0, BYTES, { headers: { 'Upload-Checksum': sum(BYTES) } })
    expect(await outcome(whole)).toBe('204')
    expect(readFileSync(disk('broken')).equals(BYTES)).toBe(true)
  })

  test('a connection that breaks leaves what it brought of a plain upload', async () => {
    await create('kept', BYTES.length)
    const line = await beginSending('kept', BYTES.subarray(0, 123_456))
    line.cut()
    expect(await head('kept')).toBe('200 123456')
    expect(await outcome(send('kept', 123_456, BYTES.subarray(123_456)))).toBe('204')
    expect(readFileSync(disk('kept')).equals(BYTES)).toBe(true)
  })
})

describe('bytes that were not compared with their checksum', () => {
  test('a request does not publish bytes that were not yet compared with their checksum', async () => {
    for (let round = 0; round < 30; round += 1) {
      const name = `wrong ${round}`
      await create(name, BYTES.length)
      const sent = outcome(
        send(name, 0, BYTES, { headers: { 'Upload-Checksum': sum(`other ${round}`) } }),
      )
      const asked = Array.from({ length: 8 }, async () => head(name))
      for (const answer of await Promise.all(asked)) expect(answer).toBe('200 0')
      expect(['460', '423 locked']).toContain(await sent)
      expect(existsSync(disk(name))).toBe(false)
      expect(await head(name)).toBe('200 0')
    }
  })

  test('bytes that were not compared with their checksum do not count, though all are there', async () => {
    await create('unended', 1000)
    const bytes = BYTES.subarray(0, 1000)
    const line = await beginSending('unended', bytes, {
      headers: { 'Upload-Checksum': sum(bytes) },
    })
    expect(await head('unended')).toBe('200 0')
    expect(existsSync(disk('unended'))).toBe(false)
    await line.receives(/^HTTP\/1.1 423/)
    line.cut()
  })

  test('bytes that were not compared with their checksum do not count after the server was killed', async () => {
    const folder = temporaryFolder()
    const [root, database] = [join(folder.path, 'root'), join(folder.path, 'f.db')]
    mkdirSync(root)
    const first = await startServer({ root, database })
    const { password } = first
    let admin = await signIn(first.url, 'admin', password)
    await create('killed', 1000, admin)
    await beginSending('killed', BYTES.subarray(0, 1000), {
      ...first,
      token: admin.token,
      headers: { 'Upload-Checksum': sum('other') },
    })
    first.kill('SIGKILL')
    await first.stop()
    const second = await startServer({ root, database })
    admin = await signIn(second.url, 'admin', password)
    expect(await head('killed', admin)).toBe('200 0')
    expect(existsSync(join(root, 'killed'))).toBe(false)
    expect(await outcome(send('killed', 0, 'short', { by: admin }))).toBe('204')
    expect(await head('killed', admin)).toBe('200 5')
    await second.stop()
    folder.remove()
  })

  test('bytes in the creation request of an upload that do not match their checksum are refused', async () => {
    const begin = (name: string, promised: string) =>
      app.anna.call('POST', `${API.tus}/${name}`, 'hello', {
        'Upload-Length': '5',
        'Content-Type': TYPE,
        'Upload-Checksum': promised,
      })
    expect(await outcome(begin('first', sum('other')))).toBe('460')
    expect(existsSync(disk('first'))).toBe(false)
    expect(await head('first')).toBe('404')
    expect(await outcome(begin('first', sum('hello')))).toBe('201')
    expect(readFileSync(disk('first'), 'utf8')).toBe('hello')
  })
})

describe('two requests for one upload: the later one continues', () => {
  test('a HEAD takes an upload over from an earlier request, and says what arrived', async () => {
    await create('asked', BYTES.length)
    const line = await beginSending('asked', BYTES.subarray(0, 100_000))
    expect(await head('asked')).toBe('200 100000')
    await line.receives(/^HTTP\/1.1 423/)
    line.cut()
  })

  test('a later request takes over an upload if its offset fits, and is refused otherwise', async () => {
    await create('met', BYTES.length)
    const line = await beginSending('met', BYTES.subarray(0, 100_000))
    expect(await outcome(send('met', 0, BYTES))).toBe('409 conflict')
    expect(await outcome(send('met', 100_000, BYTES.subarray(100_000)))).toBe('204')
    await line.receives(/^HTTP\/1.1 423/)
    line.cut()
    expect(readFileSync(disk('met')).equals(BYTES)).toBe(true)
  })

  test('an upload is not taken over by another upload to the same name', async () => {
    await create('held', BYTES.length)
    const line = await beginSending('held', BYTES.subarray(0, 100_000))
    const other = app.anna.call('POST', `${API.tus}/held?override=true`, undefined, {
      'Upload-Length': '1',
    })
    expect(await outcome(other)).toBe('423 locked')
    line.cut()
    expect(await head('held')).toBe('200 100000')
  })

  test('a DELETE takes an upload over, and nothing is left of it', async () => {
    const before = readdirSync(join(app.root, '.filemgr/uploads')).length
    await create('gone', BYTES.length)
    const line = await beginSending('gone', BYTES.subarray(0, 100_000))
    expect(await outcome(app.anna.call('DELETE', `${API.tus}/gone`))).toBe('204')
    await line.receives(/^HTTP\/1.1 423/)
    line.cut()
    expect(await head('gone')).toBe('404')
    expect(readdirSync(join(app.root, '.filemgr/uploads')).length).toBe(before)
  })

  test('many requests at once for one upload send each byte once', async () => {
    const name = await create('crowd', BYTES.length)
    const answer = await Promise.all(
      Array.from({ length: 12 }, () => outcome(send(name, 0, BYTES))),
    )
    while ((await head(name)) !== `200 ${BYTES.length}`) {
      const offset = Number((await head(name)).split(' ')[1])
      answer.push(await outcome(send(name, offset, BYTES.subarray(offset))))
    }
    expect(
      answer.filter((one) => !['204', '409 conflict', '423 locked', '413 tooLarge'].includes(one)),
    ).toEqual([])
    expect(readFileSync(disk('crowd')).equals(BYTES)).toBe(true)
  })
})

test('a request for a finished upload that a later one has stopped gets its own refusal', async () => {
  const name = await create('over', 4)
  expect(await outcome(send(name, 0, 'over'))).toBe('204')
  const line = await beginRequest(app.url, `PATCH ${API.tus}/${name}`, {
    'X-Auth': app.anna.token,
    'Upload-Offset': '4',
    'Content-Type': TYPE,
    'Transfer-Encoding': 'chunked',
  })
  // A HEAD request that is handled before the other request arrives does not stop it.
  await until(async () => (await head(name)) === '200 4' && line.received() !== '')
  expect(line.received()).toStartWith('HTTP/1.1 423')
  line.cut()
})

test('a HEAD request after the last byte publishes the upload once', async () => {
  const bytes = BYTES.subarray(0, 54_321)
  const name = await create('last', bytes.length)
  const line = await beginSending(name, bytes)
  const asked = await Promise.all(Array.from({ length: 8 }, () => head(name)))
  expect(new Set(asked)).toEqual(new Set([`200 ${bytes.length}`]))
  expect(readFileSync(disk('last')).equals(bytes)).toBe(true)
  line.cut()
})

test('bytes that came before too many of them are taken back', async () => {
  await create('beyond', 5)
  const line = await beginSending('beyond', Buffer.from('abc'))
  line.socket.write(chunk(new Uint8Array(1000)))
  line.socket.write('0\r\n\r\n')
  await line.receives(/^HTTP\/1.1 413/)
  line.cut()
  expect(await head('beyond')).toBe('200 0')
})

test('a finished upload takes no more bytes, however they come', async () => {
  const name = await create('full', 4)
  expect(await outcome(send(name, 0, 'full'))).toBe('204')
  expect(await outcome(send(name, 4, ''))).toBe('204')
  expect(await outcome(send(name, 4, 'more'))).toBe('413 tooLarge')
  const endless = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(10))
      controller.close()
    },
  })
  expect(await outcome(send(name, 4, endless))).toBe('413 tooLarge')
  expect(readFileSync(disk('full'), 'utf8')).toBe('full')
})
