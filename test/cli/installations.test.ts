/** Two installations of one system account are independent (docs/decisions.md 13). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { filemgr, runFilemgr } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const at = (name: string) => join(folder.path, name)
const run = (...words: string[]) => runFilemgr(words, { home: folder.path })
async function optionsOf(database: string, ...words: string[]) {
  const { stdout } = await run('config', 'cat', '--json', '--database', at(database), ...words)
  const rows: { key: string; value: unknown; origin: string }[] = JSON.parse(stdout)
  return Object.fromEntries(rows.map(({ key, value, origin }) => [key, `${value} ${origin}`]))
}
/** A `config export` of File Browser, of an installation without sign-in. */
const OPEN = (root: string) =>
  JSON.stringify({
    settings: { authMethod: 'noauth', defaults: {} },
    server: { root, port: '9123', baseURL: '/b', enableExec: true, tlsCert: '/c.pem' },
    auther: {},
  })

describe('startup options', () => {
  test('a startup option is stored in the database into which it was imported, and in no other', async () => {
    for (const name of ['a', 'b']) {
      mkdirSync(at(name))
      writeFileSync(join(at(name), `${name}.txt`), name)
    }
    await run('config', 'init', '--root', at('a'), '--database', at('a.db'))
    writeFileSync(at('b.json'), OPEN(at('b')))
    expect(await run('config', 'import', at('b.json'), '--database', at('b.db'))).toMatchObject({
      code: 0,
    })
    expect(await optionsOf('a.db')).toMatchObject({
      root: `${at('a')} database`,
      port: '8080 default',
      'auth.method': 'json default',
      exec: 'false default',
      cert: 'undefined default',
    })
    expect(await optionsOf('b.db')).toMatchObject({
      root: `${at('b')} database`,
      port: '9123 database',
      baseURL: '/b database',
      'auth.method': 'noauth database',
      exec: 'true database',
      cert: '/c.pem database',
    })
  })

  test('a server uses the startup options of its database', async () => {
    mkdirSync(at('b'))
    writeFileSync(join(at('b'), 'b.txt'), 'of b')
    await run('config', 'init', '--root', at('b'), '--baseURL', '/b', '--database', at('b.db'))
    await run('config', 'set', 'auth.method', 'noauth', '--database', at('b.db'))
    const program = ['sh', '-c', SERVE_WITHOUT_ROOT, 'sh'] as [string, ...string[]]
    const server = await startServer({ database: at('b.db'), program })
    expect(server.url).toEndWith('/b')
    const token = await (await fetch(`${server.url}/api/login`, { method: 'POST' })).text()
    const answer = await fetch(`${server.url}/api/raw/b.txt`, { headers: { 'X-Auth': token } })
    expect(await answer.text()).toBe('of b')
    await server.stop()
  })

  test('config set does not change the configuration files of the account, unless --config names one', async () => {
    const file = join(folder.path, '.config/filemgr/config.yaml')
    await run('config', 'init', '--port', '9000', '--database', at('f.db'))
    await run('config', 'set', '--exec', '--log', 'off', '--database', at('f.db'))
    expect(existsSync(file)).toBe(false)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, 'port: 9001 # mine\n')
    const set = await run('config', 'set', 'port', '9002', '--database', at('f.db'))
    expect(set.stderr).toContain(`${file} also sets port`)
    expect(readFileSync(file, 'utf8')).toBe('port: 9001 # mine\n')
    expect((await optionsOf('f.db')).port).toBe('9001 file')
    await run('config', 'set', 'port', '9003', '--config', file, '--database', at('f.db'))
    expect(readFileSync(file, 'utf8')).toContain('9003')
  })

  test('a startup option of the database takes precedence over the default, and a file and a flag over the database', async () => {
    writeFileSync(at('c.yaml'), 'baseURL: /file\n')
    await run('config', 'set', '--baseURL', '/kept', '--port', '9000', '--database', at('f.db'))
    expect(await optionsOf('f.db')).toMatchObject({
      baseURL: '/kept database',
      port: '9000 database',
    })
    const all = await optionsOf('f.db', '--config', at('c.yaml'), '--port', '9001')
    expect(all).toMatchObject({ baseURL: '/file file', port: '9001 flag' })
  })

  test('a startup option can be set to its default again', async () => {
    await run('config', 'set', '--port', '9000', '--exec', '--database', at('f.db'))
    await run('config', 'set', '--port', '8080', '--exec=false', '--database', at('f.db'))
    expect(await optionsOf('f.db')).toMatchObject({ port: '8080 default', exec: 'false default' })
  })

  test('the path of the database cannot be stored as a startup option', async () => {
    expect(await run('config', 'set', 'database', '/x.db', '--database', at('f.db'))).toMatchObject(
      {
        code: 2,
        stderr: expect.stringContaining('FILEMGR_DATABASE'),
      },
    )
  })

  test('an invalid option is refused before another one is stored', async () => {
    const refused = await run(
      'config',
      'set',
      '--port',
      '9000',
      '--auth.method',
      'magic',
      '--database',
      at('f.db'),
    )
    expect(refused.code).toBe(2)
    expect((await optionsOf('f.db')).port).toBe('8080 default')
  })
})

/** Runs `serve ROOT …` without ROOT, so that the database determines the root. */
const SERVE_WITHOUT_ROOT = `shift 2; exec ${filemgr().join(' ')} serve "$@"`
