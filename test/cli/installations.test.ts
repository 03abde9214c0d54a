/** Two installations of one account have nothing in common (docs/decisions.md 13). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filemgr, runFilemgr } from '../support/executable.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'

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
/** What File Browser's `config export` writes of an installation without sign-in. */
const OPEN = (root: string) =>
  JSON.stringify({
    settings: { authMethod: 'noauth', defaults: {} },
    server: { root, port: '9123', baseURL: '/b', enableExec: true, tlsCert: '/c.pem' },
    auther: {},
  })

describe('what is decided before the start', () => {
  test('an option decided before the start belongs to the database it was imported into, and to no other', async () => {
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

  test('an option decided before the start is what a server of that database uses', async () => {
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

  test('an option decided before the start leaves the files of the account alone, unless one is named', async () => {
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

  test('an option of the database counts less than file, environment and flag, and more than the default', async () => {
    writeFileSync(at('c.yaml'), 'baseURL: /file\n')
    await run('config', 'set', '--baseURL', '/kept', '--port', '9000', '--database', at('f.db'))
    expect(await optionsOf('f.db')).toMatchObject({
      baseURL: '/kept database',
      port: '9000 database',
    })
    const all = await optionsOf('f.db', '--config', at('c.yaml'), '--port', '9001')
    expect(all).toMatchObject({ baseURL: '/file file', port: '9001 flag' })
  })

  test('an option decided before the start may be the default again', async () => {
    await run('config', 'set', '--port', '9000', '--exec', '--database', at('f.db'))
    await run('config', 'set', '--port', '8080', '--exec=false', '--database', at('f.db'))
    expect(await optionsOf('f.db')).toMatchObject({ port: '8080 default', exec: 'false default' })
  })

  test('an option decided before the start does not say where the database is', async () => {
    expect(await run('config', 'set', 'database', '/x.db', '--database', at('f.db'))).toMatchObject(
      {
        code: 2,
        stderr: expect.stringContaining('FILEMGR_DATABASE'),
      },
    )
  })

  test('an option that does not fit is refused before anything is kept', async () => {
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

/** `serve ROOT …` as `serve …`: the root is the database's to say. */
const SERVE_WITHOUT_ROOT = `shift 2; exec ${filemgr().join(' ')} serve "$@"`
