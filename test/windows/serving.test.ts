/**
 * The executable for Windows serves a folder: under Wine, which is not Windows. docs/install.md says what this cannot show.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import type { Listing } from '#wire/api/entry.ts'
import type { JobRequest } from '#wire/api/jobs.ts'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API, urls } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import type { BatchResult } from '#wire/shapes/batch.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { until } from '../support/server/broken-connection.ts'
import { anonymous, type Client, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { ended, started } from '../support/server/jobs.ts'
import { printedBy } from '../support/server/printed.ts'
import { isRunning } from '../support/server/process.ts'
import { type ServerOptions, startServer, type TestServer } from '../support/server/server.ts'
import {
  endWine,
  holder,
  inWine,
  noWine,
  prepareWine,
  shortNameOf,
  WINE_ENV,
  windowsProgram,
} from '../support/system/wine.ts'

const missing = noWine() ?? (await prepareWine())
if (missing) process.stderr.write(`The executable for Windows is not tried: ${missing}\n`)

describe.skipIf(missing !== undefined)('on Windows', () => {
  const folder = temporaryFolder()
  const root = join(folder.path, 'Served')
  /** In the served folder, where no request may reach it. */
  const database = join(root, 'data', 'filemgr.db')
  let server: TestServer
  let admin: Client
  let password = ''

  const program = () => inWine(windowsProgram())
  const start = (options: ServerOptions = {}) =>
    startServer({ root, database, program: program(), env: WINE_ENV, ...options })

  beforeAll(async () => {
    mkdirSync(join(root, 'data'), { recursive: true })
    server = await start({ printsPassword: true })
    password = server.password
    admin = await signIn(server.url, 'admin', password)
  })
  afterAll(async () => {
    await server.stop()
    endWine()
    folder.remove()
  })

  const at = (path: string) => urls.resource(parsePath(path))
  const disk = (...names: string[]) => join(root, ...names)
  const text = (name: string) => readFileSync(disk(name), 'utf8')
  const names = async (path = '/'): Promise<string[]> => {
    const answer = await admin.call('GET', urls.resource(parsePath(path), true))
    const { items }: Listing = await answer.json()
    return items.map(({ name }) => name).sort()
  }
  const statusOf = async (answer: Promise<Response>) => (await answer).status
  const statusAndText = async (answer: Promise<Response>) => {
    const response = await answer
    return `${response.status} ${(await response.text()).trim()}`
  }
  const put = (path: string, content: string) =>
    admin.call('POST', urls.upload(parsePath(path), true), content)
  const move = (action: 'rename' | 'copy', from: string, to: string) =>
    admin.call(
      'PATCH',
      urls.move(parsePath(from), { action, destination: parsePath(to), override: false }),
    )
  const create = (path: TreePath, length: number) =>
    admin.call('POST', urls.tus(path, false), undefined, { 'Upload-Length': String(length) })
  const send = (path: string, offset: number, bytes: string) =>
    admin.call('PATCH', API.tus + path, bytes, {
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    })

  test('the first start prints the address and the password, a later one no password', async () => {
    expect(server.output()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\r?\n/m)
    expect(password).not.toBe('')
    expect(server.output()).toContain('Storage: portable')
  })

  test('files are uploaded, listed, read in parts, saved with a version, and shared', async () => {
    expect(await statusOf(put('/a.txt', 'first'))).toBe(200)
    expect(await statusOf(put('/deep/er/b.txt', 'deep'))).toBe(200)
    expect(await names()).toEqual(['a.txt', 'data', 'deep'])
    const part = await admin.call('GET', urls.raw(parsePath('/a.txt')), undefined, {
      Range: 'bytes=1-3',
    })
    expect(`${part.status} ${await part.text()}`).toBe('206 irs')
    expect(await statusOf(admin.call('PUT', at('/a.txt'), 'second'))).toBe(200)
    expect(text('a.txt')).toBe('second')
    const versions: TrashItemInfo[] = await (
      await admin.call('GET', `${API.versions}/a.txt`)
    ).json()
    expect(versions).toMatchObject([{ size: 5 }])
    const { hash } = await (await admin.call('POST', `${API.share}/a.txt`, {})).json()
    const shared = await anonymous(server.url).call('GET', `${API.publicDownload}/${hash}`)
    expect(await shared.text()).toBe('second')
  })

  test('entries are renamed, also in their case only, copied, deleted, restored and undone', async () => {
    await put('/case.txt', 'case')
    expect(await statusAndText(move('rename', '/case.txt', '/Case.TXT'))).toBe('200 200 OK')
    expect(await names()).toContain('Case.TXT')
    await put('/tree/below/x', 'x')
    expect(await statusAndText(move('copy', '/tree', '/copied'))).toBe('200 200 OK')
    expect(await statusAndText(move('rename', '/tree', '/Tree'))).toBe('200 200 OK')
    expect(await statusAndText(move('rename', '/Tree', '/copied/moved'))).toBe('200 200 OK')
    expect(text('copied/moved/below/x')).toBe('x')
    const deleted = await admin.call('DELETE', at('/copied'))
    expect(deleted.status).toBe(204)
    expect(existsSync(disk('copied'))).toBe(false)
    const trash: TrashItemInfo[] = await (await admin.call('GET', API.trash)).json()
    expect(trash.map(({ path }) => String(path))).toEqual(['/copied'])
    const id = Number(deleted.headers.get(JOURNAL_HEADER))
    expect(await statusOf(admin.call('POST', `${API.journal}/undo`, { id }))).toBe(200)
    expect(text('copied/below/x')).toBe('x')
    await admin.call('DELETE', at('/copied'))
    const [item]: TrashItemInfo[] = await (await admin.call('GET', API.trash)).json()
    expect(await statusOf(admin.call('DELETE', `${API.trash}?id=${item?.id}`))).toBe(204)
    expect(await (await admin.call('GET', API.trash)).json()).toEqual([])
  })

  test('an upload goes on after the server was killed, and nothing is half-written', async () => {
    expect(await statusOf(create(parsePath('/big.bin'), 6))).toBe(201)
    expect(await statusOf(send('/big.bin', 0, 'abc'))).toBe(204)
    server.kill('SIGKILL')
    await server.stop()
    expect(existsSync(disk('big.bin'))).toBe(false)
    server = await start()
    expect(server.output()).not.toContain('password:')
    admin = await signIn(server.url, 'admin', password)
    const head = await admin.call('HEAD', `${API.tus}/big.bin`)
    expect(head.headers.get('upload-offset')).toBe('3')
    expect(await statusOf(send('/big.bin', 3, 'def'))).toBe(204)
    expect(text('big.bin')).toBe('abcdef')
    // The folder of the killed process is recognised as abandoned.
    expect(readdirSync(disk('.filemgr', 'work')).length).toBe(1)
  })

  test('a name that Windows would not store as it is is refused with its rule', async () => {
    const refused = {
      'nul.txt': 'On Windows a name cannot be nul.txt, because Windows reserves it for a device.',
      COM1: 'On Windows a name cannot be COM1, because Windows reserves it for a device.',
      'dot.': 'On Windows a name cannot end with a dot or a space.',
      'space ': 'On Windows a name cannot end with a dot or a space.',
      'a.txt:stream': 'On Windows a name cannot contain the character :.',
      'a.txt::$DATA': 'On Windows a name cannot contain the character :.',
      'a\\b': 'On Windows a name cannot contain the character \\.',
      'what?': 'On Windows a name cannot contain the character ?.',
    }
    for (const [name, rule] of Object.entries(refused)) {
      const path = `/${name}`
      expect(await statusAndText(put(path, 'x'))).toContain(rule)
      expect(await statusAndText(admin.call('GET', urls.raw(parsePath(path))))).toContain(rule)
      expect(await statusAndText(create(parsePath(path), 1))).toContain(rule)
      expect(await statusAndText(move('copy', '/a.txt', path))).toContain(rule)
      expect(
        await statusAndText(admin.call('POST', urls.resource(parsePath(path), true))),
      ).toContain(rule)
    }
  })

  test('a reserved name in an archive or in a form is refused with the rule, and the others are stored', async () => {
    const zip = zipSync({ 'aux.txt': new Uint8Array([1]), 'fine.txt': new Uint8Array([2]) })
    await admin.call('POST', urls.upload(parsePath('/odd.zip'), true), zip)
    const request: JobRequest = {
      kind: 'extract',
      items: [{ path: parsePath('/odd.zip'), decision: 'refuse' }],
      to: parsePath('/out'),
    }
    const { id } = await started(admin, request)
    const job = await ended(admin, id)
    expect(job).toMatchObject({ failed: 1 })
    expect(await names('/out')).toEqual(['fine.txt'])
    const form = new FormData()
    for (const name of ['prn', 'good.txt']) {
      form.append('info', JSON.stringify({ path: name, size: 1 }))
      form.append('file', new Blob(['x']), 'file')
    }
    const answer = await admin.call('POST', `${API.batch}/`, form)
    const { results }: { results: BatchResult[] } = await answer.json()
    expect(results).toMatchObject([
      { message: 'On Windows a name cannot be prn, because Windows reserves it for a device.' },
      { path: '/good.txt', status: 200 },
    ])
  })

  test('the files of the server have no name by which they are reached', async () => {
    expect(await names('/data')).toEqual([])
    const short = shortNameOf(disk('.filemgr'))
    for (const path of [
      '/data/filemgr.db',
      '/DATA/FileMgr.DB',
      '/data/filemgr.db-wal',
      '/.filemgr/identity',
      '/.FILEMGR/identity',
      `/${short}/identity`,
    ]) {
      expect(await statusOf(admin.call('GET', urls.raw(parsePath(path)))), path).toBeOneOf([
        403, 404,
      ])
      expect(await statusOf(put(path, 'x')), path).toBeOneOf([403, 404])
    }
    expect(await statusOf(admin.call('DELETE', at('/DATA')))).toBe(403)
    expect(await statusOf(move('rename', '/data', '/moved'))).toBe(403)
  })

  test('a short name is no second door', async () => {
    await put('/a long name with spaces.txt', 'long')
    const short = shortNameOf(disk('a long name with spaces.txt'))
    expect(short).toMatch(/^\S{1,8}\.\S{1,3}$/)
    expect(await statusOf(admin.call('GET', urls.raw(parsePath(`/${short}`))))).toBe(404)
  })

  test('a path of more than 260 characters is stored', async () => {
    const deep = `/${Array.from({ length: 8 }, () => 'n'.repeat(50)).join('/')}/file.txt`
    expect(await statusAndText(put(deep, 'deep'))).toBe('200 200 OK')
    expect(await (await admin.call('GET', urls.raw(parsePath(deep)))).text()).toBe('deep')
    expect(await statusOf(admin.call('DELETE', at(`/${'n'.repeat(50)}`)))).toBe(204)
  })

  test('a file that another program keeps for itself is locked', async () => {
    await put('/held.txt', 'held')
    const child = spawn(...asSpawn([...inWine(holder()), disk('held.txt')]))
    await printedBy(child).first(/^held/m)
    const locked = '423 Another program is using this file. Try again later.'
    expect(await statusAndText(admin.call('GET', urls.raw(parsePath('/held.txt'))))).toBe(locked)
    expect(await statusAndText(admin.call('PUT', at('/held.txt'), 'new'))).toBe(locked)
    expect(await statusAndText(admin.call('DELETE', at('/held.txt')))).toBe(locked)
    expect(await statusAndText(move('rename', '/held.txt', '/free.txt'))).toBe(locked)
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(await statusOf(admin.call('PUT', at('/held.txt'), 'new'))).toBe(200)
  })

  test('the data of the server is in the folder of the account, and doctor says what is not promised', async () => {
    const run = await runFilemgr(['doctor', '--root', root], {
      home: folder.path,
      cwd: root,
      program: program(),
      env: WINE_ENV,
    })
    expect(run.stdout).toMatch(
      /The database will be created at C:\\users\\[^\\]+\\AppData\\Local\\filemgr\\filemgr\.db/,
    )
    expect(run.stdout).toContain(
      'Commands, terminals and confined previews (films, PDFs, office files) need Linux',
    )
  })

  test.each([
    ['Q:\\Files', 'Q:\\ is not connected.'],
    ['\\\\absent\\share', '\\\\absent\\share\\ is not connected.'],
    ['C:\\absent', 'The folder C:\\absent does not exist.'],
  ])('the folder %s is refused at the start: %s', async (absent, message) => {
    const run = await runFilemgr(['serve', absent], {
      home: folder.path,
      cwd: root,
      program: program(),
      env: WINE_ENV,
    })
    expect([run.code, run.stderr]).toEqual([4, expect.stringContaining(message)])
  })

  test('a picture has a thumbnail, by the native code for Windows', async () => {
    const create = { width: 40, height: 30, channels: 3, background: 'teal' } as const
    // Only the image library decodes TIFF; the runtime does not.
    const picture = await sharp({ create }).tiff().toBuffer()
    await admin.call('POST', urls.upload(parsePath('/a.tiff'), true), new Uint8Array(picture))
    const thumbnail = await admin.call('GET', `${API.preview}/thumb/a.tiff`)
    expect(thumbnail.status).toBe(200)
    const { format } = await sharp(await thumbnail.bytes()).metadata()
    expect(format).toBeOneOf(['webp', 'jpeg', 'png'])
  })

  test('Ctrl-C stops the server, and leaves nothing half-written', async () => {
    const { pid } = server
    server.kill('SIGINT')
    await until(() => !isRunning(pid))
    expect(await server.stop()).toBe(0)
    expect(readdirSync(disk('.filemgr', 'work'))).toEqual([])
    server = await start()
    admin = await signIn(server.url, 'admin', password)
    expect(await names()).toContain('a.txt')
  })
})

function asSpawn([program = '', ...args]: string[]): [string, string[], SpawnOptions] {
  return [
    program,
    args,
    { env: { ...process.env, ...WINE_ENV }, stdio: ['pipe', 'pipe', 'ignore'] },
  ]
}
