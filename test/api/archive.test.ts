import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { parsePath, toUrlPath } from '#wire/paths.ts'
import { FORMAT_NAMES, namesIn, treeOf, unpack } from '../support/files/archives.ts'
import { NASTY_NAMES, temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MIB = 1024 * 1024
const TIME = new Date('2024-03-10T12:34:56Z')

let app: TestApp
let home: string
const into = temporaryFolder()

beforeAll(async () => {
  app = await openTestApp({ args: ['--stall-timeout', '5s'] })
  home = join(app.root, 'anna')
  put('docs/a.txt')
  put('docs/sub/b.txt')
  put('c.txt')
  put('nasty/zero', '')
  put('nasty/large', randomBytes(3 * MIB))
  mkdirSync(join(home, 'nasty/empty'))
  for (const name of NASTY_NAMES) put(`nasty/${name}`)
  for (const name of readdirSync(join(home, 'nasty'))) {
    utimesSync(join(home, 'nasty', name), TIME, TIME)
  }
  writeFileSync(join(app.root, 'secret.txt'), 'TOP SECRET')
})

afterAll(async () => {
  await app.stop()
  into.remove()
})

function put(path: string, content: string | Uint8Array = path): void {
  mkdirSync(join(home, path, '..'), { recursive: true })
  writeFileSync(join(home, path), content)
}

/** The address of an archive; the values of the query are encoded once. */
function address(folder: string, query: Record<string, string> = {}): string {
  return `${API.raw}${toUrlPath(parsePath(folder), true)}?${new URLSearchParams(query)}`
}

/** `files` as clients send it: each name encoded, then the list once more with the query. */
const files = (...names: string[]) => ({ files: names.map(encodeURIComponent).join(',') })

const get = (folder: string, query?: Record<string, string>, who: Client = app.anna) =>
  who.call('GET', address(folder, query))

async function members(folder: string, query: Record<string, string> = {}): Promise<string[]> {
  const answer = await get(folder, { ...query, algo: 'tar' })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return namesIn('tar', await answer.bytes())
}

async function fileName(answer: Promise<Response>): Promise<string> {
  const { headers, body } = await answer
  await body?.cancel()
  return decodeURIComponent(headers.get('content-disposition') ?? '')
}

test('an archive is 401 without a session, 403 without the permission, and sent with it', async () => {
  const reader = await app.withoutDownload()
  expect(await outcome(get('/docs', {}, app.anonymous))).toBe('401 unauthenticated')
  expect(await outcome(get('/docs', {}, reader))).toBe('403 forbidden')
  expect(await members('/docs')).toEqual(['a.txt', 'sub/', 'sub/b.txt'])
  const whole = await get('/anna/docs', { algo: 'tar' }, app.admin)
  expect(await namesIn('tar', await whole.bytes())).toEqual(['a.txt', 'sub/', 'sub/b.txt'])
})

test.each(FORMAT_NAMES)('%s unpacks to what is on the disk @spec-7.23', async (format) => {
  const answer = await get('/nasty', { algo: format })
  expect(answer.status).toBe(200)
  const folder = join(into.path, format)
  await unpack(format, await answer.bytes(), folder)
  expect(treeOf(folder)).toEqual(treeOf(join(home, 'nasty')))
})

describe('the format', () => {
  test('an archive is a zip if the request names no format', async () => {
    for (const query of [{}, { algo: '' }, { algo: 'true' }, { algo: 'zip' }]) {
      const answer = await get('/docs', query)
      expect(answer.headers.get('content-type')).toBe('application/zip')
      expect(await namesIn('zip', await answer.bytes())).toEqual(['a.txt', 'sub/', 'sub/b.txt'])
    }
  })

  test('the format tar.gz has two spellings', async () => {
    expect(await fileName(get('/docs', { algo: 'targz' }))).toEndWith("''docs.tar.gz")
    expect(await fileName(get('/docs', { algo: 'tar.gz' }))).toEndWith("''docs.tar.gz")
  })

  test('an unknown format is named in the refusal', async () => {
    const answer = await get('/docs', { algo: 'tarball' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('tarball')
  })

  test('the format is ignored when one file is downloaded', async () => {
    const answer = await app.anna.call('GET', `${API.raw}/c.txt?algo=zip`)
    expect(await answer.text()).toBe('c.txt')
  })
})

describe('the name', () => {
  test('an archive has the name of its folder; one of the top folder has the name of the instance', async () => {
    expect(await fileName(get('/docs'))).toBe(
      `attachment; filename="docs.zip"; filename*=utf-8''docs.zip`,
    )
    expect(await fileName(get('/'))).toMatch(/''[^/_]+\.zip$/)
  })

  test('the name of an archive begins with _ if several entries were selected', async () => {
    expect(await fileName(get('/docs', files('a.txt', 'sub')))).toEndWith("''_docs.zip")
    expect(await fileName(get('/docs', files('sub')))).toEndWith("''sub.zip")
    expect(await fileName(get('/docs', files('a.txt')))).toEndWith("''docs.zip")
  })

  test('the name of an archive cannot break the header', async () => {
    put('a\r\nX-Evil: 1/file')
    const answer = await get('/a\r\nX-Evil: 1')
    await answer.body?.cancel()
    expect(answer.headers.get('x-evil')).toBeNull()
    expect(answer.headers.get('content-disposition')).toContain('a%0D%0AX-Evil')
  })
})

describe('files', () => {
  test('the parameter files names what goes into the archive: one file, one folder, several @spec-7.23 @spec-11.17', async () => {
    expect(await members('/docs', files('a.txt'))).toEqual(['a.txt'])
    expect(await members('/docs', files('sub'))).toEqual(['b.txt'])
    expect(await members('/', files('c.txt', 'docs'))).toEqual([
      'c.txt',
      'docs/',
      'docs/a.txt',
      'docs/sub/',
      'docs/sub/b.txt',
    ])
  })

  test('the parameter files finds problematic names', async () => {
    for (const name of NASTY_NAMES) {
      const answer = await get('/nasty', { ...files(name), algo: 'zip' })
      expect(`${name} ${answer.status}`).toBe(`${name} 200`)
      await answer.body?.cancel()
    }
    expect(await members('/nasty', files('semi;colon,comma.txt', 'a b+c&d=e?.txt'))).toEqual([
      'a b+c&d=e?.txt',
      'semi;colon,comma.txt',
    ])
  })

  test('a name in the parameter files may be encoded only once if it contains no encoding itself', async () => {
    expect(await members('/nasty', { files: '100%.txt' })).toEqual(['100%.txt'])
    put('plus/a+b')
    expect(await members('/plus', { files: 'a+b' })).toEqual(['a+b'])
  })

  test('a missing name in the parameter files is refused, and nothing is sent', async () => {
    expect(await outcome(get('/docs', files('a.txt', 'missing')))).toBe('404 notFound')
    expect(await outcome(get('/missing'))).toBe('404 notFound')
  })

  test('a name in the parameter files cannot leave the folder', async () => {
    const names = ['../c.txt', '..%2Fc.txt', '../../secret.txt', '/../../secret.txt', '/etc/passwd']
    for (const name of names) {
      for (const query of [files(name), { files: name }, files('a.txt', name)]) {
        expect(await outcome(get('/docs', query))).toBe('404 notFound')
      }
    }
    expect(await members('/docs', files('../a.txt', 'sub/../../sub'))).toEqual([
      'a.txt',
      'sub/',
      'sub/b.txt',
    ])
    expect(await outcome(get('/docs', { files: 'a.txt\0' }))).toBe('400 badRequest')
  })
})

describe('left out', () => {
  test('an archive leaves out what a rule denies', async () => {
    put('ruled/open.txt')
    put('ruled/private/secret.txt')
    const rules = [{ regex: false, allow: false, path: '/ruled/private', regexp: null }]
    await app.admin.call('PUT', API.settings, { rules })
    try {
      expect(await members('/ruled')).toEqual(['open.txt'])
      expect(await members('/ruled', files('open.txt', 'private'))).toEqual([
        'Not included.txt',
        'open.txt',
      ])
      expect(await outcome(get('/ruled/private'))).toBe('403 forbidden')
      expect(await outcome(get('/ruled', files('private')))).toBe('403 forbidden')
    } finally {
      await app.admin.call('PUT', API.settings, { rules: [] })
    }
  })

  test('an archive leaves out links to paths outside the scope', async () => {
    put('links/own.txt')
    symlinkSync('../../secret.txt', join(home, 'links/out'))
    symlinkSync('../..', join(home, 'links/up'))
    symlinkSync('.', join(home, 'links/loop'))
    expect(await members('/links')).toEqual(['Not included.txt', 'own.txt'])
  })

  test('an archive leaves out the files of the server', async () => {
    const answer = await get('/', { algo: 'tar' }, app.admin)
    expect((await namesIn('tar', await answer.bytes())).join()).not.toContain('.filemgr')
  })
})

test('HEAD for an archive has the headers of GET, and makes no archive', async () => {
  for (let count = 0; count <= CONCURRENCY_LIMITS.archives.all; count += 1) {
    const head = await app.anna.call('HEAD', address('/docs', { algo: 'tarzst' }))
    expect(head.status).toBe(200)
    expect(head.headers.get('content-type')).toBe('application/zstd')
    expect(head.headers.get('content-disposition')).toEndWith("''docs.tar.zst")
    expect(await head.text()).toBe('')
  }
  const missing = app.anna.call('HEAD', address('/docs', files('missing')))
  expect((await missing).status).toBe(404)
})

describe('a zip of a folder', () => {
  const ask = (headers: Record<string, string>) =>
    app.anna.call('GET', address('/docs'), undefined, headers)

  test('a zip of a folder has its length, and an interrupted download resumes', async () => {
    const whole = await get('/docs')
    const bytes = await whole.bytes()
    expect(whole.headers.get('content-length')).toBe(String(bytes.length))
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    const tag = whole.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]+"$/)
    for (const first of [0, 1, 40, bytes.length >> 1, bytes.length - 30]) {
      const rest = await ask({ Range: `bytes=${first}-`, 'If-Range': tag })
      expect(rest.status).toBe(206)
      expect(rest.headers.get('content-range')).toBe(
        `bytes ${first}-${bytes.length - 1}/${bytes.length}`,
      )
      expect(rest.headers.get('content-length')).toBe(String(bytes.length - first))
      expect(Buffer.compare(await rest.bytes(), bytes.subarray(first))).toBe(0)
    }
    const part = await ask({ Range: 'bytes=5-9' })
    expect(Buffer.compare(await part.bytes(), bytes.subarray(5, 10))).toBe(0)
  })

  test('a HEAD request returns the length of a large zip, whose download resumes too', async () => {
    const head = await app.anna.call('HEAD', address('/nasty'))
    const whole = await (await get('/nasty')).bytes()
    expect(head.headers.get('content-length')).toBe(String(whole.length))
    const headers = { Range: 'bytes=2000000-', 'If-Range': head.headers.get('etag') ?? '' }
    const rest = await app.anna.call('GET', address('/nasty'), undefined, headers)
    expect(rest.status).toBe(206)
    expect(rest.headers.get('content-range')).toBe(
      `bytes 2000000-${whole.length - 1}/${whole.length}`,
    )
    expect(Buffer.compare(await rest.bytes(), whole.subarray(2_000_000))).toBe(0)
  })

  test('a changed zip is sent completely to a client that has the beginning of the earlier one', async () => {
    const tag = (await get('/docs')).headers.get('etag') ?? ''
    put('docs/sub/late', 'comes later')
    const rest = await ask({ Range: 'bytes=10-', 'If-Range': tag })
    expect(rest.status).toBe(200)
    expect(rest.headers.get('etag')).not.toBe(tag)
    rmSync(join(home, 'docs/sub/late'))
  })

  test('a zip is not sent to a client that has it (304), nor for a range beyond its end (416)', async () => {
    const tag = (await get('/docs')).headers.get('etag') ?? ''
    expect((await ask({ 'If-None-Match': tag })).status).toBe(304)
    const beyond = await ask({ Range: 'bytes=99999999-' })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/)
  })
})

test('the response of an archive forbids scripts and content sniffing', async () => {
  const { headers, body } = await get('/docs')
  await body?.cancel()
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toStartWith("sandbox; default-src 'none'")
})

describe('a long archive', () => {
  const LARGE = 64 * MIB
  beforeAll(() => put('large/file', randomBytes(LARGE)))

  /** Requests it on a new connection, and reads only the beginning. */
  async function begin(
    who = app.anna,
  ): Promise<{ connection: Socket; first: string; rest(): Promise<string> }> {
    const { hostname, port } = new URL(app.url)
    const connection = connect(Number(port), hostname)
    const request = [
      `GET ${address('/large', { algo: 'tar' })} HTTP/1.1`,
      `Host: ${hostname}`,
      'Connection: close',
      `X-Auth: ${who.token}`,
    ]
    connection.write(`${request.join('\r\n')}\r\n\r\n`)
    // The tests end connections abruptly.
    connection.on('error', () => undefined)
    let read = ''
    const first = await new Promise<string>((resolve) => {
      connection.on('close', () => resolve(read))
      connection.on('data', (part) => {
        read += part.toString('latin1')
        if (read.length < MIB) return
        connection.pause()
        resolve(read)
      })
    })
    const rest = () =>
      new Promise<string>((resolve) => {
        let end = ''
        connection.removeAllListeners('data').on('data', (part) => {
          end = (end + part.toString('latin1')).slice(-16)
        })
        connection.on('close', () => resolve(end))
        connection.resume()
      })
    return { connection, first, rest }
  }

  /** Downloads as many archives as a user may at once. Downloads of an earlier test may not have ended yet. */
  async function acquireOwnSlots(who: Client): Promise<Socket[]> {
    for (;;) {
      const begun = await Promise.all(
        Array.from({ length: CONCURRENCY_LIMITS.archives.perKey }, () => begin(who)),
      )
      if (begun.every(({ first }) => first.startsWith('HTTP/1.1 200'))) {
        return begun.map(({ connection }) => connection)
      }
      for (const { connection } of begun) connection.destroy()
    }
  }

  const isSlotFree = async () => (await outcome(get('/docs'))) === '200'
  const waitForSlot = async () => {
    while (!(await isSlotFree()));
  }

  test('a long archive that fails midway ends without its last chunk @spec-7.23', async () => {
    const { first, rest } = await begin()
    expect(first).toStartWith('HTTP/1.1 200')
    expect(first.toLowerCase()).toContain('transfer-encoding: chunked')
    truncateSync(join(home, 'large/file'), MIB)
    expect(await rest()).not.toEndWith('0\r\n\r\n')
    await app.server.says(/\/api\/raw\/\S*: 200 127\.0\.0\.1 \S/)
    put('large/file', randomBytes(LARGE))
  })

  test('a long archive that is complete ends with its last chunk', async () => {
    const { rest } = await begin()
    expect(await rest()).toEndWith('0\r\n\r\n')
  })

  test('a long archive counts against the concurrency limits of a user and of all users @limit-6', async () => {
    const others = await app.person('others', '--scope', '/anna')
    const connections = await acquireOwnSlots(app.anna)
    expect(await outcome(get('/docs'))).toBe('429 tooMany')
    expect(await outcome(get('/anna/docs', {}, app.admin))).toBe('200')
    connections.push(...(await acquireOwnSlots(others)))
    expect(await outcome(get('/anna/docs', {}, app.admin))).toBe('503 unavailable')
    for (const connection of connections) connection.destroy()
    await waitForSlot()
  })

  test('a long archive is aborted if its client stops reading for too long', async () => {
    const connections = await acquireOwnSlots(app.anna)
    expect(await isSlotFree()).toBe(false)
    await waitForSlot()
    for (const connection of connections) connection.destroy()
  }, 30_000)
})
