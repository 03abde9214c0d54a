/** Command lines of File Browser, as container scripts, add-ons and services write them. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous } from '../support/server/client.ts'
import { filemgr, runFilemgr } from '../support/server/executable.ts'
import { oldDatabase, oldUser, PASSWORD } from '../support/server/old-installation.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  for (const name of ['home', 'work', 'srv']) mkdirSync(at(name))
  writeFileSync(at('srv', 'a.txt'), 'a')
})
afterEach(() => folder.remove())

const at = (...names: string[]) => join(folder.path, ...names)
const run = (...words: string[]) => runFilemgr(words, { home: at('home'), cwd: at('work') })

/** Starts a server with exactly these words. */
function serves(words: readonly string[]): Promise<TestServer> {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const program: [string, ...string[]] = ['sh', '-c', `exec ${filemgr().join(' ')} ${quoted}`, 'sh']
  return startServer({ program, cwd: at('work'), env: { HOME: at('home') }, printsPassword: false })
}

/** The names in the root that the user `admin` sees. */
async function namesOf({ url }: TestServer, password = PASSWORD): Promise<string[]> {
  const login = await anonymous(url).call('POST', '/api/login', { username: 'admin', password })
  const token = await login.text()
  const listed = await fetch(`${url}/api/resources/`, { headers: { 'X-Auth': token } })
  const { items } = (await listed.json()) as { items: { name: string }[] }
  return items.map(({ name }) => name)
}

describe('flags before the command', () => {
  test('flags before the command belong to it, as in the script of the KOReader plugin', async () => {
    const location = ['-d', at('f.db'), '-c', at('c.json')]
    const created = await run(...location, 'config', 'init')
    expect(created.code).toBe(0)
    expect(created.stderr).toContain(`The configuration file ${at('c.json')} does not exist`)
    const added = await run(...location, 'users', 'add', 'koreader', PASSWORD, '--perm.admin')
    expect(added.code).toBe(0)
    expect((await run(...location, 'config', 'set', '--auth.method=noauth')).code).toBe(0)
    const listed = await run('--json', ...location, 'users', 'ls')
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { username: 'koreader', perm: { admin: true } },
    ])
    const server = await serves(['-d', at('f.db'), '-c', at('c.json'), '-r', at('srv'), '-p', '0'])
    expect((await fetch(`${server.url}/api/login`, { method: 'POST' })).status).toBe(200)
    await server.stop()
  })

  test.each([
    ['with =', (path: string) => [`--database=${path}`]],
    ['attached', (path: string) => [`-d${path}`]],
    ['with other capitals', (path: string) => ['--DATABASE', path]],
    ['after a switch', (path: string) => ['--noauth', '-d', path]],
    ['after a switch with a value', (path: string) => ['--noauth', 'false', '-d', path]],
  ])('a flag before the command may be written %s', async (_, written) => {
    expect(await run(...written(at('f.db')), 'config', 'init')).toMatchObject({ code: 0 })
    expect(existsSync(at('f.db'))).toBe(true)
  })

  test('a value of a flag is no command', async () => {
    mkdirSync(at('work', 'users'))
    const server = await serves(['-r', 'users', '-p', '0', '-d', at('f.db'), '--noauth'])
    expect((await fetch(`${server.url}/api/login`, { method: 'POST' })).status).toBe(200)
    await server.stop()
  })

  test('words after -- stay there, and a wrong flag is named', async () => {
    await run('-d', at('f.db'), 'config', 'init')
    const added = await run('-d', at('f.db'), 'cmds', 'add', 'after_upload', '--', 'touch', '-d')
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(added.stdout).toContain('touch -d')
    const wrong = await run('--nonsense', 'users', 'ls')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain("unknown option '--nonsense'")
  })
})

test('a configuration file that is named and absent is named in a notice, and nothing is refused', async () => {
  const named = at('none.yaml')
  const listed = await run('config', 'cat', '--config', named, '--database', at('f.db'))
  expect(listed).toMatchObject({ code: 0 })
  const server = await serves(['-c', named, '-r', at('srv'), '-p', '0', '-d', at('f.db')])
  await server.says(new RegExp(`^The configuration file ${named} does not exist`, 'm'))
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  await server.stop()
})

test('a reload keeps the options if the named file is gone', async () => {
  const named = at('c.yaml')
  writeFileSync(named, 'branding:\n  name: Ours\n')
  const server = await serves(['-c', named, '-r', at('srv'), '-p', '0', '-d', at('f.db')])
  rmSync(named)
  server.kill('SIGHUP')
  await server.says(/The configuration is unchanged\. The file .*c\.yaml does not exist\./)
  await server.stop()
})

test('empty words, as of an add-on with empty options, mean nothing', async () => {
  const words = ['-r', at('srv'), '-p', '0', '-d', at('f.db')]
  for (const empty of [[''], ['', ''], ['', '', '']]) {
    const server = await serves([...words, ...empty])
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.stop()
  }
  const two = await run(...words, 'one', '', 'two')
  expect(two.code).toBe(2)
  expect(two.stderr).toContain("too many arguments for 'serve'")
  const mistyped = await run('-d', at('f.db'), 'user', 'ls')
  expect(mistyped.code).toBe(2)
  expect(mistyped.stderr).toContain("'user' is neither a folder nor a command.")
})

describe('File Browser’s database in the working folder', () => {
  const write = (server: object, mode = 0o640) => {
    const users = [oldUser(1, 'admin')]
    writeFileSync(
      at('work', 'filebrowser.db'),
      oldDatabase({ users, server: { port: '0', ...server } }),
    )
    chmodSync(at('work', 'filebrowser.db'), mode)
  }

  test('the folder in the database is served without any words, also after the old database is deleted', async () => {
    write({ root: at('srv') })
    const first = await serves([])
    expect(await namesOf(first)).toEqual(['a.txt'])
    await first.stop()
    expect(existsSync(at('work', 'filemgr.db'))).toBe(true)
    rmSync(at('work', 'filebrowser.db'))
    const second = await serves([])
    expect(await namesOf(second)).toEqual(['a.txt'])
    await second.stop()
    const listed = await run('users', 'ls')
    expect(listed.stdout).toContain('admin')
  })

  test('the command serve imports it too, and an option takes precedence over its folder', async () => {
    write({ root: at('none') })
    const server = await serves(['serve', '--root', at('srv')])
    expect(await namesOf(server)).toEqual(['a.txt'])
    await server.stop()
  })

  test('it is not imported if its folder contains it, because users may have written it', async () => {
    for (const root of ['.', at('work'), folder.path]) {
      write({ root })
      const { code, stderr } = await run()
      expect(code).toBe(2)
      expect(stderr).toContain(
        `${at('work', 'filebrowser.db')} is not imported, because it is in a folder that is or was served: its users can have written it.`,
      )
      expect(stderr).toContain('Usage: filemgr')
    }
    expect(existsSync(at('work', 'filemgr.db'))).toBe(false)
  })

  test('it is not imported if other accounts can write it, or if its folder was served', async () => {
    write({ root: at('srv') }, 0o666)
    const { code, stderr } = await run()
    expect(code).toBe(2)
    expect(stderr).toContain('is not imported, because other accounts of this system can write it.')
    write({ root: at('srv') })
    mkdirSync(at('work', '.filemgr'))
    expect((await run()).stderr).toContain('because it is in a folder that is or was served')
  })

  test('a database of this server is not used if it is in the folder that it serves', async () => {
    // As an uploaded one would be.
    await run('config', 'init', '--database', at('work', 'filemgr.db'), '--root', at('work'))
    expect((await run()).code).toBe(2)
    expect((await run('users', 'ls')).stderr).toContain('There is no database at')
  })

  test('the folder in the own database is served without any words after an import', async () => {
    write({ root: at('srv') })
    const imported = await run('import', at('work', 'filebrowser.db'))
    expect(imported.code).toBe(0)
    const server = await serves([])
    expect(await namesOf(server)).toEqual(['a.txt'])
    await server.stop()
  })

  test('a damaged database is named, and no server starts', async () => {
    write({ root: at('srv') })
    const bytes = oldDatabase({})
    writeFileSync(at('work', 'filebrowser.db'), bytes.subarray(0, bytes.length / 2))
    const { code, stderr } = await run('serve')
    expect(code).not.toBe(0)
    expect(stderr).toContain('filebrowser.db')
  })
})
