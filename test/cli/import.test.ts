/** filemgr import imports an installation of File Browser completely, or says why not (docs/api.md 9.6). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '#server/config/load.ts'
import { importAtFirstStart } from '#server/takeover/first-start.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome, signIn } from '../support/server/client.ts'
import { REPO_ROOT, runFilemgr } from '../support/server/executable.ts'
import {
  BCRYPT,
  type OldParts,
  oldDatabase,
  oldUser,
  PASSWORD,
} from '../support/server/old-installation.ts'
import { startServer } from '../support/server/server.ts'

const SAMPLE = join(REPO_ROOT, 'test/fixtures/filebrowser.db')
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(at('srv'))
})
afterEach(() => folder.remove())

const at = (...names: string[]) => join(folder.path, ...names)
const run = (...words: string[]) =>
  runFilemgr([...words, '--database', at('f.db')], { home: folder.path })
function old(parts: OldParts = {}, pageSize?: number): string {
  writeFileSync(at('old.db'), oldDatabase(parts, pageSize))
  return at('old.db')
}
const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout)
async function optionsNow(): Promise<Record<string, unknown>> {
  const rows: { key: string; value: unknown }[] = await json('config', 'cat')
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}
/** The exported users and settings, and the shares. */
async function everything(): Promise<unknown> {
  await run('users', 'export', at('u.json'))
  await run('config', 'export', at('c.json'))
  return [
    readFileSync(at('u.json'), 'utf8'),
    readFileSync(at('c.json'), 'utf8'),
    await json('shares', 'ls'),
  ]
}

describe('the sample database', () => {
  test('the sample database is imported: users, shares, rules, settings, commands', async () => {
    const before = readFileSync(SAMPLE)
    const taken = await run('import', SAMPLE)
    expect(taken).toMatchObject({ code: 0 })
    const users = await json('users', 'ls')
    expect(users).toMatchObject([
      { id: 1, username: 'admin', scope: '/', perm: { admin: true }, sorting: { asc: true } },
      {
        id: 3,
        username: 'Zoë Müller',
        scope: '/users/Zo-M-ller',
        locale: 'de',
        lockPassword: true,
        viewMode: 'mosaic gallery',
        commands: ['git'],
        sorting: { by: 'modified', asc: true },
        rules: [{ allow: true, path: '/a' }],
        hideDotfiles: true,
        dateFormat: true,
        aceEditorTheme: 'ace/theme/monokai',
      },
    ])
    expect(await json('shares', 'ls')).toMatchObject([
      { hash: 'AAAAbb-_', username: 'admin', path: '/docs', expires: '', hasPassword: false },
      {
        hash: 'qX3_b-9Z',
        username: 'Zoë Müller',
        path: '/pic <1>.png',
        expires: '2030-01-01T00:00:00.000Z',
        hasPassword: true,
      },
    ])
    expect(await optionsNow()).toMatchObject({
      baseURL: '/files',
      port: 80,
      root: '/srv',
      exec: false,
      createUserDir: true,
      'branding.name': 'Example & Söhne',
      'branding.color': '#123456',
      'branding.theme': 'dark',
      'defaults.sorting.asc': true,
      'defaults.viewMode': 'mosaic',
    })
    expect((await run('rules', 'ls')).stdout).toContain('/private')
    expect((await run('cmds', 'ls')).stdout).toContain('echo $FILE &')
    expect(readFileSync(SAMPLE).equals(before)).toBe(true)
  })

  test('a dry run reports the import, and changes nothing', async () => {
    const dry = await run('import', SAMPLE, '--dry-run')
    expect(dry.code).toBe(0)
    for (const line of [
      'Users: 2 with passwords',
      'Shares: 2 with their addresses, 1 with a password, 1 with an expiry',
      '  - share orphan00 is dropped: it has expired.',
      'Rules: 2 for all users, 1 for single users',
      'baseURL="/files"',
      '  - The signing key is not imported: all users must sign in again.',
      '  - The served folder /srv',
      'Commands: 1 of events, programs of 1 users',
      'Commands come over switched off.',
    ]) {
      const here = line.includes('/srv') && existsSync('/srv') ? '' : line
      expect(dry.stdout).toContain(here)
    }
    expect(dry.stderr).toBe('Nothing was changed.\n')
    expect(existsSync(at('f.db'))).toBe(false)
  })

  test('a second import changes nothing, also after a password was upgraded', async () => {
    const root = at('srv')
    const path = old({ users: [oldUser(1, 'admin'), oldUser(2, 'bo')] })
    expect((await run('import', path, '--root', root)).code).toBe(0)
    const server = await startServer({ root, database: at('f.db') })
    await signIn(server.url, 'bo', PASSWORD)
    await server.stop()
    const first = await everything()
    expect(JSON.stringify(first)).toContain('argon2id')
    const second = await run('import', path, '--overwrite')
    expect(second).toMatchObject({ code: 0, stdout: '' })
    expect(second.stderr).toBe('This was imported before. Nothing was changed.\n')
    expect(await everything()).toEqual(first)
  })
})

test('a large database is imported completely: branch pages, overflow pages, and a thousand users', async () => {
  mkdirSync(at('srv', 'docs'))
  writeFileSync(at('srv', 'docs', 'a.txt'), 'of docs')
  writeFileSync(at('srv', 'secret.txt'), 'no')
  const users = Array.from({ length: 1000 }, (_, index) =>
    oldUser(
      index + 1,
      `user ${index + 1}`,
      index === 500
        ? {
            rules: Array.from({ length: 100 }, (_, number) => ({
              regex: false,
              allow: false,
              path: number === 7 ? '/secret.txt' : `/none/${number}`,
              regexp: null,
            })),
          }
        : {},
    ),
  )
  const shares = Array.from({ length: 400 }, (_, index) => ({
    hash: `h${String(index).padStart(7, '0')}`,
    path: '/docs/',
    userID: index + 1,
    expire: 0,
  }))
  const taken = await run('import', old({ users, shares }, 1024), '--root', at('srv'))
  expect(taken).toMatchObject({ code: 0 })
  expect(taken.stdout).toContain('Users: 1000 ')
  expect(taken.stdout).toContain('Shares: 400 ')
  const server = await startServer({ root: at('srv'), database: at('f.db') })
  const person = await signIn(server.url, 'user 501', PASSWORD)
  expect(await outcome(person.call('GET', '/api/resources/secret.txt'))).toBe('403 forbidden')
  const other = await signIn(server.url, 'user 1000', PASSWORD)
  expect(await outcome(other.call('GET', '/api/resources/secret.txt'))).toBe('200')
  const link = await anonymous(server.url).call('GET', '/api/public/share/h0000399')
  expect(await link.json()).toMatchObject({ items: [{ name: 'a.txt' }] })
  await server.stop()
}, 120_000)

test('exported files are imported like the database', async () => {
  const server = { root: at('srv'), port: 9321, enableExec: true }
  const settings = { rules: [], commands: { after_upload: ['echo'] }, unheard: true }
  writeFileSync(at('c.json'), JSON.stringify({ settings, server, auther: {} }))
  writeFileSync(
    at('u.yaml'),
    `- id: 4\n  username: ana\n  password: ${BCRYPT}\n  viewmode: list\n  hidedotfiles: true\n  odd: 1\n  perm: {admin: true}\n`,
  )
  const taken = await run('import', at('c.json'), at('u.yaml'))
  expect(taken).toMatchObject({ code: 0 })
  expect(taken.stdout).toContain('  - unheard is left out.')
  expect(taken.stdout).toContain('  - entry 1 (ana): odd is left out.')
  expect(taken.stdout).toContain('They ran with File Browser and do not run here yet.')
  expect(await json('users', 'ls')).toMatchObject([{ id: 4, username: 'ana', hideDotfiles: true }])
  expect(await optionsNow()).toMatchObject({ port: 9321, exec: false })
})

describe('commands are imported switched off', () => {
  const withCommands = (server: object) => {
    const settings = { rules: [], commands: { after_upload: ['echo'] } }
    writeFileSync(at('c.json'), JSON.stringify({ settings, server, auther: {} }))
    return at('c.json')
  }

  test.each([
    ['a text', { exec: 'true' }],
    ['two names', { enableExec: true, disableExec: false }],
  ])('also if the file switches them on by %s', async (_, server) => {
    const taken = await run('import', withCommands(server))
    expect(taken).toMatchObject({ code: 0 })
    expect(taken.stdout).toContain('They ran with File Browser and do not run here yet.')
    expect((await optionsNow()).exec).toBe(false)
  })

  test('if commands are on here, they are refused, and a first start says that they run', async () => {
    expect(await run('config', 'set', 'exec', 'true')).toMatchObject({ code: 0 })
    const refused = await run('import', withCommands({}))
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('Set exec to false')
    expect((await run('cmds', 'ls')).stdout).not.toContain('echo')
    const others = await run('import', old({ settings: { signup: false } }))
    expect(others).toMatchObject({ code: 0 })
    mkdirSync(at('first'))
    writeFileSync(at('first', 'filebrowser.db'), readFileSync(SAMPLE))
    const first = await importAtFirstStart((database = at('first', 'filebrowser.db')) =>
      loadConfig({ flags: { database, exec: true }, env: { HOME: folder.path } }),
    )
    const commands = first?.report.find(({ title }) => title === 'commands')
    expect(commands?.notes).toEqual(['They run, because exec is on here.'])
  })
})

test('settings that File Browser has not set yet have their defaults', async () => {
  const tus = { chunkSize: 0, retryCount: 0 }
  const unset = { tus, minimumPasswordLength: 0, fileMode: 0, dirMode: 0, userHomeBasePath: '' }
  expect(await run('import', old({ settings: unset }))).toMatchObject({ code: 0 })
  const names = ['tus.chunkSize', 'tus.retryCount', 'minimumPasswordLength', 'fileMode', 'dirMode']
  const options = await optionsNow()
  const rows: { key: string; value: unknown }[] = JSON.parse(
    (await runFilemgr(['config', 'cat', '--json'], { home: at('srv') })).stdout,
  )
  for (const name of names) {
    expect([name, options[name]]).toEqual([name, rows.find(({ key }) => key === name)?.value])
  }
})

test('while File Browser uses its database, commands beside it use the imported one', async () => {
  writeFileSync(at('filebrowser.db'), oldDatabase())
  const imported = await runFilemgr(['import', 'filebrowser.db'], { home: folder.path })
  expect(imported).toMatchObject({ code: 0 })
  const holder = Bun.spawn(['flock', at('filebrowser.db'), 'sh', '-c', 'echo held; read _'], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  try {
    await holder.stdout.getReader().read()
    const listed = await runFilemgr(['users', 'ls'], { home: folder.path })
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('admin')])
  } finally {
    holder.kill()
    await holder.exited
  }
})

describe('values that are changed or dropped', () => {
  test('open sign-up without home folders is imported as closed', async () => {
    const taken = await run('import', old({ settings: { signup: true } }))
    expect(taken).toMatchObject({ code: 0 })
    expect(taken.stdout).toContain('signup is switched off')
    expect((await optionsNow()).signup).toBe(false)
  })

  test('if a proxy signs users in, the report says how to name the addresses of the proxy', async () => {
    const taken = await run('import', old({ settings: { authMethod: 'proxy' } }), '--dry-run')
    expect(taken).toMatchObject({ code: 0 })
    expect(taken.stdout).toContain('filemgr config set trustedProxies ADDRESS')
    const other = await run('import', old(), '--dry-run')
    expect(other.stdout).not.toContain('trustedProxies')
  })

  test('a missing home folder and a share without an owner are named', async () => {
    const users = [oldUser(1, 'admin'), oldUser(2, 'bo', { scope: '/users/bo' })]
    const shares = [{ hash: 'nobodys0', path: '/x', userID: 9, expire: 0 }]
    const dry = await run('import', old({ users, shares }), '--root', at('srv'), '--dry-run')
    expect(dry.stdout).toContain(
      `entry 2 (bo): the folder /users/bo does not exist in ${at('srv')}`,
    )
    expect(dry.stdout).toContain('share nobodys0 is dropped: its owner, user 9, does not exist.')
  })
})

describe('a refused import changes nothing, and has a message and an exit code', () => {
  async function refused(code: number, sentence: string, ...words: string[]): Promise<void> {
    const before = existsSync(at('f.db')) ? await everything() : undefined
    const result = await run('import', ...words)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(sentence)
    if (before) expect(await everything()).toEqual(before)
    else expect(existsSync(at('f.db'))).toBe(false)
  }

  test('a file that is missing, of another program, half copied, or of File Browser 1 is refused', async () => {
    await refused(4, 'does not exist', at('none.db'))
    writeFileSync(at('x.db'), 'SQLite format 3')
    await refused(2, 'is not a database of File Browser.', at('x.db'))
    const whole = oldDatabase({ users: [oldUser(1, 'admin')] })
    writeFileSync(at('half.db'), whole.subarray(0, whole.length / 2))
    await refused(1, 'is damaged or incompletely copied', at('half.db'))
    writeFileSync(at('x.json'), '{"users": 1}')
    await refused(2, 'is not an export', at('x.json'))
    writeFileSync(at('x.json'), '{')
    await refused(2, `${at('x.json')}:1:`, at('x.json'))
    await refused(2, 'Two of the files contain settings', old(), SAMPLE)
  })

  test('duplicate users are refused', async () => {
    const users = [oldUser(1, 'admin'), oldUser(2, 'bo'), oldUser(3, 'bo')]
    await refused(2, 'entry 3 (bo): This user name is taken.', old({ users }))
  })

  test('existing users and shares are replaced only with --overwrite', async () => {
    const shares = [{ hash: 'abcdefgh', path: '/', userID: 1, expire: 0 }]
    expect((await run('import', old({ shares }))).code).toBe(0)
    const path = old({ shares, users: [oldUser(1, 'ana'), oldUser(2, 'bo')] })
    await refused(2, 'User 1 (admin) already exists', path)
    await refused(2, 'share abcdefgh: this address is taken', path)
    expect((await run('import', path, '--overwrite')).code).toBe(0)
    expect(await json('users', 'ls')).toMatchObject([{ username: 'ana' }, { username: 'bo' }])
  })

  test('a database without an administrator is refused', async () => {
    await refused(2, 'There would be no administrator', old({ users: [oldUser(2, 'bo')] }))
  })
})
