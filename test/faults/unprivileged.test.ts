/** A server without rights on some files in its folder: an operation that cannot be complete changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { filemgr, runFilemgr } from '../support/server/executable.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noMounts, withMounts } from '../support/system/mounts.ts'

const NOBODY = 65534
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const
const isRoot = process.getuid?.() === 0
if (!isRoot) process.stdout.write('Only root can give files to another account for this test.\n')

describe.skipIf(!isRoot)('a server without the rights of root', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: TestServer
  let anna: Client
  const disk = (name: string) => join(folder.path, 'root/anna', name)
  /** Creates a file and its parent folders, owned by the account of the server. */
  const put = (name: string) => {
    let path = join(folder.path, 'root/anna')
    for (const segment of name.split('/').slice(0, -1)) {
      path = join(path, segment)
      if (!existsSync(path)) mkdirSync(path)
      chownSync(path, NOBODY, NOBODY)
    }
    writeFileSync(disk(name), name)
    chownSync(disk(name), NOBODY, NOBODY)
  }

  beforeAll(async () => {
    folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(join(root, 'anna'), { recursive: true })
    for (const path of [folder.path, root, join(root, 'anna')]) chownSync(path, NOBODY, NOBODY)
    const program: [string, ...string[]] = [...AS_NOBODY, ...filemgr()]
    const database = join(folder.path, 'f.db')
    server = await startServer({
      root,
      database,
      program,
      cwd: folder.path,
      env: { HOME: folder.path, TMPDIR: folder.path },
    })
    const runCommand = (...args: string[]) =>
      runFilemgr([...args, '--database', database], { home: folder.path, program })
    expect((await runCommand('users', 'add', 'anna', PASSWORD, '--scope', '/anna')).code).toBe(0)
    expect((await runCommand('rules', 'add', '/box/closed', '--user', 'anna')).code).toBe(0)
    anna = await signIn(server.url, 'anna', PASSWORD)
  })
  afterAll(async () => {
    await server.stop()
    folder.remove()
  })

  const remove = (path: string) => outcome(anna.call('DELETE', `${API.resources}/${path}`))

  // So many that some are read before the protected entry: folders are read in no order.
  const many = (folder: string) =>
    Array.from({ length: 40 }, (_, number) => `${folder}/f${number}/file`)
  const missing = (names: readonly string[]) => names.filter((name) => !existsSync(disk(name)))

  test('a refused removal removes neither the files that a rule protects nor any file beside them', async () => {
    const names = [...many('box'), 'box/closed/kept']
    for (const name of names) put(name)
    // Folders that the server may not read.
    const sealed = Array.from({ length: 20 }, (_, number) => `box/sealed${number}`)
    for (const name of sealed) {
      mkdirSync(disk(name), { mode: 0o700 })
      writeFileSync(disk(`${name}/kept`), '')
    }
    expect(await remove('box/')).toBe('403 forbidden')
    expect(missing([...names, ...sealed.map((name) => `${name}/kept`)])).toEqual([])
    // Only the rule refuses now.
    for (const name of sealed) rmSync(disk(name), { recursive: true })
    expect(await remove('box/')).toBe('403 forbidden')
    expect(missing(names)).toEqual([])
    rmSync(disk('box/closed'), { recursive: true })
    expect(await remove('box/')).toBe('204')
    expect(existsSync(disk('box'))).toBe(false)
  })

  test('a folder with an entry that the server may not remove stays complete', async () => {
    const names = many('heap')
    for (const name of names) put(name)
    chownSync(disk('heap/f20'), 0, 0)
    expect(await remove('heap/')).toBe('403 forbidden')
    expect(missing(names)).toEqual([])
    chownSync(disk('heap/f20'), NOBODY, NOBODY)
    expect(await remove('heap/')).toBe('204')
    expect(existsSync(disk('heap'))).toBe(false)
  })

  test('a merge changes nothing if the server may not create or replace one of its entries', async () => {
    const merge = (from: string, to: string) =>
      outcome(
        anna.call(
          'PATCH',
          `${API.resources}/${from}?action=rename&override=true&destination=%2F${to}`,
        ),
      )
    const names = [...many('new'), 'new/sub/file']
    for (const name of names) put(name)
    /** The files below a folder, with their content: `put` writes their names. */
    const filesOf = (folder: string) => {
      const found = readdirSync(disk(folder), { recursive: true, encoding: 'utf8' })
      const files = found.filter((name) => statSync(disk(`${folder}/${name}`)).isFile())
      return files.map((name) => [name, readFileSync(disk(`${folder}/${name}`), 'utf8')]).sort()
    }
    put('closing/sub/other')
    chownSync(disk('closing/sub'), 0, 0)
    expect(await merge('new', 'closing')).toBe('403 forbidden')
    expect(missing(names)).toEqual([])
    expect(filesOf('closing')).toEqual([['sub/other', 'closing/sub/other']])
    expect(readdirSync(disk('closing'))).toEqual(['sub'])
    // In a sticky folder, only the owner of a file may replace it.
    put('sticky/sub/file')
    chownSync(disk('sticky/sub/file'), 0, 0)
    chownSync(disk('sticky/sub'), 0, 0)
    chmodSync(disk('sticky/sub'), 0o1777)
    expect(await merge('new', 'sticky')).toBe('403 forbidden')
    expect(missing(names)).toEqual([])
    expect(filesOf('sticky')).toEqual([['sub/file', 'sticky/sub/file']])
    expect(readdirSync(disk('sticky'))).toEqual(['sub'])
    chmodSync(disk('sticky/sub'), 0o777)
    const merged = filesOf('new')
    expect(await merge('new', 'sticky')).toBe('200')
    expect(filesOf('sticky')).toEqual(merged)
    expect(existsSync(disk('new'))).toBe(false)
  })
})

test.skipIf(!isRoot || noMounts !== undefined)(
  'a folder with an entry that the server may not remove is not moved to another file system',
  async () => {
    const folder = temporaryFolder()
    const [root, elsewhere] = [join(folder.path, 'root'), join(folder.path, 'elsewhere')]
    const disk = (name: string) => join(root, name)
    for (const path of [elsewhere, disk('heap/stays'), disk('heap/goes')]) {
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, 'file'), path)
    }
    const mounted = withMounts(root, [{ at: 'disk', folder: elsewhere }])
    const all = [folder.path, root, elsewhere, disk('heap'), disk('heap/goes')]
    for (const path of all) chownSync(path, NOBODY, NOBODY)
    const own = filemgr().length
    const [program = '', ...words] = [...mounted.slice(0, -own), ...AS_NOBODY, ...filemgr()]
    const server = await startServer({
      root,
      database: join(folder.path, 'f.db'),
      program: [program, ...words],
      cwd: folder.path,
      env: { HOME: folder.path, TMPDIR: folder.path },
    })
    try {
      const admin = await signIn(server.url, 'admin', server.password)
      const move = () =>
        outcome(
          admin.call('PATCH', `${API.resources}/heap?action=rename&destination=%2Fdisk%2Fheap`),
        )
      const contentsBelow = (above: string) =>
        ['stays', 'goes'].map((name) => readFileSync(join(above, 'heap', name, 'file'), 'utf8'))
      const before = contentsBelow(root)
      expect(await move()).toBe('403 forbidden')
      expect(contentsBelow(root)).toEqual(before)
      expect(readdirSync(elsewhere)).toEqual(['file'])
      chownSync(disk('heap/stays'), NOBODY, NOBODY)
      expect(await move()).toBe('200')
      expect(contentsBelow(elsewhere)).toEqual(before)
      expect(existsSync(disk('heap'))).toBe(false)
    } finally {
      await server.stop()
      folder.remove()
    }
  },
)

test.skipIf(!isRoot)(
  'a server that may not enter its home folder serves other files, and refuses requests for that folder',
  async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    // HOME is the folder of another account, as after `sudo` and `setpriv`.
    const home = join(root, 'home')
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeFileSync(join(home, 'kept'), '')
    writeFileSync(join(root, 'a.txt'), 'a')
    for (const path of [folder.path, root]) chownSync(path, NOBODY, NOBODY)
    const program: [string, ...string[]] = [...AS_NOBODY, ...filemgr()]
    const server = await startServer({
      root,
      database: join(folder.path, 'f.db'),
      program,
      cwd: folder.path,
      env: { HOME: home, TMPDIR: folder.path },
    })
    try {
      const admin = await signIn(server.url, 'admin', server.password)
      expect(await outcome(admin.call('GET', `${API.resources}/`))).toBe('200')
      expect(await outcome(admin.call('GET', `${API.raw}/a.txt`))).toBe('200')
      expect(await outcome(admin.call('POST', `${API.resources}/b.txt`, 'b'))).toBe('200')
      expect(await outcome(admin.call('GET', `${API.resources}/home/`))).toBe('403 forbidden')
      expect(await outcome(admin.call('DELETE', `${API.resources}/home/`))).toBe('403 forbidden')
      expect(existsSync(join(home, 'kept'))).toBe(true)
      // With other rights the folder can be used, except the names that are reserved for the server.
      chmodSync(home, 0o777)
      expect(await outcome(admin.call('POST', `${API.resources}/home/other`, ''))).toBe('200')
      expect(await outcome(admin.call('POST', `${API.resources}/home/.config`, ''))).toBe(
        '403 forbidden',
      )
    } finally {
      await server.stop()
      folder.remove()
    }
  },
)
