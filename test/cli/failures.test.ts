/** Errors of the command line: each prints one message, has an exit code, and changes nothing. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'

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
    await fails(
      ['serve', at('none')],
      4,
      /^The folder .*none does not exist\. Create it, or name another one\.\n$/,
    )
    await fails(['serve', file('a-file', 'x')], 2, /is a file; name a folder/)
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
    // No password was shown, so no user may have been created.
    expect((await run('users', 'ls', '--database', at('f.db'))).stdout).toBe(
      'ID\tNAME\tSCOPE\tLANGUAGE\tMAY\tLOCKED\tLAST SIGN-IN\n',
    )
  })

  test('serve refuses an address that this machine does not have', async () => {
    await fails(serve('--address', '192.0.2.1'), 1, /is not available on this machine/)
    await fails(
      serve('--address', 'no address'),
      2,
      /^"no address" is not a network address\. Name one with --address\.\n$/,
    )
  })

  test('a certificate or a key that is missing or cannot be read is named with the reason', async () => {
    const none = at('none.pem')
    await fails(serve('--cert', none, '--key', none), 4, `The file ${none} does not exist.\n`)
    await fails(
      serve('--cert', at('root'), '--key', none),
      2,
      `The file ${at('root')} cannot be read. Reason: it is a folder.\n`,
    )
  })

  test('a log file that cannot be written is named with the reason', async () => {
    for (const [path, reason] of [
      [at('absent', 'x.log'), `the folder ${at('absent')} does not exist`],
      [at('root'), 'it is a folder'],
      [join(file('no-folder', 'x'), 'x.log'), 'a part of the path is a file, not a folder'],
    ] as const) {
      const sentences = `The log file ${path} cannot be written. Reason: ${reason}.\n`
      await fails(serve('--log', path), 1, sentences)
    }
  })

  test('a socket that cannot be created is named with the reason', async () => {
    for (const [path, reason] of [
      [at('absent', 's'), `the folder ${at('absent')} does not exist`],
      [join(file('no-folder', 'x'), 's'), 'a part of the path is a file, not a folder'],
      [at('x'.repeat(150)), 'the path is too long'],
    ] as const) {
      const sentences = `The socket ${path} cannot be created. Reason: ${reason}.\n`
      await fails(serve('--socket', path), 1, sentences)
    }
  })

  test('serve refuses wrong flags and values', async () => {
    await fails(serve('--prot', '1'), 2, /unknown option '--prot'/)
    await fails(
      ['serve', at('root'), '--port', '99999'],
      2,
      /port must be from 0 to 65535, not "99999"/,
    )
    await fails(
      ['config', 'set', '--locale', 'xx', '--database', at('f.db')],
      2,
      /defaults.locale must be a language such as en or pt-br, not "xx"/,
    )
    await fails(serve('--token-expiration-time', 'soon'), 2, /must be a time such as 2h30m/)
    await fails(serve('--base-url', 'no slash'), 2, /baseURL must be a path/)
    await fails(
      [...serve('--password-hash', 'plain'), '--database', at('hash.db')],
      2,
      /not a password hash/,
    )
  })

  test('serve refuses a file with the name of the private folder', async () => {
    mkdirSync(at('taken'))
    writeFileSync(at('taken', '.filemgr'), 'mine')
    await fails(
      ['serve', at('taken'), '--port', '0', '--database', at('t.db')],
      1,
      /contains \.filemgr, which is not a folder/,
    )
    expect(readFileSync(at('taken', '.filemgr'), 'utf8')).toBe('mine')
  })
})

describe('the database', () => {
  test('a damaged, foreign or newer database is refused and stays unchanged', async () => {
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

  test('a database that cannot be created is named with the reason', async () => {
    const database = `${file('blocker', 'x')}/f.db`
    await fails(
      ['config', 'set', 'port', '1', '--database', database],
      1,
      /cannot be created\. .* Reason: .*blocker is not a folder\.\n$/,
    )
  })

  test('a folder is refused as a database', async () => {
    await fails(['users', 'ls', '--database', at('root')], 2, `${at('root')} is a folder.`)
  })
})

describe('the configuration file', () => {
  const serveWith = (name: string, text: string) => [
    'serve',
    at('root'),
    '--config',
    file(name, text),
  ]

  test('a configuration file that does not parse, or has wrong values, is refused by file and line', async () => {
    await fails(serveWith('a.yaml', 'port: 80\naddress: [1,\n'), 2, /a\.yaml:3: .*valid YAML/)
    await fails(
      serveWith('b.yaml', '# prot: the port\naddress: prot\nprot: 80\n'),
      2,
      /b\.yaml:3: prot is not an option/,
    )
    await fails(
      serveWith('c.yml', 'address: x\nport: many\n'),
      2,
      /c\.yml:2: port must be a whole number/,
    )
    await fails(serveWith('d.json', '{"port": 80,\n "address" 3}'), 2, /d\.json:2: .*valid JSON/)
    await fails(serveWith('e.toml', 'port = 80\nx = = 3'), 2, /e\.toml:2: .*valid TOML/)
    await fails(serveWith('f.ini', 'port=80'), 2, /must end in \.yaml, \.yml, \.json or \.toml/)
    await fails(serveWith('g.yaml', '- a\n- b\n'), 2, /the file must contain options with values/)
  })

  test('a folder is refused as a configuration file', async () => {
    const named = at('root')
    const sentences = `The file ${named} cannot be read. Reason: it is a folder.\n`
    await fails(['serve', at('root'), '--config', named], 2, sentences)
  })
})

describe('wrong values', () => {
  const base = () => ['--database', at('values.db')]
  beforeAll(async () => {
    await run('config', 'init', ...base())
  })

  test('an unknown option is refused', async () => {
    const sentence = 'There is no option foo. `filemgr config cat` lists the options.\n'
    await fails(['config', 'set', 'foo', '1', ...base()], 4, sentence)
  })

  test('a text where a number is expected is refused', async () => {
    for (const words of [
      ['journal', 'undo', 'x'],
      ['jobs', 'pause', 'x'],
      ['rules', 'rm', 'x'],
      ['cmds', 'rm', 'after_upload', 'x'],
    ]) {
      await fails(
        [...words, ...base()],
        2,
        /^"x" is not a number\. `filemgr .* ls` lists the numbers/,
      )
    }
    await fails(['journal', 'undo', '7', ...base()], 4, 'There is no entry 7 in the journal.\n')
  })

  test('an unknown event is refused', async () => {
    await fails(['cmds', 'add', 'after_nothing', 'x', ...base()], 2, /no event after_nothing/)
    await fails(['cmds', 'ls', '--event', 'nothing', ...base()], 2, /no event nothing/)
  })

  test('an unusable password, contradictory rights and an invalid duration are refused with a message', async () => {
    const add = (...words: string[]) => ['users', 'add', 'bo', ...words, ...base()]
    await fails(add(), 2, /^The password is empty\.\n$/)
    const short = /^The password is too short: it needs at least 12 characters\.\n$/
    await fails(add('short'), 2, short)
    await fails(add('x'.repeat(2000)), 2, /^The password is too long: .* bytes\.\n$/)
    await fails(add('passwordpassword'), 2, /^The password is too easy to guess\.\n$/)
    await fails(
      add('correct horse battery', '--perm.download=false'),
      2,
      /^The permission to share requires the permission to download\.\n$/,
    )
    await fails(
      ['users', 'invite', 'bo', '--days', '0', ...base()],
      2,
      /^--days must be a whole number from 1 to 365\.\n$/,
    )
  })
})

test('a scope that differs from what was typed is printed', async () => {
  const users = (...words: string[]) => run('users', ...words, '--database', at('scopes.db'))
  const add = ['add', 'bo', 'correct horse battery']
  expect(await users(...add, '--scope', '/bo')).toMatchObject({ code: 0, stderr: '' })
  expect(await users('update', 'bo', '--scope', '../../etc')).toMatchObject({
    code: 0,
    stderr: 'The scope is /etc, in the served folder.\n',
  })
  expect((await users('update', 'bo', '--scope', 'bo/')).stderr).toBe(
    'The scope is /bo, in the served folder.\n',
  )
  expect((await users('update', 'bo', '--scope', '.')).stderr).toBe(
    'The scope is /, the served folder.\n',
  )
  const { stderr } = await users('invite', 'ida', '--scope', 'ida')
  expect(stderr).toBe('The scope is /ida, in the served folder.\n')
})

test('a root that cannot be written is served read-only, and the server says so', async () => {
  // In a folder of sysfs not even the administrator of the machine can create names.
  const server = await startServer({ root: '/sys/kernel', database: at('ro.db') })
  await server.says(/served read-only/)
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
