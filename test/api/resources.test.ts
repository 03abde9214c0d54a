import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FileEntry, FlatEntry, Listing } from '#wire/api/entry.ts'
import { API, urls } from '#wire/api/routes.ts'
import { childPath, parsePath, ROOT } from '#wire/paths.ts'
import { NASTY_NAMES } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const at = (path: string) => urls.resource(parsePath(path))
const folderAt = (path: string) => urls.resource(parsePath(path), true)
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const anna = (method: string, address: string, body?: BodyInit, headers?: Record<string, string>) =>
  app.anna.call(method, address, body, headers)
const list = async (path: string) => (await (await anna('GET', folderAt(path))).json()) as Listing
const move = (action: 'copy' | 'rename', from: string, to: string, flags: object = {}) =>
  outcome(
    anna('PATCH', urls.move(parsePath(from), { action, destination: parsePath(to), ...flags })),
  )

describe('who may', () => {
  test('files need a session, and each user has only their own folder', async () => {
    writeFileSync(disk('own.txt'), 'own')
    writeFileSync(join(app.root, 'top.txt'), 'top')
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      expect(await outcome(app.anonymous.call(method, at('/anna/own.txt')))).toBe(
        '401 unauthenticated',
      )
    }
    expect(await outcome(anna('GET', at('/own.txt')))).toBe('200')
    expect(await outcome(anna('GET', at('/top.txt')))).toBe('404 notFound')
    expect(await outcome(app.admin.call('GET', at('/top.txt')))).toBe('200')
  })

  test('a change needs its permission', async () => {
    const reader = await app.person(
      'reader',
      '--scope',
      '/anna',
      ...['create', 'rename', 'modify', 'delete', 'share'].map((name) => `--perm.${name}=false`),
    )
    writeFileSync(disk('own.txt'), 'own')
    const tries: [string, string][] = [
      ['POST', at('/new.txt')],
      ['POST', folderAt('/new')],
      ['PUT', at('/own.txt')],
      ['DELETE', at('/own.txt')],
      [
        'PATCH',
        urls.move(parsePath('/own.txt'), { action: 'rename', destination: parsePath('/x') }),
      ],
      ['PATCH', urls.move(parsePath('/own.txt'), { action: 'copy', destination: parsePath('/x') })],
    ]
    for (const [method, address] of tries) {
      expect(await outcome(reader.call(method, address))).toBe('403 forbidden')
    }
    expect(readFileSync(disk('own.txt'), 'utf8')).toBe('own')
    expect(existsSync(disk('new'))).toBe(false)
  })

  test('a user who may not download gets no text', async () => {
    const reader = await app.withoutDownload()
    writeFileSync(disk('own.txt'), 'own')
    const entry = (await (await reader.call('GET', at('/own.txt'))).json()) as FileEntry
    expect(entry.content).toBeUndefined()
    expect(entry.type).toBe('text')
  })
})

describe('looking', () => {
  test('a folder shows what File Browser shows @spec-7.12', async () => {
    mkdirSync(disk('look', 'sub'), { recursive: true })
    writeFileSync(disk('look', 'a.txt'), 'hello', { mode: 0o640 })
    const answer = await anna('GET', folderAt('/look'))
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const listing = (await answer.json()) as Listing
    expect(listing).toMatchObject({
      path: '/look',
      name: 'look',
      isDir: true,
      type: '',
      numDirs: 1,
      numFiles: 1,
      sorting: { by: 'name', asc: true },
    })
    expect(listing.items).toMatchObject([
      { path: '/look/sub', name: 'sub', isDir: true, type: '', extension: '' },
      {
        path: '/look/a.txt',
        name: 'a.txt',
        isDir: false,
        size: 5,
        extension: '.txt',
        type: 'text',
        mode: 0o640,
        isSymlink: false,
      },
    ])
    expect(listing.mode).toBeGreaterThan(2 ** 31)
  })

  test('the entry of a file carries its text; the root has no name @spec-7.12', async () => {
    writeFileSync(disk('README'), 'read me')
    const entry = (await (await anna('GET', at('/README'))).json()) as FileEntry
    expect(entry).toMatchObject({ type: 'text', content: 'read me' })
    expect(entry).not.toHaveProperty('items')
    expect((await list('/')).name).toBe('')
  })

  test('a file of bytes is not sent as text, whatever its name says', async () => {
    writeFileSync(disk('noise'), new Uint8Array([0, 1, 2, 255]))
    const entry = (await (await anna('GET', at('/noise'))).json()) as FileEntry
    expect(entry.type).toBe('blob')
    expect(entry.content).toBeUndefined()
  })

  test('a listing is in the order of names as users expect it, folders first', async () => {
    for (const name of ['b10', 'B9', 'a', 'Ä']) mkdirSync(disk('sorted', name), { recursive: true })
    for (const name of ['10.txt', '9.txt']) writeFileSync(disk('sorted', name), '')
    expect((await list('/sorted')).items.map(({ name }) => name)).toEqual([
      'a',
      'Ä',
      'B9',
      'b10',
      '9.txt',
      '10.txt',
    ])
    const answer = await anna('GET', `${folderAt('/sorted')}?by=name&asc=false`)
    const down = (await answer.json()) as Listing
    expect(down.items.map(({ name }) => name)).toEqual(['b10', 'B9', 'Ä', 'a', '10.txt', '9.txt'])
  })

  test('a missing path is 404, and an invalid one 400 @spec-7.3', async () => {
    expect(await outcome(anna('GET', at('/missing')))).toBe('404 notFound')
    expect(await outcome(anna('GET', `${API.resources}/%zz`))).toBe('400 badRequest')
    const notText = await anna('GET', `${API.resources}/%ff`)
    expect(await notText.text()).toContain('The name is not valid UTF-8: /%ff')
    expect(await outcome(anna('GET', `${API.resources}/a%00b`))).toBe('400 badRequest')
  })
})

describe('a link that leads to nothing', () => {
  test('a dangling link is listed, and cannot be read', async () => {
    mkdirSync(disk('links'))
    symlinkSync('gone.txt', disk('links/broken.txt'))
    symlinkSync('gone.jpg', disk('links/broken.jpg'))
    const { items }: Listing = await (await anna('GET', folderAt('/links'))).json()
    expect(items.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'broken.jpg invalid_link',
      'broken.txt invalid_link',
    ])
    for (const ending of ['', '?content=true', '?checksum=md5']) {
      expect(await outcome(anna('GET', at('/links/broken.txt') + ending))).toBe('404 notFound')
    }
    const raw = (name: string) => urls.raw(parsePath(`/links/${name}`))
    expect(await outcome(anna('GET', raw('broken.txt')))).toBe('404 notFound')
    // What a person looks at is described as the link that it is (docs/api.md 8.4).
    const picture: FileEntry = await (await anna('GET', at('/links/broken.jpg'))).json()
    expect(picture).toMatchObject({ type: 'invalid_link', isSymlink: true })
    expect(await outcome(anna('GET', raw('broken.jpg')))).toBe('404 notFound')
    expect(await outcome(anna('DELETE', at('/links/broken.txt')))).toBe('204')
  })

  test('a link that leads to nothing in a shared folder is not read by visitors either', async () => {
    mkdirSync(disk('shared-links'))
    symlinkSync('gone.txt', disk('shared-links/broken.txt'))
    const { hash } = await (await anna('POST', `${API.share}/shared-links/`, '{}')).json()
    const file = `${hash}/broken.txt`
    expect(await outcome(app.anonymous.call('GET', `${API.publicShare}/${file}`))).toBe(
      '404 notFound',
    )
    expect(await outcome(app.anonymous.call('GET', `${API.publicDownload}/${file}`))).toBe(
      '404 notFound',
    )
  })
})

describe('a link that leads outside', () => {
  test('an administrator sees and deletes it, a user and a visitor do not see it', async () => {
    mkdirSync(disk('outer'))
    writeFileSync(disk('outer/a.txt'), 'a')
    for (const target of ['/nonexistent', '/etc/hostname', '/proc/self/status'])
      symlinkSync(target, disk('outer', `to ${target.split('/').at(1)}`))
    const admin = async (): Promise<Listing> =>
      (await app.admin.call('GET', `${API.resources}/anna/outer/`)).json()
    const seen = await admin()
    const outside = { type: 'invalid_link', leadsOutside: true, isSymlink: true }
    expect(seen.items).toMatchObject([
      { name: 'a.txt', type: 'text' },
      { name: 'to etc', ...outside },
      { name: 'to nonexistent', ...outside },
      { name: 'to proc', ...outside },
    ])
    expect(seen.numFiles).toBe(4)
    expect(seen.items[0]).not.toHaveProperty('leadsOutside')
    const { items }: Listing = await (await anna('GET', folderAt('/outer'))).json()
    expect(items.map(({ name }) => name)).toEqual(['a.txt'])
    const share = await app.admin.call('POST', `${API.share}/anna/outer/`, '{}')
    const { hash } = await share.json()
    const visitor = await app.anonymous.call('GET', `${API.publicShare}/${hash}`)
    expect(((await visitor.json()) as Listing).items.map(({ name }) => name)).toEqual(['a.txt'])
    const through = `${API.raw}/anna/outer/to%20etc`
    expect(await outcome(app.admin.call('GET', through))).toBe('403 outside')
    const link = `${API.resources}/anna/outer/to%20etc`
    expect(await outcome(app.admin.call('DELETE', link))).toBe('204')
    expect((await admin()).items.map(({ name }) => name)).not.toContain('to etc')
  })
})

describe('checksums', () => {
  test('each checksum is for those who may download; the text is left out @spec-7.16', async () => {
    writeFileSync(disk('sum.txt'), 'sum')
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'] as const) {
      const entry = (await (
        await anna('GET', urls.checksum(parsePath('/sum.txt'), algorithm))
      ).json()) as FileEntry
      expect(entry.checksums).toEqual({
        [algorithm]: createHash(algorithm).update('sum').digest('hex'),
      })
      expect(entry).not.toHaveProperty('content')
    }
    expect(await outcome(anna('GET', `${at('/sum.txt')}?checksum=crc32`))).toBe('400 badRequest')
    const reader = await app.withoutDownload()
    expect(await outcome(reader.call('GET', `${at('/sum.txt')}?checksum=md5`))).toBe(
      '403 forbidden',
    )
    expect(
      await outcome(reader.call('GET', at('/sum.txt'), undefined, { 'X-Encoding': 'true' })),
    ).toBe('403 forbidden')
  })

  test('the bytes of a text are sent as they are when a client wants to decode them itself @spec-7.15', async () => {
    writeFileSync(disk('table.csv'), 'a;b')
    const reader = await app.person('text-reader', '--scope', '/anna', '--perm.modify=false')
    for (const who of [app.anna, reader]) {
      const answer = await who.call('GET', at('/table.csv'), undefined, { 'X-Encoding': 'true' })
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(await answer.text()).toBe('a;b')
    }
  })
})

describe('the recursive listing', () => {
  const flat = (path: string) => `${API.resources}/recursive${path}`

  test('the recursive listing is flat, folders first, links not followed, denied entries left out @spec-7.21', async () => {
    mkdirSync(disk('rec', 'b', 'deep'), { recursive: true })
    writeFileSync(disk('rec', 'a.txt'), 'ab')
    writeFileSync(disk('rec', 'b', 'deep', 'x'), '')
    symlinkSync('b', disk('rec', 'link'))
    const rows = (await (await anna('GET', flat('/rec'))).json()) as FlatEntry[]
    expect(rows.map(({ path, isDir }) => [String(path), isDir])).toEqual([
      ['/rec/a.txt', false],
      ['/rec/b', true],
      ['/rec/b/deep', true],
      ['/rec/b/deep/x', false],
      ['/rec/link', false],
    ])
    expect(rows[0]).toMatchObject({ name: 'a.txt', size: 2 })
    expect(await outcome(anna('GET', flat('/rec/a.txt')))).toBe('400 badRequest')
    expect(await outcome(anna('GET', flat('/missing')))).toBe('404 notFound')
  })

  test('the recursive listing does not hide a folder named recursive', async () => {
    mkdirSync(disk('recursive'), { recursive: true })
    writeFileSync(disk('recursive', 'found'), 'x')
    const answer = await anna('GET', folderAt('/recursive'), undefined, { 'X-Encoding': 'false' })
    expect(((await answer.json()) as Listing).items.map(({ name }) => name)).toEqual(['found'])
    const items = await (await anna('GET', at('/recursive-not'))).text()
    expect(items).toContain('no file or folder')
  })
})

describe('creating and saving', () => {
  test('a new file is created completely, with its parent folders and the configured mode @spec-7.1 @spec-7.17', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    const answer = await anna('POST', at('/new/deep/file.bin'), bytes, {
      'X-Modified': '1700000000000',
    })
    expect(`${answer.status} ${await answer.text()}`).toBe('200 200 OK\n')
    expect(answer.headers.get('etag')).toMatch(/^".+"$/)
    const sum = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
    expect(sum(readFileSync(disk('new', 'deep', 'file.bin')))).toBe(sum(bytes))
    expect(statSync(disk('new', 'deep', 'file.bin')).mtimeMs).toBe(1_700_000_000_000)
    expect(statSync(disk('new', 'deep', 'file.bin')).mode & 0o777).toBe(0o640)
    expect(statSync(disk('new', 'deep')).mode & 0o777).toBe(0o750)
  })

  test('a taken name is 409 unless the request says override @spec-7.17', async () => {
    writeFileSync(disk('taken.txt'), 'old')
    expect(await outcome(anna('POST', at('/taken.txt'), 'new'))).toBe('409 conflict')
    expect(readFileSync(disk('taken.txt'), 'utf8')).toBe('old')
    expect(await outcome(anna('POST', `${at('/taken.txt')}?override=true`, 'new'))).toBe('200')
    expect(readFileSync(disk('taken.txt'), 'utf8')).toBe('new')
  })

  test('a folder may be made twice, and no file ever replaces it @spec-7.17', async () => {
    expect(await outcome(anna('POST', folderAt('/folder')))).toBe('200')
    expect(await outcome(anna('POST', folderAt('/folder')))).toBe('200')
    writeFileSync(disk('folder', 'inside'), 'x')
    expect(await outcome(anna('POST', `${at('/folder')}?override=true`, 'x'))).toBe(
      '409 isDirectory',
    )
    expect(readdirSync(disk('folder'))).toEqual(['inside'])
  })

  test('a save replaces an existing file, creates no new one, and respects If-Match @spec-7.18', async () => {
    writeFileSync(disk('doc.txt'), 'one')
    const tag = (await anna('GET', at('/doc.txt'))).headers.get('etag') ?? ''
    expect(await outcome(anna('PUT', at('/doc.txt'), 'two', { 'If-Match': tag }))).toBe('200')
    expect(await outcome(anna('PUT', at('/doc.txt'), 'three', { 'If-Match': tag }))).toBe(
      '412 precondition',
    )
    expect(readFileSync(disk('doc.txt'), 'utf8')).toBe('two')
    expect(await outcome(anna('PUT', at('/none.txt'), 'x'))).toBe('404 notFound')
    expect(await outcome(anna('PUT', folderAt('/folder'), 'x'))).toBe('405 methodNotAllowed')
  })

  test('an interrupted upload leaves the old file complete and nothing else @spec-11.2', async () => {
    writeFileSync(disk('whole.txt'), 'whole')
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(app.url).port),
      socket: { data: () => undefined },
    })
    socket.write(
      `PUT ${at('/whole.txt')} HTTP/1.1\r\nHost: x\r\nX-Auth: ${app.anna.token}\r\nContent-Length: 1000\r\n\r\nhalf`,
    )
    socket.flush()
    await anna('GET', at('/whole.txt'))
    socket.terminate()
    const folder = join(app.root, '.filemgr', 'work')
    const staged = () => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)))
    while (staged().length > 0) await Bun.sleep(5)
    expect(readFileSync(disk('whole.txt'), 'utf8')).toBe('whole')
  })
})

describe('moving, copying and removing', () => {
  test('a move and a copy take everything inside along @spec-7.20', async () => {
    mkdirSync(disk('tree', 'sub'), { recursive: true })
    writeFileSync(disk('tree', 'sub', 'x'), 'x')
    expect(await move('copy', '/tree', '/copied')).toBe('200')
    expect(await move('rename', '/tree', '/far/moved')).toBe('200')
    expect(readFileSync(disk('copied', 'sub', 'x'), 'utf8')).toBe('x')
    expect(readFileSync(disk('far', 'moved', 'sub', 'x'), 'utf8')).toBe('x')
    expect(existsSync(disk('tree'))).toBe(false)
  })

  test('a taken destination is refused, replaced, or kept beside @spec-7.20', async () => {
    writeFileSync(disk('one.txt'), 'one')
    writeFileSync(disk('two.txt'), 'two')
    expect(await move('copy', '/one.txt', '/two.txt')).toBe('409 conflict')
    expect(await move('copy', '/one.txt', '/two.txt', { rename: true })).toBe('200')
    expect(readFileSync(disk('two(1).txt'), 'utf8')).toBe('one')
    expect(await move('copy', '/one.txt', '/two.txt', { override: true })).toBe('200')
    expect(readFileSync(disk('two.txt'), 'utf8')).toBe('one')
    expect(await move('copy', '/one.txt', '/one.txt', { rename: true })).toBe('200')
    expect(readFileSync(disk('one(1).txt'), 'utf8')).toBe('one')
  })

  test('the number of a folder follows its whole name, because a folder has no extension', async () => {
    mkdirSync(disk('v1.2'))
    writeFileSync(disk('v1.2', 'x'), 'x')
    expect(await move('copy', '/v1.2', '/v1.2', { rename: true })).toBe('200')
    expect(await move('rename', '/v1.2', '/v1.2(1)', { rename: true })).toBe('200')
    expect(readFileSync(disk('v1.2(1)', 'x'), 'utf8')).toBe('x')
    expect(readFileSync(disk('v1.2(1)(1)', 'x'), 'utf8')).toBe('x')
  })

  test('a transfer into itself, onto itself, of the root, or by an unknown act is refused', async () => {
    mkdirSync(disk('self', 'sub'), { recursive: true })
    expect(await move('copy', '/self', '/self/sub/deeper')).toBe('400 badRequest')
    expect(await move('rename', '/self', '/self/sub/deeper')).toBe('400 badRequest')
    expect(await move('copy', '/self', '/self', { override: true })).toBe('409 conflict')
    expect(await move('rename', '/', '/x')).toBe('403 forbidden')
    expect(await outcome(anna('PATCH', `${at('/self')}?action=burn&destination=%2Fx`))).toBe(
      '400 badRequest',
    )
    expect(await outcome(anna('PATCH', `${at('/self')}?action=copy`))).toBe('400 badRequest')
    expect(readdirSync(disk('self', 'sub'))).toEqual([])
  })

  test('a folder is merged into one of its name that contains it, and both actions say so', async () => {
    const fill = () => {
      rmSync(disk('T'), { recursive: true, force: true })
      mkdirSync(disk('T', 'NF', 'NF', 'NF'), { recursive: true })
      writeFileSync(disk('T', 'NF', 'NF', 'i'), 'i')
      writeFileSync(disk('T', 'NF', 'NF', 'NF', 'd'), 'd')
    }
    fill()
    const destination = parsePath('/T/NF')
    const query = { action: 'rename', destination, override: true } as const
    const answer = await anna('PATCH', urls.move(parsePath('/T/NF/NF'), query))
    expect([answer.status, answer.headers.get('x-journal-id')]).toEqual([
      200,
      expect.stringMatching(/^\d+$/),
    ])
    expect(readdirSync(disk('T', 'NF')).sort()).toEqual(['NF', 'i'])
    expect(readdirSync(disk('T', 'NF', 'NF'))).toEqual(['d'])
    fill()
    expect(await move('copy', '/T/NF/NF', '/T/NF', { override: true })).toBe('200')
    expect(readdirSync(disk('T', 'NF')).sort()).toEqual(['NF', 'i'])
    expect(readdirSync(disk('T', 'NF', 'NF')).sort()).toEqual(['NF', 'd', 'i'])
  })

  test.each([
    ['too deep', '/x'.repeat(300), 'A path may have at most 256 levels.'],
    ['a path with NUL', '/a%00', 'A path cannot contain a NUL character.'],
    ['wrongly encoded', '/%zz', 'The parameter destination cannot be decoded.'],
  ])('a destination that is %s is refused with the reason', async (_, destination, reason) => {
    writeFileSync(disk('/stays'), '')
    const query = `action=copy&destination=${encodeURIComponent(destination)}`
    const answer = await anna('PATCH', `${at('/stays')}?${query}`)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(reason)])
  })

  test('the destination is decoded twice, as File Browser’s clients encode it @spec-7.20', async () => {
    writeFileSync(disk('plain'), 'x')
    expect(
      await outcome(anna('PATCH', `${at('/plain')}?action=copy&destination=%252Fa%2525b%252Bc`)),
    ).toBe('200')
    expect(existsSync(disk('a%b+c'))).toBe(true)
    expect(await outcome(anna('PATCH', `${at('/plain')}?action=copy&destination=%2Fonce`))).toBe(
      '200',
    )
    expect(await outcome(anna('PATCH', `${at('/plain')}?action=copy&destination=%25zz`))).toBe(
      '400 badRequest',
    )
  })

  test('a file and a folder are removed @spec-7.19', async () => {
    mkdirSync(disk('gone', 'deep'), { recursive: true })
    expect(await outcome(anna('DELETE', at('/gone')))).toBe('204')
    expect(existsSync(disk('gone'))).toBe(false)
    expect(await outcome(anna('DELETE', at('/gone')))).toBe('404 notFound')
    expect(await outcome(anna('DELETE', `${API.resources}/`))).toBe('403 forbidden')
  })
})

test('every name works in every call', async () => {
  for (const name of NASTY_NAMES) {
    const path = childPath(ROOT, name)
    const there = childPath(parsePath('/names'), name)
    expect(await outcome(anna('POST', urls.resource(path), name))).toBe('200')
    expect(
      await outcome(anna('PATCH', urls.move(path, { action: 'copy', destination: there }))),
    ).toBe('200')
    expect(await (await anna('GET', urls.raw(there))).text()).toBe(name)
    const renamed = childPath(ROOT, 'renamed')
    expect(
      await outcome(anna('PATCH', urls.move(path, { action: 'rename', destination: renamed }))),
    ).toBe('200')
    expect(
      await outcome(anna('PATCH', urls.move(renamed, { action: 'rename', destination: path }))),
    ).toBe('200')
    expect(await outcome(anna('DELETE', urls.resource(path)))).toBe('204')
  }
  expect(readdirSync(disk('names')).sort()).toEqual([...NASTY_NAMES].sort())
  expect((await list('/names')).items.map(({ name }) => name).sort()).toEqual(
    [...NASTY_NAMES].sort(),
  )
})

test('a file larger than this server accepts is refused, announced or not, and leaves nothing', async () => {
  const server = await startServer({ args: ['--upload-limit', '1KB'] })
  const admin = await signIn(server.url, 'admin', server.password)
  const body = 'x'.repeat(1025)
  const endless = () => new Blob([body]).stream()
  expect(await outcome(admin.call('POST', '/api/resources/a', body))).toBe('413 tooLarge')
  expect(await outcome(admin.call('POST', '/api/resources/a', endless()))).toBe('413 tooLarge')
  expect(
    await outcome(admin.call('POST', '/api/tus/a', undefined, { 'Upload-Length': '1025' })),
  ).toBe('413 tooLarge')
  expect(await outcome(admin.call('POST', '/api/resources/a', 'x'.repeat(1024)))).toBe('200')
  expect(readdirSync(server.root)).toEqual(['.filemgr', 'a'])
  await server.stop()
})
