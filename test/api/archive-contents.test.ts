/** Archives read without extraction: lists of their content, and single files. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { ArchiveFolder } from '#wire/api/archive-contents.ts'
import type { AuditAction, AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { tarOf, zipOf } from '../support/files/made-archives.ts'
import { until } from '../support/server/broken-connection.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(disk(path, '..'), { recursive: true })
  writeFileSync(disk(path), content)
}

/** Writes a tar with a sparse file, which is so long that no test reads it to its end. */
function putEndless(path: string): void {
  const sizeBytes = 7 * GIB
  put(path, tarOf({ name: 'endless', says: { sizeBytes } }).subarray(0, 512))
  truncateSync(disk(path), 512 + sizeBytes + 1024)
}

const query = (inside: string, more = '') => `?inside=${encodeURIComponent(inside)}${more}`

async function list(path: string, inside = '/', who: Client = app.anna): Promise<ArchiveFolder> {
  const answer = await who.call('GET', API.archive + path + query(inside))
  expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, ''])
  return answer.json()
}

const names = ({ items }: ArchiveFolder) =>
  items.map(({ name, isDir }) => name + (isDir ? '/' : ''))

const file = (path: string, inside: string, more = '', who: Client = app.anna) =>
  who.call('GET', API.archiveFile + path + query(inside, more))

/** The outcomes of both routes: of the list, and of the file. */
async function outcomes(path: string, inside: string, who: Client = app.anna): Promise<string[]> {
  return [
    await outcome(who.call('GET', API.archive + path + query(inside))),
    await outcome(file(path, inside, '', who)),
  ]
}

async function lastRecord(action: AuditAction): Promise<AuditEntry | undefined> {
  const records = await app.admin.call('GET', `${API.audit}?action=${action}&limit=1`)
  const [last]: AuditEntry[] = await records.json()
  return last
}

async function reason(path: string): Promise<string> {
  const answer = await app.anna.call('GET', API.archive + path)
  return `${answer.status} ${answer.headers.get('x-fault')}`
}

async function run(cwd: string, ...words: string[]): Promise<void> {
  const child = Bun.spawn(words, { cwd, stdout: 'ignore', stderr: 'pipe' })
  const stderr = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
}

describe('archives of other programs', () => {
  const MADE: Record<string, string[]> = {
    'plain.tar': ['tar', '-cf', 'plain.tar', 'src'],
    'gzip.tar.gz': ['tar', '-czf', 'gzip.tar.gz', 'src'],
    'bzip2.tar.bz2': ['tar', '-cjf', 'bzip2.tar.bz2', 'src'],
    'xz.tar.xz': ['tar', '-cJf', 'xz.tar.xz', 'src'],
    'zstd.tar.zst': ['tar', '--zstd', '-cf', 'zstd.tar.zst', 'src'],
    'info.zip': ['zip', '-qr', 'info.zip', 'src'],
  }
  beforeAll(() => {
    put('real/src/large', new Uint8Array(3 * MIB).fill(7))
    put('real/src/deep/grüße 日本.txt', 'signs')
    put('real/src/empty', '')
  })

  test.each(Object.entries(MADE))(
    '%s is listed, and its files are sent @spec-7.25',
    async (name, words) => {
      await run(disk('real'), ...words)
      const path = `/real/${name}`
      const top = await list(path)
      expect([top.name, top.path, names(top)]).toEqual([name, '/', ['src/']])
      const inside = await list(path, '/src')
      expect(names(inside).sort()).toEqual(['deep/', 'empty', 'large'])
      expect([inside.leftOut, inside.isPartial]).toEqual([0, false])
      const large = inside.items.find((item) => item.name === 'large')
      expect(large).toMatchObject({ path: '/src/large', size: 3 * MIB, type: 'blob', isDir: false })
      expect(Math.abs(Date.parse(large?.modified ?? '') - Date.now())).toBeLessThan(
        24 * 60 * 60_000,
      )
      for (const one of ['large', 'empty', 'deep/grüße 日本.txt']) {
        const answer = await file(path, `/src/${one}`)
        expect(answer.status).toBe(200)
        const sent = new Uint8Array(await answer.arrayBuffer())
        expect(Bun.hash(sent)).toBe(Bun.hash(readFileSync(disk('real/src', one))))
      }
    },
  )
})

describe('names', () => {
  const HOSTILE = ['../out', '/etc/passwd', 'a/../../out', 'a\0b', 'x'.repeat(300)]

  test('names that an extraction refuses are left out of the list, and cannot be read @spec-7.25', async () => {
    const entries = [...HOSTILE, 'a/../b', './fine', 'fine/'].map((name) => ({
      name,
      content: 'x',
    }))
    put('names/hostile.zip', zipOf(...entries, { name: 'a/link', mode: 0o120777, content: '/etc' }))
    const link = { name: 'a/link', type: '2', content: '' }
    put(
      'names/hostile.tar',
      tarOf(...entries.filter(({ name }) => name.length < 100 && !name.includes('\0')), link),
    )
    for (const path of ['/names/hostile.zip', '/names/hostile.tar']) {
      const top = await list(path)
      expect(names(top)).toEqual(['fine'])
      expect(top.leftOut).toBeGreaterThan(5)
      for (const inside of ['../out', '/etc/passwd', '/a/link', 'out', '../../names/hostile.zip']) {
        expect([inside, await outcome(file(path, inside))]).toEqual([inside, '404 notFound'])
      }
    }
  })

  test('folders without an entry of their own exist, and of two entries with one name the first counts', async () => {
    put(
      'names/twice.zip',
      zipOf(
        { name: 'a/b/c', content: 'first' },
        { name: 'a/b/c', content: 'second' },
        { name: 'a/b', content: 'a file in the way' },
        { name: '__proto__/x', content: 'x' },
      ),
    )
    expect(names(await list('/names/twice.zip'))).toEqual(['a/', '__proto__/'])
    const inside = await list('/names/twice.zip', '/a/b/')
    expect([names(inside), inside.leftOut]).toEqual([['c'], 2])
    expect(await (await file('/names/twice.zip', '/a/b/c')).text()).toBe('first')
    expect(await outcomes('/names/twice.zip', '/a/b/c')).toEqual(['409 notDirectory', '200'])
    expect(await outcomes('/names/twice.zip', '/a')).toEqual(['200', '409 isDirectory'])
    expect(await outcomes('/names/twice.zip', '/nothing')).toEqual(['404 notFound', '404 notFound'])
    expect(await outcomes('/names/twice.zip', '/a\0')).toEqual(['400 badRequest', '400 badRequest'])
  })

  test('a name that is not UTF-8 is found by the name of the list', async () => {
    put('names/bytes.tar', tarOf({ name: Buffer.from('caf\xe9', 'latin1'), content: 'bytes' }))
    const { items } = await list('/names/bytes.tar')
    const answer = await file('/names/bytes.tar', items[0]?.path ?? '')
    expect(await answer.text()).toBe('bytes')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="caf_E9"; filename*=utf-8''caf%25E9`,
    )
  })
})

describe('archives that cannot be read', () => {
  test('each invalid archive is refused with its reason @spec-7.25', async () => {
    put('bad/damaged.zip', 'no zip')
    put('bad/damaged.tar.gz', gzipSync(tarOf({ name: 'a', content: 'a' })).subarray(0, 60))
    put('bad/encrypted.zip', zipOf({ name: 'a', content: 'a', flags: 1 }))
    put('bad/text.txt', 'text')
    mkdirSync(disk('bad/folder.zip'))
    expect(await reason('/bad/damaged.zip')).toBe('422 unprocessable; reason=archiveDamaged')
    expect(await reason('/bad/damaged.tar.gz')).toBe('422 unprocessable; reason=archiveDamaged')
    expect(await reason('/bad/encrypted.zip')).toBe('422 unprocessable; reason=archiveEncrypted')
    expect(await reason('/bad/text.txt')).toBe('415 unsupported')
    expect(await reason('/bad/folder.zip')).toBe('409 isDirectory')
    expect(await reason('/bad/nothing.zip')).toBe('404 notFound')
  })

  test('a bomb and an archive with too many entries are refused', async () => {
    const zeros = Buffer.alloc(SERVER_LIMITS.extractFreeBytes + MIB)
    put('bad/bomb.tar.gz', gzipSync(tarOf({ name: 'zeros', content: zeros })))
    put('bad/bomb.zip', zipOf({ name: 'zeros', content: zeros }))
    const many = Array.from({ length: SERVER_LIMITS.extractEntriesMax + 1 }, (_, at) => ({
      name: `${at}`,
    }))
    put('bad/many.tar', tarOf(...many))
    // Each name brings two hundred folders.
    const deep = Array.from({ length: 2000 }, (_, at) => ({ name: `${at}${'/x'.repeat(200)}` }))
    put('bad/deep.zip', zipOf(...deep))
    for (const name of ['bomb.tar.gz', 'bomb.zip', 'many.tar', 'deep.zip']) {
      expect([name, await reason(`/bad/${name}`)]).toEqual([
        name,
        '413 tooLarge; reason=archiveTooLarge',
      ])
    }
    for (const name of ['bomb.tar.gz', 'bomb.zip']) {
      expect(await outcome(file(`/bad/${name}`, '/zeros'))).toMatch(/^(200|413 tooLarge)$/)
      const sent = await file(`/bad/${name}`, '/zeros').then(
        (answer) => answer.arrayBuffer(),
        () => undefined,
      )
      expect(sent?.byteLength ?? 0).toBeLessThan(zeros.length)
    }
  }, 120_000)

  test('a false length aborts the download of a large file; a small file is refused @spec-7.25', async () => {
    for (const [says, size] of [
      [10, 5],
      [5, 10],
      [3 * MIB, 2 * MIB],
      [2 * MIB, 3 * MIB],
    ] as const) {
      const content = Buffer.alloc(size, 'abc')
      put('bad/false.zip', zipOf({ name: 'a', content, says: { sizeBytes: says } }))
      const sent = await file('/bad/false.zip', '/a')
        .then(async (answer) => {
          return answer.ok ? answer.text() : outcome(Promise.resolve(answer))
        })
        .catch(() => 'ended')
      expect([says, sent]).toEqual([says, says > MIB ? 'ended' : '422 unprocessable'])
    }
    const content = Buffer.alloc(3 * MIB, 'abc')
    put('bad/sum.zip', zipOf({ name: 'a', content, says: { crc: 1 } }))
    await expect(file('/bad/sum.zip', '/a').then((answer) => answer.text())).rejects.toThrow()
  })
})

describe('limits', () => {
  test('a large tar is listed without reading its files, up to a limit @limit-52', async () => {
    const header = (name: string, sizeBytes: number) =>
      tarOf({ name, says: { sizeBytes } }).subarray(0, 512)
    put('limits/large.tar', header('first', GIB))
    truncateSync(disk('limits/large.tar'), 512 + GIB)
    writeFileSync(disk('limits/large.tar'), header('second', 3 * GIB), { flag: 'a' })
    truncateSync(disk('limits/large.tar'), 1024 + 4 * GIB)
    writeFileSync(disk('limits/large.tar'), header('third', 1024), { flag: 'a' })
    truncateSync(disk('limits/large.tar'), 1536 + 4 * GIB + 2048)
    const { isPartial, ...top } = await list('/limits/large.tar')
    expect([names({ isPartial, ...top }), isPartial]).toEqual([['first', 'second'], true])
    expect((await file('/limits/large.tar', '/third')).headers.get('content-length')).toBe('1024')
    truncateSync(disk('limits/large.tar'), GIB)
    expect(await reason('/limits/large.tar')).toBe('422 unprocessable; reason=archiveDamaged')
  })

  test('the number of archive files that are sent at once is limited, for a user and for all users @limit-7', async () => {
    putEndless('limits/endless.tar')
    const [one, two] = [
      await app.person('one', '--scope', '/anna'),
      await app.person('two', '--scope', '/anna'),
    ]
    const path = '/limits/endless.tar'
    const unread = (who: Client) =>
      Promise.all(Array.from({ length: 4 }, () => file(path, '/endless', '', who)))
    const answers = await unread(one)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await outcomes(path, '/', one)).toEqual(['429 tooMany', '429 tooMany'])
    expect((await outcomes(path, '/', two))[0]).toBe('200')
    answers.push(...(await unread(two)))
    expect(await outcomes(`/anna${path}`, '/', app.admin)).toEqual([
      '503 unavailable',
      '503 unavailable',
    ])
    await Promise.all(answers.map(({ body }) => body?.cancel()))
    await until(async () => (await outcomes(path, '/', one))[0] === '200')
  }, 30_000)

  test('a visitor reads a limited number of archives at once @limit-8', async () => {
    putEndless('limits/open/endless.tar')
    const made = await app.anna.call('POST', `${API.share}/limits/open`, {})
    const { hash }: { hash: string } = await made.json()
    const visit = (api: string) =>
      app.anonymous.call('GET', `${api}/${hash}/endless.tar${query('/endless')}`)
    const answers = [await visit(API.publicArchiveFile), await visit(API.publicArchiveFile)]
    expect(await outcome(visit(API.publicArchive))).toBe('429 tooMany')
    expect(names(await list('/limits/open/endless.tar'))).toEqual(['endless'])
    await Promise.all(answers.map(({ body }) => body?.cancel()))
    await until(async () => (await outcome(visit(API.publicArchive))) === '409 notDirectory')
  }, 30_000)

  test('a list is read again when the archive changes', async () => {
    put('limits/changing.zip', zipOf({ name: 'before' }))
    expect(names(await list('/limits/changing.zip'))).toEqual(['before'])
    expect(names(await list('/limits/changing.zip'))).toEqual(['before'])
    put('limits/changing.zip', zipOf({ name: 'after' }))
    expect(names(await list('/limits/changing.zip'))).toEqual(['after'])
  })
})

describe('access', () => {
  beforeAll(() => {
    put('mine/a.zip', zipOf({ name: 'docs/x.txt', content: 'secret' }))
    put('mine/b.zip', zipOf({ name: 'x.txt', content: 'hidden' }))
  })

  test('reading an archive needs a session and the right to download', async () => {
    expect(await outcomes('/mine/a.zip', '/docs/x.txt', app.anonymous)).toEqual([
      '401 unauthenticated',
      '401 unauthenticated',
    ])
    const barred = await app.person(
      'barred',
      '--scope',
      '/anna',
      '--perm.download=false',
      '--perm.share=false',
    )
    expect(await outcomes('/mine/a.zip', '/', barred)).toEqual(['403 forbidden', '403 forbidden'])
  })

  test('scope and rules apply to archives, also to a cached list of another user @spec-7.25', async () => {
    expect(names(await list('/mine/a.zip'))).toEqual(['docs/'])
    const other = await app.person('other', '--scope', '/other')
    expect(await outcomes('/mine/a.zip', '/', other)).toEqual(['404 notFound', '404 notFound'])
    expect(await outcomes('/../anna/mine/a.zip', '/', other)).toEqual([
      '404 notFound',
      '404 notFound',
    ])
    expect(names(await list('/anna/mine/b.zip', '/', app.admin))).toEqual(['x.txt'])
    await app.runCommand('rules', 'add', '--regex', '/b[.]zip$')
    expect(await outcomes('/mine/b.zip', '/')).toEqual(['403 forbidden', '403 forbidden'])
  })

  test('a download is recorded with the path in the archive', async () => {
    await (await file('/mine/a.zip', '/docs/x.txt')).text()
    const record = { path: '/anna/mine/a.zip/docs/x.txt', status: 200, bytes: 6 }
    expect(await lastRecord('download')).toMatchObject(record)
  })

  test('a download is recorded below its archive, however its path is written', async () => {
    const x = '/anna/mine/a.zip/docs/x.txt'
    for (const [inside, status, path] of [
      ['/../../docs/x.txt', 200, x],
      ['../docs/./x.txt', 200, x],
      ['docs//y/../x.txt/', 200, x],
      ['/../b.zip', 404, '/anna/mine/a.zip/b.zip'],
      ['..', 404, '/anna/mine/a.zip'],
      ['/../b.zip\0', 400, '/anna/mine/a.zip'],
    ] as const) {
      const answer = await file('/mine/a.zip', inside)
      expect([inside, answer.status]).toEqual([inside, status])
      await answer.arrayBuffer()
      expect(await lastRecord('download')).toMatchObject({ path, status })
    }
  })

  test('a download is recorded with its whole path, also if that is deeper than a path may be', async () => {
    const deep = '/d'.repeat(200)
    put(`${deep}/a.zip`, zipOf({ name: `${deep.slice(1)}/x.txt`, content: 'deep' }))
    expect(await (await file(`${deep}/a.zip`, `${deep}/x.txt`)).text()).toBe('deep')
    expect(await lastRecord('download')).toMatchObject({ path: `/anna${deep}/a.zip${deep}/x.txt` })
  })
})

describe('headers', () => {
  beforeAll(() => {
    const entries = ['x.html', 'x.svg', 'x.txt', 'x.bin'].map((name) => ({
      name,
      content: '<script>alert(1)</script>',
    }))
    put('headers/a.zip', zipOf(...entries))
  })

  test('a file of an archive has the headers of any file, and its scripts cannot run', async () => {
    for (const [name, type, shown] of [
      ['x.html', 'text/plain; charset=utf-8', 'inline'],
      ['x.svg', 'image/svg+xml', 'inline'],
      ['x.txt', 'text/plain; charset=utf-8', 'inline'],
      ['x.bin', 'application/octet-stream', 'attachment'],
    ] as const) {
      const { headers } = await file('/headers/a.zip', `/${name}`, '&inline=true')
      expect([name, headers.get('content-type')]).toEqual([name, type])
      expect(headers.get('content-disposition')).toBe(
        `${shown}; filename="${name}"; filename*=utf-8''${name}`,
      )
      expect(headers.get('content-security-policy')).toStartWith('sandbox;')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const saved = await file('/headers/a.zip', `/${name}`)
      expect(saved.headers.get('content-type')).toBe('application/octet-stream')
      expect(saved.headers.get('content-disposition')).toStartWith('attachment')
    }
  })

  test('a file of an archive can be 304, has no ranges, and HEAD has its length', async () => {
    const answer = await file('/headers/a.zip', '/x.txt')
    const tag = answer.headers.get('etag') ?? ''
    const address = `${API.archiveFile}/headers/a.zip${query('/x.txt')}`
    const known = await app.anna.call('GET', address, undefined, { 'If-None-Match': tag })
    expect(known.status).toBe(304)
    const ranged = await app.anna.call('GET', address, undefined, { Range: 'bytes=0-1' })
    expect([ranged.status, (await ranged.text()).length]).toEqual([200, 25])
    const head = await app.anna.call('HEAD', address)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '25'])
    const other = await file('/headers/a.zip', '/x.html')
    expect(other.headers.get('etag')).not.toBe(tag)
  })
})

describe('shares', () => {
  beforeAll(() => put('shared/in/a.zip', zipOf({ name: 'docs/x.txt', content: 'shared' })))

  const shared = async (path: string, options: object = {}) => {
    const answer = await app.anna.call('POST', API.share + path, options)
    const { hash }: { hash: string } = await answer.json()
    return hash
  }
  const visit = (api: string, address: string, inside: string, more = '') =>
    app.anonymous.call('GET', `${api}/${address}${query(inside, more)}`)

  test('visitors list a shared archive and download from it, in a shared folder and as a shared file @spec-7.25', async () => {
    for (const address of [
      `${await shared('/shared')}/in/a.zip`,
      await shared('/shared/in/a.zip'),
    ]) {
      const top: ArchiveFolder = await (await visit(API.publicArchive, address, '/')).json()
      expect([top.name, names(top)]).toEqual(['a.zip', ['docs/']])
      const answer = await visit(API.publicArchiveFile, address, '/docs/x.txt')
      expect(await answer.text()).toBe('shared')
    }
  })

  test('a download from a shared archive is recorded with its share and its path below the archive', async () => {
    const [folder, archive] = [await shared('/shared'), await shared('/shared/in/a.zip')]
    for (const [address, share, path] of [
      [`${folder}/in/a.zip`, folder, '/in/a.zip/docs/x.txt'],
      [archive, archive, '/docs/x.txt'],
    ] as const) {
      for (const inside of ['/docs/x.txt', '/../../docs/x.txt']) {
        expect(await outcome(visit(API.publicArchiveFile, address, inside))).toBe('200')
        expect(await lastRecord('publicDownload')).toMatchObject({ share, path })
      }
    }
  })

  test('password and expiry of a share apply to its archives', async () => {
    const hash = await shared('/shared/in', { password: 'opens it', expires: '1', unit: 'hours' })
    const both = async (more = '') => [
      await outcome(visit(API.publicArchive, `${hash}/a.zip`, '/', more)),
      await outcome(visit(API.publicArchiveFile, `${hash}/a.zip`, '/docs/x.txt', more)),
    ]
    expect(await both()).toEqual(['401 unauthenticated', '401 unauthenticated'])
    const opened = await app.anonymous.call('GET', `${API.publicShare}/${hash}`, undefined, {
      'X-SHARE-PASSWORD': encodeURIComponent('opens it'),
    })
    const { token } = await opened.json()
    expect(await both(`&token=${token}`)).toEqual(['200', '200'])
    await app.anna.call('DELETE', `${API.share}/${hash}`)
    expect(await both(`&token=${token}`)).toEqual(['404 notFound', '404 notFound'])
  })
})
