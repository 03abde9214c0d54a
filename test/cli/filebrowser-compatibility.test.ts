/** The flags, environment variables, files and commands of File Browser are accepted (docs/api.md 9). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'

const PASSWORD = 'correct horse battery'
/** bcrypt of "invented password", with the prefix that Go writes: File Browser is written in Go. */
const BCRYPT = '$2a$04$abcdefghijklmnopqrstuu2mLVr9gz1jjpKeOOrqS1UwQjL2CUd7q'
let folder: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const run = (words: string[], env: Record<string, string> = {}) =>
  runFilemgr(words, { home: folder.path, env, cwd: folder.path })
const ours = (...words: string[]) => run([...words, '--database', join(folder.path, 'f.db')])
async function optionNow(key: string, words: string[] = [], env: Record<string, string> = {}) {
  const { stdout, stderr } = await run(
    ['config', 'cat', '--json', '--database', join(folder.path, 'f.db'), ...words],
    env,
  )
  expect(stderr).toBe('')
  const rows: { key: string; value: unknown }[] = JSON.parse(stdout)
  return rows.find((row) => row.key === key)?.value
}

describe('names of options', () => {
  test('flags may have other capitals and dashes, and the names of File Browser @spec-7.55', async () => {
    const { code } = await ours(
      'config',
      'set',
      ...['--baseURL', '/x', '--disableThumbnails', '--disable-exec=false', '--imgProcessors', '2'],
      ...['--noauth', '--tokenExpirationTime', '30m', '--fileMode', '0o600', '--createUserDir'],
      ...['--perm.delete=false', '--viewMode', 'mosaic', '--sorting.by', 'size'],
    )
    expect(code).toBe(0)
    const wanted = {
      baseURL: '/x',
      thumbnails: false,
      exec: true,
      imageProcessors: 2,
      'auth.method': 'noauth',
      tokenExpirationTime: 1800,
      fileMode: 0o600,
      createUserDir: true,
      'defaults.perm.delete': false,
      'defaults.viewMode': 'mosaic',
      'defaults.sorting.by': 'size',
    }
    for (const [key, value] of Object.entries(wanted))
      expect([key, await optionNow(key)]).toEqual([key, value])
  })

  test('variables with FB_ set options, and those with FILEMGR_ take precedence @spec-7.55', async () => {
    expect(await optionNow('port', [], { FB_PORT: '81' })).toBe(81)
    expect(await optionNow('port', [], { FB_PORT: '81', FILEMGR_PORT: '82' })).toBe(82)
    expect(await optionNow('baseURL', [], { FB_BASEURL: '/a' })).toBe('/a')
    expect(await optionNow('baseURL', [], { FB_BASE_URL: '/b' })).toBe('/b')
    for (const name of ['FB_SOCKETPERM', 'FB_SOCKET_PERM']) {
      expect(await optionNow('socketPerm', [], { [name]: '0600' })).toBe(0o600)
    }
    expect(await optionNow('thumbnails', [], { FB_DISABLE_THUMBNAILS: 'true' })).toBe(false)
    expect(await optionNow('root', [], { FB_ROOT: '/srv', FB_UNRELATED: 'x' })).toBe('/srv')
  })

  test.each([
    ['.filebrowser.json', '{"port":80,"BaseURL":"","address":"","log":"stdout"}'],
    ['.filebrowser.yaml', 'port: 80\nbaseurl: ""\naddress: ""\nlog: stdout\n'],
    ['.filebrowser.toml', 'port = 80\nbaseURL = ""\naddress = ""\nlog = "stdout"\n'],
  ])('File Browser’s %s in the home folder is read', async (name, text) => {
    const home = join(folder.path, 'home')
    mkdirSync(home)
    writeFileSync(join(home, name), text)
    const env = { HOME: home, XDG_CONFIG_HOME: '' }
    expect(await optionNow('port', [], env)).toBe(80)
    expect(await optionNow('address', [], env)).toBe('')
  })

  test('an option without effect is reported, and a dangerous one is refused', async () => {
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const server = await startServer({ root, env: { FB_REDIS_CACHE_URL: 'redis://x' } })
    try {
      await server.says(/FB_REDIS_CACHE_URL does nothing here/)
    } finally {
      await server.stop()
    }
    for (const off of ['false', '0']) {
      const written = await run(['config', 'set', 'followExternalSymlinks', off])
      expect(written).toMatchObject({ code: 0 })
      expect(await optionNow('port', [], { FB_FOLLOWEXTERNALSYMLINKS: off })).toBe(8080)
    }
    const refused = await run(['serve', root, '--followExternalSymlinks=true'])
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain(
      'links to targets outside the served folder are never followed',
    )
  })
})

describe('config export and import', () => {
  /** As `config export` of File Browser writes it. In YAML, names are in lower case, and the key is a list of numbers. */
  const JSON_FILE = {
    settings: {
      key: 'c2VjcmV0',
      signup: false,
      hideLoginButton: true,
      createUserDir: true,
      userHomeBasePath: '/homes',
      defaults: {
        scope: '.',
        locale: 'de',
        viewMode: 'mosaic',
        sorting: { by: '', asc: false },
        perm: { admin: false, execute: true, create: true, share: false },
        commands: ['git'],
      },
      authMethod: 'hook',
      logoutPage: '/bye',
      branding: { name: 'Ours', files: '/brand', theme: 'dark', color: '#123456' },
      tus: { chunkSize: 1048576, retryCount: 3 },
      commands: { after_upload: ['touch x'], before_upload: null },
      shell: ['sh', '-c'],
      rules: [{ regex: true, allow: false, path: '', regexp: { raw: '\\.key$' } }],
      minimumPasswordLength: 10,
      fileMode: 384,
      dirMode: 448,
      hideDotfiles: false,
    },
    server: {
      root: '/srv',
      baseURL: '/fb',
      port: '80',
      address: '',
      enableThumbnails: false,
      enableExec: true,
    },
    auther: { command: '/opt/auth.sh' },
  }
  const YAML_FILE = `
settings:
    key: [1, 2, 3]
    hideloginbutton: true
    createuserdir: true
    userhomebasepath: /homes
    defaults: {scope: ., locale: de, viewmode: mosaic, sorting: {by: '', asc: false}, perm: {admin: false, execute: true, create: true, share: false}, commands: [git]}
    authmethod: hook
    logoutpage: /bye
    branding: {name: Ours, disableexternal: false, files: /brand, theme: dark, color: '#123456'}
    tus: {chunksize: 1048576, retrycount: 3}
    commands: {after_upload: [touch x], before_upload: []}
    shell: [sh, -c]
    rules: [{regex: true, allow: false, path: '', regexp: {raw: '\\.key$'}}]
    minimumpasswordlength: 10
    filemode: 384
    dirmode: 448
server: {root: /srv, baseurl: /fb, port: '80', address: '', enablethumbnails: false, enableexec: true, imageresolutioncal: true}
auther: {users: null, cred: {password: '', username: ''}, command: /opt/auth.sh}
`
  const TAKEN = {
    hideLoginButton: true,
    createUserDir: true,
    userHomeBasePath: '/homes',
    'defaults.scope': '/',
    'defaults.locale': 'de',
    'defaults.viewMode': 'mosaic',
    'defaults.sorting.by': 'name',
    // File Browser stores the order of names the other way round (docs/decisions.md 4).
    'defaults.sorting.asc': true,
    'defaults.perm.execute': true,
    'defaults.perm.share': false,
    'defaults.commands': ['git'],
    'auth.method': 'hook',
    'auth.command': '/opt/auth.sh',
    'auth.logoutPage': '/bye',
    'branding.theme': 'dark',
    'tus.retryCount': 3,
    shell: ['sh', '-c'],
    minimumPasswordLength: 10,
    fileMode: 0o600,
    root: '/srv',
    port: 80,
    address: '',
    thumbnails: false,
    exec: true,
  }

  test.each([
    ['s.json', JSON.stringify(JSON_FILE)],
    ['s.yml', YAML_FILE],
  ])(
    'a configuration file of File Browser is imported: %s @spec-7.55 @spec-11.28',
    async (name, text) => {
      const path = join(folder.path, name)
      writeFileSync(path, text)
      expect(await ours('config', 'import', path)).toMatchObject({ code: 0 })
      const { stdout } = await ours('config', 'cat', '--json')
      const rows: { key: string; value: unknown }[] = JSON.parse(stdout)
      const found = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
      expect(found).toMatchObject(TAKEN)
      expect((await ours('config', 'cat')).stdout).toContain('fileMode\t0600\tdatabase\n')
      expect((await ours('rules', 'ls')).stdout).toContain('0\tdeny\texpression\t\\.key$')
      expect((await ours('cmds', 'ls')).stdout).toBe(
        'EVENT\tNUMBER\tCOMMAND\nafter_upload\t0\ttouch x\n',
      )
    },
  )

  test.each(['x.json', 'x.yaml', 'x.toml'])(
    'an export to %s is imported unchanged',
    async (name) => {
      const path = join(folder.path, name)
      const succeeds = async (...words: string[]) =>
        expect([words, await ours(...words)]).toMatchObject([words, { code: 0 }])
      const set = (...flags: string[]) => succeeds('config', 'set', ...flags)
      await set('--sorting.asc=false', '--shell', 'bash -c', '--port', '90')
      await succeeds('rules', 'add', '/private')
      const before = (await ours('config', 'cat', '--json')).stdout
      expect(await ours('config', 'export', path)).toMatchObject({ code: 0 })
      expect(statSync(path).mode & 0o777).toBe(0o600)
      // The key that signs tokens is a secret. `"key":` in JSON, `key:` in YAML, `key =` in TOML.
      expect(readFileSync(path, 'utf8')).not.toMatch(/\bkey\b"?\s*[:=]/i)
      await succeeds('rules', 'rm', '0')
      await set('--sorting.asc=true', '--shell', '', '--port', '91')
      expect(await ours('config', 'import', path)).toMatchObject({ code: 0 })
      expect((await ours('config', 'cat', '--json')).stdout).toBe(before)
      expect((await ours('rules', 'ls')).stdout).toContain('/private')
    },
  )

  test('an invalid settings file changes nothing, and the message names the invalid value', async () => {
    const path = join(folder.path, 'bad.json')
    const bad = structuredClone(JSON_FILE)
    bad.settings.authMethod = 'magic'
    writeFileSync(path, JSON.stringify(bad))
    const before = (await ours('config', 'cat', '--json')).stdout
    const refused = await ours('config', 'import', path)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('auth.method must be one of json, proxy, hook, noauth')
    writeFileSync(path, '{"settings": {}}')
    expect((await ours('config', 'import', path)).stderr).toContain('both settings and server')
    expect((await ours('config', 'cat', '--json')).stdout).toBe(before)
  })
})

describe('users export and import', () => {
  const person = (id: number, username: string, admin = false) => ({
    id,
    username,
    password: BCRYPT,
    scope: '.',
    locale: 'en',
    lockPassword: false,
    viewMode: 'mosaic',
    perm: { admin, create: true, download: true },
    sorting: { by: 'name', asc: false },
    rules: [{ regex: false, allow: false, path: '/x', regexp: null }],
  })

  test('users of File Browser are imported with their ids and passwords, all or none @spec-7.55 @spec-11.27', async () => {
    const path = join(folder.path, 'people.json')
    writeFileSync(path, JSON.stringify([person(3, 'ana', true), person(7, 'bo')]))
    expect(await ours('users', 'import', path)).toMatchObject({ code: 0 })
    const [ana] = JSON.parse((await ours('users', 'find', '3', '--json')).stdout)
    // `asc: false` of File Browser is A to Z (docs/decisions.md 4).
    expect(ana).toMatchObject({ username: 'ana', scope: '/', sorting: { by: 'name', asc: true } })
    expect(ana.rules).toEqual([{ regex: false, allow: false, path: '/x', regexp: null }])

    writeFileSync(path, JSON.stringify([person(9, 'new'), person(7, 'bo2')]))
    const refused = await ours('users', 'import', path)
    expect(refused.stderr).toContain('User 7 (bo) already exists')
    expect((await ours('users', 'ls')).stdout).not.toContain('new')
    expect((await ours('users', 'import', path, '--overwrite')).code).toBe(0)
    expect((await ours('users', 'find', '7')).stdout).toContain('bo2')

    writeFileSync(path, JSON.stringify([person(0, 'only')]))
    expect((await ours('users', 'import', path, '--replace')).stderr).toContain(
      'There would be no administrator',
    )
    expect((await ours('users', 'ls')).stdout.split('\n')).toHaveLength(5)
  })

  test('a user who was imported with a bcrypt hash can sign in', async () => {
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const path = join(folder.path, 'people.json')
    writeFileSync(path, JSON.stringify([person(1, 'ana', true)]))
    const database = join(folder.path, 'f.db')
    expect(await ours('users', 'import', path)).toMatchObject({ code: 0 })
    const server = await startServer({ root, database })
    const logIn = (password: string) =>
      fetch(`${server.url}/api/login`, {
        method: 'POST',
        body: JSON.stringify({ username: 'ana', password }),
      })
    try {
      expect((await logIn('another password')).status).toBe(403)
      expect((await logIn('invented password')).status).toBe(200)
    } finally {
      await server.stop()
    }
  })

  test('users are the same after an export to YAML and an import with --replace @spec-11.27', async () => {
    await ours('users', 'add', 'root', PASSWORD, '--perm.admin')
    await ours(
      'users',
      'add',
      'anna',
      PASSWORD,
      '--viewMode',
      'mosaic gallery',
      '--sorting.asc=false',
    )
    const path = join(folder.path, 'out.yml')
    await ours('users', 'export', path)
    const before = (await ours('users', 'ls', '--json')).stdout
    expect((await ours('users', 'import', path, '--replace')).code).toBe(0)
    expect((await ours('users', 'ls', '--json')).stdout).toBe(before)
    expect(existsSync(join(folder.path, 'users.backup.json'))).toBe(true)
  })

  test('a password that is not hashed is refused with the name of the user', async () => {
    const path = join(folder.path, 'people.json')
    writeFileSync(path, JSON.stringify([{ ...person(1, 'ana', true), password: 'open' }]))
    const refused = await ours('users', 'import', path)
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('entry 1 (ana): The password is not a hash')
  })
})

test('event commands are added, listed and removed', async () => {
  expect((await ours('cmds', 'add', 'after_upload', 'touch', 'x')).code).toBe(0)
  await ours('cmds', 'add', 'after_upload', 'echo done &')
  expect((await ours('cmds', 'ls', '-e', 'upload')).stdout).toContain(
    'after_upload\t1\techo done &',
  )
  const reversed = await ours('cmds', 'rm', 'after_upload', '1', '0')
  expect(reversed).toMatchObject({ code: 2, stdout: '' })
  expect(reversed.stderr).toBe('The last number is smaller than the first.\n')
  expect((await ours('cmds', 'rm', 'after_upload', '0', '1')).stdout).toBe(
    'EVENT\tNUMBER\tCOMMAND\n',
  )
  expect((await ours('cmds', 'rm', 'after_upload', '0')).code).toBe(4)
  expect((await ours('cmds', 'add', 'after_lunch', 'x')).stderr).toContain(
    'There is no event after_lunch',
  )
})

test('filemgr with flags but without a command serves, as File Browser does', async () => {
  const { stderr } = await run(['-r', join(folder.path, 'none'), '-p', '0'])
  expect(stderr).toContain('none does not exist.')
})

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])(
    'filemgr completion prints a script for %s',
    async (shell) => {
      expect((await run(['completion', shell])).stdout).toContain('filemgr complete')
    },
  )

  test('filemgr complete prints the candidates for the last word', async () => {
    expect((await run(['complete', '--', 'users', 'up'])).stdout).toBe('update\n')
    expect((await run(['complete', '--', 'serve', '--base'])).stdout).toBe('--base-url\n')
    expect((await run(['complete', '--', ''])).stdout.split('\n')).toContain('serve')
  })
})
