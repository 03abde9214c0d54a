/** The first start imports an installation of File Browser, once. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome, signIn } from '../support/server/client.ts'
import { filemgr, runFilemgr } from '../support/server/executable.ts'
import { oldDatabase, oldUser, PASSWORD } from '../support/server/old-installation.ts'
import { type ServerOptions, startServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  for (const name of ['srv', 'work', 'home']) mkdirSync(at(name))
  writeFileSync(at('srv', 'a.txt'), 'of a')
})
afterEach(() => folder.remove())

const at = (...names: string[]) => join(folder.path, ...names)
const USERS = [oldUser(1, 'admin'), oldUser(2, 'bo')]
const SHARES = [{ hash: 'abcdefgh', path: '/a.txt', userID: 2, expire: 0 }]
function old(...names: string[]): string {
  const path = at(...names)
  writeFileSync(path, oldDatabase({ users: USERS, shares: SHARES }), { mode: 0o640 })
  return path
}
const REPORT = /It was imported into/
const start = (database: string, more: ServerOptions = {}) =>
  startServer({ root: at('srv'), database, ...more })
/** Without a database on the command line, as in a container. */
const UNNAMED: [string, ...string[]] = [
  'sh',
  '-c',
  `exec ${filemgr().join(' ')} serve "$2" --port 0`,
  'sh',
]

describe('a database of File Browser that options name', () => {
  test('a database of File Browser that an option names is imported once, and is never changed', async () => {
    const path = old('filebrowser.db')
    const before = readFileSync(path)
    const first = await start(path)
    expect(first.output()).toMatch(REPORT)
    expect(first.output()).toContain('Users: 2 with passwords')
    expect(first.output()).not.toContain('Administrator')
    await signIn(first.url, 'bo', PASSWORD)
    const link = await anonymous(first.url).call('GET', '/api/public/dl/abcdefgh')
    expect(await link.text()).toBe('of a')
    await first.stop()
    expect(existsSync(at('filemgr.db'))).toBe(true)

    await runFilemgr(['users', 'rm', 'bo', '--database', path], { home: at('home') })
    const second = await start(path)
    expect(second.output()).not.toMatch(REPORT)
    expect(await outcome(signInAs(second.url, 'bo'))).toBe('403 wrongCredentials')
    await second.stop()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('users of an old database still exist after the old file is removed', async () => {
    const path = old('filebrowser.db')
    await (await start(path)).stop()
    rmSync(path)
    const found = await runFilemgr(['users', 'ls', '--database', path], { home: at('home') })
    expect(found.stdout).toContain('bo')
    expect(existsSync(path)).toBe(false)
  })

  test('an old database is found through FB_DATABASE, and through the configuration file of File Browser', async () => {
    const path = old('filebrowser.db')
    const byName = await start(path, { program: UNNAMED, env: { FB_DATABASE: path } })
    expect(byName.output()).toMatch(REPORT)
    await byName.stop()
    rmSync(at('filemgr.db'))
    const file = at('settings.json')
    writeFileSync(file, JSON.stringify({ port: 80, address: '', log: 'stdout', database: path }))
    const byFile = await start(path, { program: UNNAMED, env: { FILEMGR_CONFIG: file } })
    expect(byFile.output()).toMatch(REPORT)
    await byFile.stop()
  })

  test('commands other than serve report that the old database is not imported yet', async () => {
    const path = old('filebrowser.db')
    for (const words of [
      ['users', 'ls'],
      ['config', 'set', 'port', '1'],
    ]) {
      const refused = await runFilemgr([...words, '--database', path], { home: at('home') })
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toContain('is not imported yet')
    }
    expect(existsSync(at('filemgr.db'))).toBe(false)
    const now = await runFilemgr(['import', path, '--database', path], { home: at('home') })
    expect(now.code).toBe(0)
    const server = await start(path)
    expect(server.output()).not.toMatch(REPORT)
    await signIn(server.url, 'bo', PASSWORD)
    await server.stop()
  })

  test('the server does not start with an empty database if the old one is damaged or in use', async () => {
    const path = at('filebrowser.db')
    const whole = oldDatabase({ users: USERS })
    writeFileSync(path, whole.subarray(0, whole.length - 4096))
    const serve = () =>
      runFilemgr(['serve', at('srv'), '--port', '0', '--database', path], { home: at('home') })
    expect(await serve()).toMatchObject({ code: 1, stdout: '' })
    expect((await serve()).stderr).toContain('is damaged or incompletely copied')
    old('filebrowser.db')
    const holder = Bun.spawn(['flock', path, 'sh', '-c', 'echo held; read _'], {
      stdin: 'pipe',
      stdout: 'pipe',
    })
    await holder.stdout.getReader().read()
    expect((await serve()).stderr).toContain('is in use by a running server')
    expect(existsSync(at('filemgr.db'))).toBe(false)
    holder.stdin.end()
    await holder.exited
  })

  test('an old database is imported again if the first import was interrupted', async () => {
    const path = old('filebrowser.db')
    writeFileSync(at('filemgr.db.unfinished'), 'torn')
    const server = await start(path)
    await signIn(server.url, 'bo', PASSWORD)
    await server.stop()
    expect(existsSync(at('filemgr.db.unfinished'))).toBe(false)
  })

  test('users cannot reach an old database in the served folder', async () => {
    const path = old('srv', 'filebrowser.db')
    const server = await start(path)
    const admin = await signIn(server.url, 'admin', PASSWORD)
    for (const name of ['filebrowser.db', 'filemgr.db']) {
      expect(await outcome(admin.call('GET', `/api/raw/${name}`))).toBe('403 forbidden')
    }
    await server.stop()
  })
})

describe('a database of File Browser in the working folder', () => {
  const here = { program: UNNAMED, cwd: '' }
  beforeEach(() => {
    here.cwd = at('work')
  })

  test('an old database in the working folder is imported, and the new database is beside it', async () => {
    const path = old('work', 'filebrowser.db')
    const first = await start(path, here)
    expect(first.output()).toMatch(REPORT)
    await first.stop()
    const second = await start(path, here)
    expect(second.output()).not.toMatch(REPORT)
    await signIn(second.url, 'bo', PASSWORD)
    await second.stop()
    expect(existsSync(at('work', 'filemgr.db'))).toBe(true)
  })

  test('an old database that others may have put into the working folder is reported, and not imported', async () => {
    const path = old('work', 'filebrowser.db')
    chmodSync(path, 0o666)
    const writable = await start(path, here)
    expect(writable.output()).toContain(`${path} is not imported`)
    expect(writable.output()).not.toMatch(REPORT)
    await writable.stop()
    const inside = old('srv', 'filebrowser.db')
    const served = await start(inside, { ...here, cwd: at('srv') })
    expect(served.output()).toContain(`${inside} is not imported`)
    expect(served.output()).not.toMatch(REPORT)
    await served.stop()
  })
})

function signInAs(url: string, username: string): Promise<Response> {
  return anonymous(url).call('POST', '/api/login', { username, password: PASSWORD })
}
