/** The commands of filemgr, and what they print. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT } from '#cli/exit.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { until } from '../support/server/broken-connection.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { type ServerOptions, startServer } from '../support/server/server.ts'

const PASSWORD = 'correct horse battery'
let folder: ReturnType<typeof temporaryFolder>
let database: string
let stops: (() => Promise<unknown>)[]

beforeEach(() => {
  folder = temporaryFolder()
  database = join(folder.path, 'f.db')
  stops = []
})
afterEach(async () => {
  for (const stop of stops) await stop()
  folder.remove()
})

/** Starts a server, which stops at the end of the test at the latest. */
async function serve(options: ServerOptions = {}) {
  const server = await startServer(options)
  stops.push(server.stop)
  return server
}

const run = (words: string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  runFilemgr(words, { home: folder.path, ...options })
const users = (...words: string[]) => run(['users', ...words, '--database', database])
const config = (...words: string[]) => run(['config', ...words, '--database', database])

describe('users', () => {
  test('users are invited by a link, which a server accepts @spec-7.37', async () => {
    const invite = async (...args: string[]) => users('invite', 'ida', ...args, '--json')
    const made = JSON.parse((await invite('--scope', '/ida', '--perm.delete=false')).stdout)
    expect(made).toMatchObject({ userID: 1, username: 'ida' })
    expect(made.link).toStartWith('http://127.0.0.1:8080/invite#')
    expect((await invite('--perm.admin')).stderr).toContain('users update')
    expect((await invite('--days', '0')).code).toBe(EXIT.usage)
    const again = await invite('--url', 'https://files.example.org/', '--days', '1')
    const { link } = JSON.parse(again.stdout)
    expect(link).toStartWith('https://files.example.org/invite#')

    const server = await serve({ root: folder.path, database })
    const token = new URL(link).hash.slice(1)
    const entered = await fetch(`${server.url}/api/invitation/accept`, {
      method: 'POST',
      body: JSON.stringify({ token, password: PASSWORD }),
    })
    expect(entered.status).toBe(200)
    await signIn(server.url, 'ida', PASSWORD)
    const next = JSON.parse((await users('invite', 'jo', '--json')).stdout)
    expect(next.link).toStartWith(`${server.url}/invite#`)
    await config('set', 'publicAddress', 'https://files.example.org')
    const last = JSON.parse((await users('invite', 'kim', '--json')).stdout)
    expect(last.link).toStartWith('https://files.example.org/invite#')
  })

  test('spaces around programs are removed, and a password together with a hash is refused', async () => {
    const added = await users('add', 'bo', PASSWORD, '--commands', 'ls, cat ,', '--json')
    expect(JSON.parse(added.stdout)).toMatchObject([{ commands: ['ls', 'cat'] }])
    const both = await users('add', 'cy', PASSWORD, '--password-hash', '$2a$10$x')
    expect([both.code, both.stderr]).toEqual([2, 'Give a password or --password-hash, not both.\n'])
    expect((await users('find', 'cy')).code).toBe(EXIT.notFound)
  })

  test('a switch before an argument takes only true or false as its value', async () => {
    await users('add', 'root', PASSWORD, '--perm.admin')
    await users('add', 'anna', PASSWORD)
    const isAdmin = async (...args: string[]) => {
      const changed = await users('update', ...args, '--json')
      expect(changed.stderr).toBe('')
      return JSON.parse(changed.stdout)[0].perm.admin
    }
    expect(await isAdmin('--perm.admin', 'anna')).toBe(true)
    expect(await isAdmin('--perm.admin', 'false', 'anna')).toBe(false)
    expect(await isAdmin('anna', '--perm.admin')).toBe(true)
    expect(await isAdmin('--perm.admin=false', 'anna')).toBe(false)
  })

  test('users are added, listed, found, changed and removed', async () => {
    expect(
      (await users('add', 'anna', PASSWORD, '--scope', '/anna', '--perm.delete=false')).code,
    ).toBe(0)
    const found = JSON.parse((await users('find', 'anna', '--json')).stdout)
    expect(found).toMatchObject([
      {
        id: 1,
        username: 'anna',
        scope: '/anna',
        perm: { delete: false, create: true, admin: false },
      },
    ])
    expect(JSON.stringify(found)).not.toContain('$argon2')

    expect(
      (await users('update', 'anna', '--username', 'anna maria', '--hide-dotfiles')).code,
    ).toBe(0)
    const [changed] = JSON.parse((await users('find', '1', '--json')).stdout)
    expect(changed).toMatchObject({
      username: 'anna maria',
      hideDotfiles: true,
      scope: '/anna',
      perm: { delete: false },
    })

    expect((await users('ls')).stdout).toBe(
      'ID\tNAME\tSCOPE\tLANGUAGE\tMAY\tLOCKED\tLAST SIGN-IN\n1\tanna maria\t/anna\t\tcreate,rename,modify,share,download\tfalse\t-\n',
    )
    expect((await users('rm', '1')).stdout).toBe('Removed anna maria.\n')
    expect((await users('find', '1')).code).toBe(EXIT.notFound)
  })

  test('a user may have a name of digits, and a name that is also the id of another user is refused as ambiguous', async () => {
    await users('add', 'anna', PASSWORD)
    await users('add', '7', PASSWORD)
    await users('add', '1', PASSWORD)
    const found = async (who: string) => {
      const { code, stdout } = await users('find', who, '--json')
      return code === 0 ? JSON.parse(stdout)[0].username : code
    }
    expect(await found('7')).toBe('7')
    expect(await found('2')).toBe('7')
    expect(await found('1')).toBe(1)
    for (const words of [
      ['rm', '1'],
      ['update', '1', '--locale', 'de'],
    ]) {
      const { code, stderr } = await users(...words)
      expect(code).toBe(1)
      expect(stderr).toContain('1 is the name of user 3 and the id of anna. Write name:1 or id:1.')
    }
    expect((await run(['sessions', 'end', '--user', '1', '--database', database])).code).toBe(
      EXIT.failed,
    )
    expect((await run(['rules', 'ls', '--user', '1', '--database', database])).code).toBe(
      EXIT.failed,
    )
    expect(await found('id:1')).toBe('anna')
    expect(await found('name:1')).toBe('1')
    expect(await found('name:anna')).toBe('anna')
    expect(await found('id:9')).toBe(4)
    expect(await found('name:2')).toBe(4)
    expect((await users('rm', 'name:1')).stdout).toBe('Removed 1.\n')
    expect(await found('1')).toBe('anna')
  })

  test('a password and other fields are changed together, or not at all', async () => {
    await users('add', 'anna', PASSWORD)
    await users('add', 'bob', PASSWORD)
    const exported = async () => {
      await users('export', join(folder.path, 'now.json'))
      return readFileSync(join(folder.path, 'now.json'), 'utf8')
    }
    const before = await exported()
    const next = 'another quite long one'
    for (const words of [
      ['--password', next, '--username', 'bob'],
      ['--password', next, '--perm.share', '--perm.download=false'],
      ['--locale', 'xx'],
      ['--password', 'short', '--locale', 'de'],
      ['--password', '', '--locale', 'de'],
      ['--password', next, '--username', 'x'.repeat(129)],
    ]) {
      expect((await users('update', 'anna', ...words)).code).not.toBe(0)
      expect(await exported()).toBe(before)
    }
    expect((await users('update', 'anna', '--password', next, '--locale', 'de')).code).toBe(EXIT.ok)
    expect(await exported()).not.toBe(before)
  })

  test('no user is created with an empty password, or with a text that is no hash', async () => {
    expect((await users('add', 'x', '')).stderr).toBe('The password is empty.\n')
    expect((await users('add', 'x', '--password-hash', '')).stderr).toContain('not a password hash')
    expect((await run(['users', 'add', 'x', '--database', database], { input: '\n' })).code).toBe(
      EXIT.usage,
    )
    const people = (password: string, username = 'x') => {
      const file = join(folder.path, 'people.json')
      const hash = '$2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq'
      const admin = { id: 1, username: 'admin', password: hash, perm: { admin: true } }
      writeFileSync(file, JSON.stringify([admin, { id: 2, username, password }]))
      return file
    }
    expect((await users('import', people(''))).stderr).toContain('(x): The password is not a hash.')
    expect((await users('import', people('plain text'))).code).toBe(EXIT.usage)
    expect(
      (
        await users(
          'import',
          people('$2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq', 'x'.repeat(129)),
        )
      ).code,
    ).toBe(EXIT.usage)
    expect((await users('ls')).stdout).toBe(
      'ID\tNAME\tSCOPE\tLANGUAGE\tMAY\tLOCKED\tLAST SIGN-IN\n',
    )
  })

  test('an update of a user without options changes nothing @spec-11.26', async () => {
    const options = ['--hide-dotfiles', '--date-format', '--lock-password']
    expect((await users('add', 'anna', PASSWORD, ...options)).code).toBe(EXIT.ok)
    const before = (await users('find', 'anna', '--json')).stdout
    expect((await users('update', 'anna')).code).toBe(EXIT.ok)
    expect((await users('find', 'anna', '--json')).stdout).toBe(before)
  })

  test('a password that is not an argument is read from standard input', async () => {
    const added = await run(['users', 'add', 'anna', '--database', database], {
      input: `${PASSWORD}\n`,
    })
    expect(added.code).toBe(EXIT.ok)
  })

  test('bad passwords, taken names and the last administrator are refused', async () => {
    expect(await users('add', 'x', 'short')).toMatchObject({
      code: 2,
      stderr: 'The password is too short: it needs at least 12 characters.\n',
    })
    expect(await users('add', 'x', 'passwordpassword')).toMatchObject({
      code: 2,
      stderr: 'The password is too easy to guess.\n',
    })
    await users('add', 'boss', PASSWORD, '--perm.admin')
    expect((await users('add', 'boss', PASSWORD)).code).toBe(EXIT.failed)
    for (const words of [
      ['rm', 'boss'],
      ['update', 'boss', '--perm.admin=false'],
    ]) {
      expect((await users(...words)).stderr).toContain('the only administrator')
    }
    expect((await users('add', 'y', PASSWORD, '--perm.download=false')).stderr).toContain(
      'The permission to share',
    )
    expect((await users('add', ' ', PASSWORD)).code).toBe(EXIT.usage)
  })
})

describe('config', () => {
  test('config init creates a database once, with access for its owner only', async () => {
    expect((await config('init', '--branding.name', 'Ours')).code).toBe(EXIT.ok)
    expect(statSync(database).mode & 0o777).toBe(0o600)
    expect(await config('init')).toMatchObject({ code: 1 })
    expect((await config('cat')).stdout).toContain('branding.name\tOurs\tsettings\n')
  })

  test('the first start refuses contradictory defaults, and leaves no database', async () => {
    const cat = (env: Record<string, string>) =>
      run(['config', 'cat', '--database', database], { env })
    const noDownloads = { FILEMGR_DEFAULTS_PERM_DOWNLOAD: 'false' }
    const refused = await cat(noDownloads)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'defaults.perm: the permission to share requires the permission to download.\n',
    ])
    expect(existsSync(database)).toBe(false)
    expect((await cat({ FILEMGR_SIGNUP: 'true' })).stderr).toContain('defaults.scope')
    const done = await cat({ ...noDownloads, FILEMGR_DEFAULTS_PERM_SHARE: 'false' })
    expect(done.stdout).toContain('defaults.perm.download\tfalse\tsettings\n')
  })

  test('config cat prints each value and its source: flag before environment before file before default', async () => {
    const file = join(folder.path, 'c.toml')
    writeFileSync(
      file,
      'port = 1\naddress = "127.0.0.2"\nfileMode = "0600"\n[branding]\nname = "From the file"\n',
    )
    const env = { FILEMGR_PORT: '2', FILEMGR_ADDRESS: '127.0.0.3' }
    // The branding is a setting: without a database, the file defines its initial value.
    const cat = await run(
      ['config', 'cat', '--json', '--config', file, '--database', database, '--port', '3'],
      { env },
    )
    const rows = new Map<string, { value: unknown; origin: string }>(
      JSON.parse(cat.stdout).map((row: { key: string; value: unknown; origin: string }) => [
        row.key,
        row,
      ]),
    )
    expect(rows.get('port')).toMatchObject({ value: 3, origin: 'flag' })
    expect(rows.get('address')).toMatchObject({ value: '127.0.0.3', origin: 'environment' })
    expect(rows.get('fileMode')).toMatchObject({ value: 0o600, origin: 'file' })
    expect(rows.get('baseURL')).toMatchObject({ value: '', origin: 'default' })
    expect(rows.get('branding.name')).toMatchObject({ value: 'From the file', origin: 'settings' })
  })

  test('config set writes a startup option to the file of --config, and a live option to the database', async () => {
    const file = join(folder.path, 'c.yaml')
    writeFileSync(file, '# ours\nport: 1 # one\n')
    expect((await run(['config', 'set', 'address', '0.0.0.0', '--config', file])).code).toBe(
      EXIT.ok,
    )
    expect(readFileSync(file, 'utf8')).toBe('# ours\nport: 1 # one\naddress: 0.0.0.0\n')
    expect((await config('set', 'tus.chunkSize', '5MB')).code).toBe(EXIT.ok)
    expect((await config('cat')).stdout).toContain('tus.chunkSize\t5242880\tsettings\n')
    expect((await config('set', 'nonsense', '1')).code).toBe(EXIT.notFound)
    expect((await config('set', 'tus.retryCount', 'many')).stderr).toContain(
      'tus.retryCount must be a whole number',
    )
  })
})

describe('rules', () => {
  const rules = (...words: string[]) => run(['rules', ...words, '--database', database])

  test('rules are added, listed and removed, for all users and for one', async () => {
    await users('add', 'anna', PASSWORD)
    await rules('add', '/private')
    // The slash at the beginning may be omitted.
    await rules('add', 'private/open', '--allow')
    expect((await rules('add', '--regex', '\\.key$', '--user', 'anna')).stdout).toContain(
      '0\tdeny\texpression\t\\.key$',
    )
    expect((await rules('ls')).stdout).toBe(
      'NUMBER\tWHAT\tBY\tPATH/EXPRESSION\n0\tdeny\tpath\t/private\n1\tallow\tpath\t/private/open\n',
    )
    for (const unusable of ['', ' ', '../x', '/a/./b']) {
      expect((await rules('add', unusable)).code).toBe(EXIT.usage)
    }
    // Two numbers are the first and the last rule to remove.
    expect((await rules('rm', '1', '0')).code).toBe(EXIT.usage)
    expect((await rules('ls')).stdout).toContain('/private/open')
    expect((await rules('rm', '0', '1')).stdout).toBe('NUMBER\tWHAT\tBY\tPATH/EXPRESSION\n')
    expect(JSON.parse((await rules('ls', '--user', 'anna', '--json')).stdout)).toMatchObject([
      { regex: true },
    ])
    expect((await rules('rm', '7')).code).toBe(EXIT.notFound)
    expect((await rules('add', '--regex', '(')).code).toBe(EXIT.usage)
    expect((await rules('ls')).stdout).toBe('NUMBER\tWHAT\tBY\tPATH/EXPRESSION\n')
  })
})

describe('shares and sessions', () => {
  test('shares and sessions are listed and ended while the server runs', async () => {
    const server = await serve({ database })
    const admin = await signIn(server.url, 'admin', server.password)
    await admin.call('POST', '/api/resources/x.txt', 'x')
    const { hash } = (await (await admin.call('POST', '/api/share/x.txt', {})).json()) as {
      hash: string
    }
    const shares = (...words: string[]) => run(['shares', ...words, '--database', database])
    expect((await shares('ls')).stdout).toContain(`${hash}\tadmin\t/x.txt\tnever\tfalse`)
    expect((await shares('rm', hash)).code).toBe(EXIT.ok)
    expect((await shares('rm', hash)).code).toBe(EXIT.notFound)
    expect((await fetch(`${server.url}/api/public/share/${hash}`)).status).toBe(404)

    // The name contains a sequence that writes to the clipboard of a terminal, and a mark that reverses the line.
    const name = 'e\u001b]52;c;eA==\u0007\u009b2J\u202etxt.exe'
    await admin.call('POST', `/api/resources/${encodeURIComponent(name)}`, 'x')
    await admin.call('POST', `/api/share/${encodeURIComponent(name)}`, {})
    expect((await shares('ls')).stdout).toContain('\tadmin\t/e?]52;c;eA==??2J?txt.exe\t')
    expect((await shares('rm', name)).stderr).not.toContain('\u001b')

    const sessions = (...words: string[]) => run(['sessions', ...words, '--database', database])
    const [session] = JSON.parse((await sessions('ls', '--json')).stdout)
    expect(session).toMatchObject({ username: 'admin', address: '127.0.0.1' })
    expect((await sessions('end')).code).toBe(EXIT.usage)
    expect((await sessions('end', 'none')).code).toBe(EXIT.notFound)
    expect((await sessions('end', session.id)).code).toBe(EXIT.ok)
    expect(await outcome(admin.call('GET', '/api/resources/'))).toBe('401 unauthenticated')
    expect((await sessions('end', '--user', 'admin')).code).toBe(EXIT.ok)
  })
})

describe('other commands', () => {
  test('filemgr hash prints a hash that --password-hash accepts', async () => {
    const hash = (await run(['hash'], { input: `${PASSWORD}\n` })).stdout.trim()
    expect(hash).toStartWith('$argon2id$')
    const server = await serve({
      database,
      args: ['--username', 'root', '--password-hash', hash],
    })
    const admin = await signIn(server.url, 'root', PASSWORD)
    expect(await outcome(admin.call('GET', '/api/resources/'))).toBe('200')
    await server.stop()
    expect(server.output()).not.toContain('password:')
  })

  test('filemgr version prints the version, commit, runtime and interface', async () => {
    expect((await run(['version'])).stdout).toMatch(
      /^filemgr \S+ \(commit \S+, bun 1\.4\.5, ui \S+\)\n$/,
    )
    expect(JSON.parse((await run(['version', '--json'])).stdout)).toMatchObject({ bun: '1.4.5' })
  })

  test('the help of each command has examples', async () => {
    const tested = await testHelp([])
    expect(tested).toContain('users add')
    expect(tested).toContain('doctor')
  })

  test('the first start prints the address first and the password once', async () => {
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const first = await serve({ root, database, printsPassword: true })
    expect(first.output()).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\nAdministrator admin, password: \S{16}\n/,
    )
    await until(() => first.output().includes(`\nThe database is ${database}.\n`))
    expect(await first.stop()).toBe(0)
    const second = await serve({ root, database })
    expect(await second.stop()).toBe(EXIT.ok)
    expect(second.output()).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\nThe database is .*\. Sign in as one of its users; .*\nStorage: local .*\n$/,
    )
  })

  test('a stop waits for a transfer to finish', async () => {
    const server = await serve()
    const admin = await signIn(server.url, 'admin', server.password)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('first '))
        await held
        controller.enqueue(new TextEncoder().encode('second'))
        controller.close()
      },
    })
    const upload = admin.call('POST', '/api/resources/slow.txt', body)
    await admin.call('GET', '/health')
    const stopped = server.stop()
    release()
    expect((await upload).status).toBe(200)
    expect(await stopped).toBe(0)
  })
})

// Scripts for File Browser set options that it has and filemgr has not.
test('an option of File Browser without effect is accepted with a notice', async () => {
  const alone = await config('set', '--lockPassword')
  expect([alone.code, alone.stdout]).toEqual([0, ''])
  expect(alone.stderr).toContain('lockPassword is ignored: it is an option of each user')
  const both = await config('set', '--lockPassword=true', '--branding.name', 'Files')
  expect([both.code, both.stderr]).toEqual([0, alone.stderr])
  const all = await config('cat', '--json')
  expect(all.stdout).toContain('"Files"')
})

/** Tests the help of a command and of the commands below it. @returns the names of the tested commands */
async function testHelp(words: string[]): Promise<string[]> {
  const { code, stdout } = await run([...words, '--help'])
  expect(code).toBe(EXIT.ok)
  const [list = ''] = stdout.split('\nCommands:\n')[1]?.split('\n\n') ?? []
  const names = [...list.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) => name ?? [])
  const commands = names.filter((name) => name !== 'help')
  if (commands.length === 0) expect(stdout).toMatch(/Examples?:\n {2}/)
  const below = await Promise.all(commands.map((name) => testHelp([...words, name])))
  return [words.join(' '), ...below.flat()]
}
