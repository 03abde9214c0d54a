/** What a wrong start gets: one sentence, an exit code, and nothing changed. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFilemgr } from '../support/executable.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
const at = (...names: string[]) => join(folder.path, ...names)
const run = (...words: string[]) => runFilemgr(words, { home: folder.path })
const file = (name: string, text: string) => {
  writeFileSync(at(name), text)
  return at(name)
}

beforeAll(() => {
  folder = temporaryFolder()
  mkdirSync(at('root'))
})
afterAll(() => folder.remove())

async function fails(words: string[], code: number, sentence: RegExp | string) {
  const result = await run(...words)
  expect(result.stderr).toMatch(sentence)
  expect(result.code).toBe(code)
  expect(result.stdout).toBe('')
  expect(result.stderr).not.toContain('    at ')
}

describe('serve', () => {
  const serve = (...words: string[]) => [
    'serve',
    at('root'),
    '--port',
    '0',
    '--database',
    at('f.db'),
    ...words,
  ]

  test('serve refuses a root that is missing, or is a file', async () => {
    await fails(['serve', at('none')], 4, /^There is no folder .*none\.\n$/)
    await fails(['serve', file('a-file', 'x')], 1, /is a file; name a folder/)
    expect(existsSync(at('.local'))).toBe(false)
  })

  test('serve refuses a port in use', async () => {
    const server = await startServer()
    const { port } = new URL(server.url)
    await fails(
      ['serve', at('root'), '--database', at('f.db'), '--port', port],
      1,
      /is in use.*--port/,
    )
    await server.stop()
    // Nobody was shown a password, so nobody may have been given one.
    expect((await run('users', 'ls', '--database', at('f.db'))).stdout).toBe(
      'ID\tNAME\tSCOPE\tLANGUAGE\tMAY\tLOCKED\n',
    )
  })

  test('serve refuses an address that is not this machine’s', async () => {
    await fails(serve('--address', '192.0.2.1'), 2, /is not available on this machine/)
  })

  test('serve refuses wrong flags and values', async () => {
    await fails(serve('--prot', '1'), 2, /unknown option '--prot'/)
    await fails(['serve', at('root'), '--port', '99999'], 2, /port wants 0 to 65535, not "99999"/)
    await fails(
      ['config', 'set', '--locale', 'xx', '--database', at('f.db')],
      2,
      /defaults.locale wants a language such as en or pt-br, not "xx"/,
    )
    await fails(serve('--token-expiration-time', 'soon'), 2, /wants a time such as 2h30m/)
    await fails(serve('--base-url', 'no slash'), 2, /baseURL must be a path/)
    await fails(
      [...serve('--password-hash', 'plain'), '--database', at('hash.db')],
      2,
      /not a password hash/,
    )
  })

  test('serve refuses a private folder that is somebody else’s', async () => {
    mkdirSync(at('taken'))
    writeFileSync(at('taken', '.filemgr'), 'mine')
    await fails(
      ['serve', at('taken'), '--port', '0', '--database', at('t.db')],
      1,
      /called \.filemgr that is not a folder/,
    )
    expect(readFileSync(at('taken', '.filemgr'), 'utf8')).toBe('mine')
  })
})

describe('the database', () => {
  test('a damaged, foreign or newer database is refused and left as it was', async () => {
    const text = 'this is no database '.repeat(500)
    const foreign = file('foreign.db', text)
    await fails(['users', 'ls', '--database', foreign], 1, /is damaged or is no filemgr database/)
    expect(readFileSync(foreign, 'utf8')).toBe(text)

    const newer = new Database(at('newer.db'))
    newer.exec('PRAGMA user_version = 999; CREATE TABLE future (a)')
    newer.close()
    const before = readFileSync(at('newer.db'))
    await fails(
      ['serve', at('root'), '--port', '0', '--database', at('newer.db')],
      1,
      /written by a newer filemgr/,
    )
    expect(readFileSync(at('newer.db')).equals(before)).toBe(true)
    expect(readdirSync(folder.path).filter((name) => name.startsWith('newer'))).toEqual([
      'newer.db',
    ])
  })

  test('a database where nothing can be made is refused', async () => {
    const database = `${file('blocker', 'x')}/f.db`
    await fails(['config', 'set', 'port', '1', '--database', database], 1, /cannot be made/)
  })
})

describe('the configuration file', () => {
  const with_ = (name: string, text: string) => ['serve', at('root'), '--config', file(name, text)]

  test('a configuration file that does not parse, or has wrong values, is refused by file and line', async () => {
    await fails(with_('a.yaml', 'port: 80\naddress: [1,\n'), 2, /a\.yaml:3: /)
    await fails(with_('b.yaml', 'address: x\n\nprot: 80\n'), 2, /b\.yaml:3: prot is not an option/)
    await fails(
      with_('c.yml', 'address: x\nport: many\n'),
      2,
      /c\.yml:2: port wants a whole number/,
    )
    await fails(with_('d.json', '{"port": 80,\n "address" 3}'), 2, /d\.json:2: /)
    await fails(with_('e.toml', 'port = 80\nx = = 3'), 2, /e\.toml:2: /)
    await fails(with_('f.ini', 'port=80'), 2, /must end in \.yaml, \.yml, \.json or \.toml/)
    await fails(with_('g.yaml', '- a\n- b\n'), 2, /expected a table of options/)
  })

  test('a configuration file that is not there is refused', async () => {
    await fails(['serve', at('root'), '--config', at('none.yaml')], 4, /none\.yaml cannot be read/)
  })
})

test('a root that cannot be written is served for reading, and says so', async () => {
  // A folder of sysfs takes no new names, not even from an administrator of the machine.
  const server = await startServer({ root: '/sys/kernel', database: at('ro.db') })
  await server.says(/served for reading/)
  const page = await (await fetch(`${server.url}/login`)).text()
  expect(page).toContain('"ReadOnly":true')
  const token = await (
    await fetch(`${server.url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: server.password }),
    })
  ).text()
  const call = async (method: string, path: string) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'X-Auth': token, 'Upload-Length': '1' },
    })
    return `${answer.status} ${answer.headers.get('x-fault') ?? ''}`
  }
  expect(await call('GET', '/api/resources/')).toBe('200 ')
  expect(await call('POST', '/api/resources/new/')).toBe('403 readOnly')
  expect(await call('DELETE', '/api/resources/notes')).toBe('403 readOnly')
  expect(await call('POST', '/api/tus/new')).toBe('403 readOnly')
  await server.stop()
})
