import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { API, urls } from '#wire/api/routes.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const staged = () => readdirSync(join(app.root, '.filemgr', 'uploads'))
const create = (
  path: string,
  length: number | string,
  how: { by?: Client; override?: boolean; headers?: Record<string, string> } = {},
) =>
  (how.by ?? app.anna).call('POST', urls.tus(parsePath(path), how.override ?? false), undefined, {
    'Upload-Length': String(length),
    ...how.headers,
  })
const send = (
  path: string,
  offset: number | string,
  body: BodyInit,
  how: { by?: Client; headers?: Record<string, string> } = {},
) =>
  (how.by ?? app.anna).call('PATCH', API.tus + path, body, {
    'Upload-Offset': String(offset),
    'Content-Type': 'application/offset+octet-stream',
    ...how.headers,
  })
const head = async (path: string, by = app.anna) => {
  const answer = await by.call('HEAD', API.tus + path)
  return `${answer.status} ${answer.headers.get('upload-offset') ?? ''}/${answer.headers.get('upload-length') ?? ''}`
}
const status = async (answer: Promise<Response>) => (await answer).status
/** The path of an upload with its id, from the response to its creation. */
const exact = (created: Response) => (created.headers.get('location') ?? '').slice(API.tus.length)

test('an upload is 401 without a session, 403 without the right to create, and 201 for users and administrators', async () => {
  const reader = await app.person('reader', '--scope', '/anna', '--perm.create=false')
  expect(await outcome(create('/who', 1, { by: app.anonymous }))).toBe('401 unauthenticated')
  expect(await outcome(create('/who', 1, { by: reader }))).toBe('403 forbidden')
  expect(await outcome(create('/who', 1))).toBe('201')
  expect(await outcome(create('/who', 1, { by: app.admin }))).toBe('201')
})

describe('an upload', () => {
  test('the server says what it can of tus', async () => {
    const answer = await app.anna.call('OPTIONS', `${API.tus}/`)
    expect(answer.headers.get('tus-version')).toBe('1.0.0')
    expect(answer.headers.get('tus-extension')?.split(',')).toEqual(
      expect.arrayContaining(['creation', 'termination', 'expiration', 'checksum']),
    )
    const names = [...answer.headers.keys()]
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  test('an upload appears only when it is complete @spec-7.48', async () => {
    const answer = await create('/new/deep/file.bin', 10)
    expect(answer.headers.get('location')).toMatch(
      /^\/api\/tus\/new\/deep\/file\.bin\?upload=[\da-f]{32}$/,
    )
    expect(answer.headers.get('upload-expires')).toBeTruthy()
    expect(await status(send('/new/deep/file.bin', 0, 'hello'))).toBe(204)
    expect(await head('/new/deep/file.bin')).toBe('200 5/10')
    expect(existsSync(disk('new'))).toBe(false)
    expect(await status(send('/new/deep/file.bin', 5, 'world'))).toBe(204)
    expect(readFileSync(disk('new', 'deep', 'file.bin'), 'utf8')).toBe('helloworld')
  })

  test('an upload of length zero is complete at once @spec-11.3', async () => {
    expect(await status(create('/zero', 0))).toBe(201)
    expect(readFileSync(disk('zero'), 'utf8')).toBe('')
  })

  test('an upload leaves the old file complete until the last byte, and a cancelled one leaves it unchanged @spec-11.5', async () => {
    writeFileSync(disk('old'), 'old content')
    expect(await status(create('/old', 3))).toBe(409)
    expect(await status(create('/old', 3, { override: true }))).toBe(201)
    await send('/old', 0, 'ne')
    expect(readFileSync(disk('old'), 'utf8')).toBe('old content')
    expect(await status(app.anna.call('DELETE', `${API.tus}/old`))).toBe(204)
    expect(await head('/old')).toStartWith('404')
    expect(readFileSync(disk('old'), 'utf8')).toBe('old content')
    await create('/old', 3, { override: true })
    await send('/old', 0, 'new')
    expect(readFileSync(disk('old'), 'utf8')).toBe('new')
  })

  test('an upload takes nothing more when everything has arrived', async () => {
    const path = exact(await create('/whole.bin', 4))
    await send('/whole.bin', 0, 'aaaa')
    expect((await send(path, 4, '')).status).toBe(204)
    expect(await outcome(send(path, 2, 'bb'))).toBe('409 conflict')
    expect(readFileSync(disk('whole.bin'), 'utf8')).toBe('aaaa')
  })

  test('an upload answers again when the last answer was lost', async () => {
    const path = exact(await create('/lost', 4))
    await send('/lost', 0, 'done')
    expect(await head(path)).toBe('200 4/4')
  })

  test('an upload keeps the client’s modification time', async () => {
    const metadata = `filename ${btoa('dated')},lastModified ${btoa('1700000000000')}`
    await create('/dated', 1, { headers: { 'Upload-Metadata': metadata } })
    await send('/dated', 0, 'x')
    const entry = await (await app.anna.call('GET', `${API.resources}/dated`)).json()
    expect(entry).toMatchObject({ modified: '2023-11-14T22:13:20.000Z' })
  })

  test('an upload that cannot be published in the end is kept, and says why', async () => {
    await create('/raced', 3)
    writeFileSync(disk('raced'), 'somebody was faster')
    expect(await outcome(send('/raced', 0, 'abc'))).toBe('409 conflict')
    expect(await outcome(app.anna.call('HEAD', `${API.tus}/raced`))).toBe('409 conflict')
    expect(readFileSync(disk('raced'), 'utf8')).toBe('somebody was faster')
    writeFileSync(disk('raced2'), '')
    await app.anna.call('DELETE', `${API.resources}/raced`)
    expect(await head('/raced')).toBe('200 3/3')
    expect(readFileSync(disk('raced'), 'utf8')).toBe('abc')
  })
})

describe('bad input', () => {
  test('lengths and offsets that are not valid are refused @spec-7.48', async () => {
    for (const length of ['-1', 'abc', '', '1e3', '9'.repeat(30)]) {
      expect(await outcome(create('/bad', length))).toBe('400 badRequest')
    }
    expect(await outcome(app.anna.call('POST', `${API.tus}/bad`))).toBe('400 badRequest')
    expect(await outcome(create('/bad', 1, { headers: { 'Upload-Defer-Length': '1' } }))).toBe(
      '400 badRequest',
    )
    expect(
      await outcome(create('/bad', 1, { headers: { 'Upload-Metadata': 'filename %%%' } })),
    ).toBe('400 badRequest')
    await create('/offsets', 5)
    expect(await status(send('/offsets', 3, 'x'))).toBe(409)
    expect(await status(send('/offsets', -1, 'x'))).toBe(400)
    expect(await status(send('/offsets', 'x', 'x'))).toBe(400)
    expect(
      await status(send('/offsets', 0, 'x', { headers: { 'Content-Type': 'text/plain' } })),
    ).toBe(415)
    expect(await status(send('/none', 0, 'x'))).toBe(404)
    expect(await head('/offsets')).toBe('200 0/5')
  })

  test('another version of tus is refused, and the response names the one of the server', async () => {
    for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE']) {
      const headers = { 'Upload-Length': '1', 'Tus-Resumable': '0.2.2' }
      const answer = await app.anna.call(method, `${API.tus}/version`, undefined, headers)
      expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0'])
    }
  })

  test('more bytes than declared are refused and rolled back', async () => {
    await create('/five', 5)
    expect(await status(send('/five', 0, 'x'.repeat(5000)))).toBe(413)
    const endless = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 10; part += 1) controller.enqueue(new Uint8Array(1000))
        controller.close()
      },
    })
    expect(await status(send('/five', 0, endless))).toBe(413)
    expect(await head('/five')).toBe('200 0/5')
    expect(await status(send('/five', 0, 'hello'))).toBe(204)
    expect(readFileSync(disk('five'), 'utf8')).toBe('hello')
  })

  test('bytes that do not match their checksum are refused and rolled back', async () => {
    await create('/sum', 5)
    const sum = (text: string) => `sha1 ${createHash('sha1').update(text).digest('base64')}`
    expect(
      await status(send('/sum', 0, 'hello', { headers: { 'Upload-Checksum': sum('other') } })),
    ).toBe(460)
    expect(
      await status(send('/sum', 0, 'hello', { headers: { 'Upload-Checksum': 'crc99 AAAA' } })),
    ).toBe(400)
    expect(await head('/sum')).toBe('200 0/5')
    expect(
      await status(send('/sum', 0, 'hello', { headers: { 'Upload-Checksum': sum('hello') } })),
    ).toBe(204)
    expect(readFileSync(disk('sum'), 'utf8')).toBe('hello')
  })

  test('an upload to a folder, or to places of other users, is refused', async () => {
    mkdirSync(disk('folder'), { recursive: true })
    expect(await outcome(create('/folder', 1))).toBe('409 isDirectory')
    expect(await outcome(create('/folder', 1, { override: true }))).toBe('409 isDirectory')
    expect(await outcome(create('/.filemgr/x', 1, { by: app.admin }))).toBe('403 forbidden')
  })

  test('an upload of more than the disk holds is refused before a byte', async () => {
    expect(await outcome(create('/huge', 900_000_000_000_000))).toBe('507 noSpace')
  })
})

describe('two at once', () => {
  test('two uploads to one path by two users do not mix @spec-11.33', async () => {
    const [one, two] = [app.admin, app.anna]
    await create('/anna/shared.bin', 4, { by: one, override: true })
    await create('/shared.bin', 4, { by: two, override: true })
    await send('/anna/shared.bin', 0, 'AA', { by: one })
    await send('/shared.bin', 0, 'bb', { by: two })
    await send('/anna/shared.bin', 2, 'AA', { by: one })
    expect(readFileSync(disk('shared.bin'), 'utf8')).toBe('AAAA')
    await send('/shared.bin', 2, 'bb', { by: two })
    expect(readFileSync(disk('shared.bin'), 'utf8')).toBe('bbbb')
  })

  test('a second upload of one user to a path must say that it replaces; the path alone resumes none @spec-11.33', async () => {
    await create('/same', 4)
    expect(await outcome(create('/same', 6))).toBe('409 conflict')
    const second = await create('/same', 6, { override: true })
    const exact = second.headers.get('location') ?? ''
    expect(exact).toMatch(/^\/api\/tus\/same\?upload=\w+$/)
    expect(await outcome(app.anna.call('HEAD', `${API.tus}/same`))).toBe('423 locked')
    expect((await app.anna.call('HEAD', exact)).headers.get('upload-length')).toBe('6')
  })

  test('the upload of another user cannot be read, continued or cancelled', async () => {
    const answer = await app.admin.call('POST', `${API.tus}/anna/theirs`, undefined, {
      'Upload-Length': '4',
    })
    expect(answer.status).toBe(201)
    expect(await head('/theirs')).toStartWith('404')
    expect(await status(app.anna.call('DELETE', `${API.tus}/theirs`))).toBe(404)
    expect(await head('/anna/theirs', app.admin)).toBe('200 0/4')
  })
})

test('deleting an upload never removes a file that was there', async () => {
  writeFileSync(disk('safe'), 'safe')
  expect(await status(app.anna.call('DELETE', `${API.tus}/safe`))).toBe(404)
  expect(readFileSync(disk('safe'), 'utf8')).toBe('safe')
})

test('a standard tus client without paths uploads through POST /api/tus @spec-7.48', async () => {
  const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(50_000)))
  await new Promise<void>((resolve, reject) => {
    new Upload(bytes, {
      endpoint: app.url + API.tus,
      headers: { 'X-Auth': app.anna.token },
      metadata: { filename: 'off the shelf.bin' },
      chunkSize: 16_384,
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
  expect(readFileSync(disk('off the shelf.bin')).equals(bytes)).toBe(true)
})

test('a server that was killed continues where it stopped @spec-7.48', async () => {
  const folder = temporaryFolder()
  const [root, database] = [join(folder.path, 'root'), join(folder.path, 'f.db')]
  mkdirSync(root)
  const first = await startServer({ root, database })
  const { password } = first
  let admin = await signIn(first.url, 'admin', password)
  await create('/big', 6, { by: admin })
  await send('/big', 0, 'abc', { by: admin })
  first.kill('SIGKILL')
  await first.stop()
  expect(readdirSync(root)).toEqual(['.filemgr'])
  const second = await startServer({ root, database })
  admin = await signIn(second.url, 'admin', password)
  expect(await head('/big', admin)).toBe('200 3/6')
  await send('/big', 3, 'def', { by: admin })
  expect(readFileSync(join(root, 'big'), 'utf8')).toBe('abcdef')
  await second.stop()
  folder.remove()
})

test('staged content is never visible, and finished content is never staged', async () => {
  const before = staged().length
  await create('/seen', 2)
  await send('/seen', 0, 'o')
  expect(staged().length).toBe(before + 1)
  const listing = await (await app.admin.call('GET', `${API.resources}/`)).text()
  expect(listing).not.toContain('.filemgr')
  await send('/seen', 1, 'k')
  expect(staged().length).toBe(before)
})

test('signing in on another day finds the upload again', async () => {
  await create('/later', 4)
  await send('/later', 0, 'so')
  const another = await signIn(app.url, 'anna', PASSWORD)
  expect(await head('/later', another)).toBe('200 2/4')
})

test('a sender that stops sending is dropped, and what it sent can be resumed', async () => {
  const server = await startServer({ args: ['--stall-timeout', '5s'] })
  const admin = await signIn(server.url, 'admin', server.password)
  await create('/silent', 6, { by: admin })
  const dropped = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(new URL(server.url).port),
    socket: { data: () => undefined, close: () => dropped.resolve() },
  })
  const headers = [
    'PATCH /api/tus/silent HTTP/1.1',
    'Host: x',
    `X-Auth: ${admin.token}`,
    'Content-Type: application/offset+octet-stream',
    'Upload-Offset: 0',
    'Content-Length: 6',
  ]
  socket.write(`${headers.join('\r\n')}\r\n\r\nabc`)
  socket.flush()
  await dropped.promise
  expect(await head('/silent', admin)).toBe('200 3/6')
  expect(await status(send('/silent', 3, 'def', { by: admin }))).toBe(204)
  expect(readFileSync(join(server.root, 'silent'), 'utf8')).toBe('abcdef')
  await server.stop()
}, 30_000)
