/** filemgr doctor: its checks of the installation and of the public URL, and their advice. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInFindings } from '#cli/doctor/sign-in-checks.ts'
import { loadConfig } from '#server/config/load.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startNginx } from '../support/server/nginx.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
const running: { stop(): Promise<unknown> }[] = []
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'root'))
})
afterEach(async () => {
  for (const peer of running.splice(0).reverse()) await peer.stop()
  folder.remove()
})

const database = () => join(folder.path, 'f.db')
const root = () => join(folder.path, 'root')
const runCommand = (...words: string[]) =>
  runFilemgr([...words, '--database', database()], { home: folder.path })
const doctor = (...words: string[]) => runCommand('doctor', root(), ...words)
async function serve(...args: string[]) {
  const server = await startServer({ root: root(), database: database(), args })
  running.push(server)
  return server
}

describe('which installation is meant', () => {
  /** Runs a command without a folder in a working folder of its own. */
  const inWorkingFolder = (...words: string[]) => {
    mkdirSync(join(folder.path, 'working'), { recursive: true })
    return runFilemgr([...words, '--database', database()], {
      home: folder.path,
      cwd: join(folder.path, 'working'),
    })
  }

  test('doctor says which folder and database it checks, and warns of a working folder that was never served', async () => {
    const { stdout } = await inWorkingFolder('doctor')
    const working = join(folder.path, 'working')
    expect(stdout).toContain(
      `WARNING  No folder is named, so this checks the working folder ${working}. It was not served yet.`,
    )
    expect(stdout).toContain(`It uses the database ${database()} (named on the command line).`)
    const named = `This checks the folder ${root()} (named on the command line).`
    expect((await doctor()).stdout).toContain(named)
  })

  test('without a folder, doctor and config cat mean the one that was last served', async () => {
    const server = await serve()
    await server.stop()
    const from = `${root()} (last served with this database)`
    expect((await inWorkingFolder('doctor')).stdout).toContain(`This checks the folder ${from}.`)
    expect((await inWorkingFolder('config', 'cat')).stderr).toContain(`Folder: ${from}`)
  })

  test('config cat says what it shows, and creates no database', async () => {
    const { stderr, stdout } = await inWorkingFolder('config', 'cat')
    const working = join(folder.path, 'working')
    expect(stderr).toContain(`Folder: ${working} (the working folder, as no folder is named)`)
    expect(stderr).toContain(
      `Database: ${database()} (named on the command line), which does not exist`,
    )
    expect(stdout).toContain(`database\t${database()}\tflag`)
    expect(stdout).toContain('signup\tfalse\tsettings')
    expect(existsSync(database())).toBe(false)
  })
})

describe('the installation', () => {
  test('doctor builds the jail of commands, and reports its isolation', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    expect((await doctor()).stdout).not.toContain('Commands run')
    expect((await doctor('--exec')).stdout).toMatch(
      /ok +Commands (run with their own file tree|are confined by Landlock)/,
    )
    const { stdout } = await doctor('--exec', '--exec-unconfined')
    expect(stdout).toMatch(/ok +Commands run with limits only/)
    expect(stdout).toMatch(/WARNING +Commands are not isolated/)
  })

  test('doctor says which files have previews, and which package others need', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const { stdout } = await doctor()
    const [, shown = ''] = /ok +Programs for previews are installed for: (.*)\./.exec(stdout) ?? []
    for (const [program, files, packages] of [
      ['ffmpeg', 'films', 'ffmpeg'],
      ['pdftoppm', 'PDF files', 'poppler-utils'],
      ['heif-convert', 'HEIC pictures', 'libheif-examples'],
    ] as const) {
      const isInstalled = Bun.which(program) !== null
      expect([program, shown.split(', ').includes(files)]).toEqual([program, isInstalled])
      expect(stdout.includes(`${files} (in Debian: ${packages})`)).toBe(!isInstalled)
    }
  })

  test('serve and doctor say how files are opened, and what the portable storage does not promise', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    expect((await doctor()).stdout).toMatch(/ok +The storage is local/)
    const { stdout, code } = await doctor('--storage', 'portable')
    expect(stdout).toMatch(/WARNING +The storage is portable: a program of this machine/)
    expect(code).toBe(0)
    const server = await serve('--storage', 'portable')
    await server.stop()
    expect(server.output()).toContain('Storage: portable')
    const other = await serve()
    await other.stop()
    expect(other.output()).toContain('Storage: local')
  })

  test('doctor finds no problem in a secure installation', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const { code, stdout } = await doctor()
    expect(stdout).not.toContain('PROBLEM')
    expect(stdout).toContain('belongs to this account only')
    expect(code).toBe(0)
  })

  test('doctor names insecure settings, and how to correct them', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    chmodSync(root(), 0o777)
    chmodSync(database(), 0o644)
    const { code, stdout } = await doctor(
      '--address',
      '0.0.0.0',
      '--exec',
      '--exec-unconfined',
      '--noauth',
    )
    for (const [what, advice] of [
      ['Every account of this machine may write', `chmod o-w ${root()}`],
      ['Other accounts can open the database', `chmod go= ${database()}`],
      ['uses plain HTTP on 0.0.0.0', '--cert and --key'],
      ['Commands may be run by admin', 'the right to execute'],
      ['Commands are not isolated', '--exec-unconfined'],
      ['everyone who can reach this server acts as its first user', 'auth.method json'],
    ] as const) {
      expect(stdout).toContain(what)
      expect(stdout).toContain(advice)
    }
    expect(code).toBe(1)
  })

  test('doctor names the server’s own files in the served folder', async () => {
    const state = join(root(), 'state')
    mkdirSync(state)
    const own = (name: string) => join(state, name)
    for (const name of ['key.pem', 'f.log']) writeFileSync(own(name), '')
    mkdirSync(own('cache'))
    const inside = ['--database', own('f.db'), '--cache-dir', own('cache'), '--log', own('f.log')]
    const words = [...inside, '--key', own('key.pem'), '--cert', own('key.pem')]
    await runFilemgr(['users', 'add', 'admin', PASSWORD, '--perm.admin', ...inside.slice(0, 2)], {
      home: folder.path,
    })
    const { stdout } = await runFilemgr(['doctor', root(), ...words], { home: folder.path })
    for (const name of ['f.db', 'cache', 'f.log', 'key.pem']) {
      expect(stdout).toContain(`${own(name)} belongs to the server and is in the served folder.`)
    }
    expect((await doctor()).stdout).not.toContain('is in the served folder')
  })

  test('doctor names public links without a password or an expiry, and open sign-up', async () => {
    const server = await serve()
    const admin = await signIn(server.url, 'admin', server.password)
    await admin.call('POST', `${API.resources}/a.txt`, 'x')
    await admin.call('POST', `${API.share}/a.txt`, {})
    await runCommand('config', 'set', '--signup', '--createUserDir')
    const { stdout } = await doctor()
    expect(stdout).toContain('1 public link with neither password nor end')
    expect(stdout).toContain('Anyone may create an account.')
  })

  test('doctor names sign-in by proxy that trusts every account of the machine', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const proxy = ['--auth.method', 'proxy', '--auth.header', 'X-User']
    const answer = 'Every account of this machine may sign in as another user'
    for (const words of [
      [],
      ['--trusted-proxies', '127.0.0.1,10.0.0.1'],
      ['--trusted-proxies', '::1'],
    ]) {
      const { stdout } = await doctor(...proxy, ...words)
      expect(stdout).toContain(answer)
      expect(stdout).toContain('--socket-perm 0660')
    }
    const socket = ['--socket', join(folder.path, 's')]
    for (const mode of ['0666', '0662', '0777']) {
      const { code, stdout } = await doctor(
        ...[...proxy, ...socket, '--trusted-proxies', 'unix', '--socket-perm', mode],
      )
      expect(stdout).toContain(`PROBLEM  ${answer}`)
      expect(stdout).toContain('--socket-perm 0660')
      expect(code).toBe(1)
    }
    for (const words of [
      ['--trusted-proxies', '10.0.0.1'],
      [...socket, '--trusted-proxies', 'unix'],
      [...socket, '--socket-perm', '0666', '--trusted-proxies', '10.0.0.1'],
    ]) {
      expect((await doctor(...proxy, ...words)).stdout).not.toContain(answer)
    }
    // The options in the database are those of the server, too.
    await runCommand('config', 'set', ...proxy)
    expect((await doctor()).stdout).toContain(answer)
  })

  test('sign-in by proxy that trusts every account is a problem if the machine has other users, and else a warning', () => {
    const config = loadConfig({
      flags: { 'auth.method': 'proxy', 'auth.header': 'X-User' },
      env: {},
    })
    const levels = (accounts: string) => signInFindings(config, accounts).map(({ level }) => level)
    const services =
      'root:x:0:0::/root:/bin/sh\nwww:x:33:33::/:/usr/sbin/nologin\nnobody:x:65534:1::/:/bin/sh\n'
    expect(levels(services)).toEqual(['warning'])
    expect(levels(`${services}ghost:x:1001:1001::/:/usr/sbin/nologin\n`)).toEqual(['warning'])
    expect(levels(`${services}eve:x:54321:54321::/home/eve:/bin/sh\n`)).toEqual(['problem'])
  })

  test('doctor names a missing administrator and a missing folder', async () => {
    await runCommand('users', 'add', 'bo', PASSWORD)
    const { code, stdout } = await runCommand('doctor', join(folder.path, 'none'))
    expect(stdout).toContain('There is no folder')
    expect(stdout).toContain('There is no administrator')
    expect(code).toBe(1)
  })

  test('doctor reports a missing database, and does not create it', async () => {
    const { code, stdout } = await doctor()
    expect(stdout).toContain(`There is no database at ${database()}.`)
    expect(code).toBe(1)
    expect(existsSync(database())).toBe(false)
  })
})

describe('the public URL', () => {
  test('doctor finds no problem with a correctly configured proxy, and leaves no session', async () => {
    const server = await serve('--trusted-proxies', '127.0.0.1', '--base-url', '/files')
    const nginx =
      await startNginx(`proxy_pass ${server.url.replace('/files', '')}; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;`)
    running.push(nginx)
    const { code, stdout } = await doctor('--base-url', '/files', '--url', `${nginx.url}/files`)
    expect(stdout).not.toMatch(/PROBLEM|WARNING/)
    expect(stdout).toContain('The public path is /files, as the server is configured.')
    expect(code).toBe(0)
    expect((await runCommand('sessions', 'ls')).stdout.trim().split('\n')).toHaveLength(1)
    // A failed sign-in in the activity would look like an attack.
    using opened = new Database(database(), { readonly: true })
    const failed = opened.query('SELECT action, path FROM audit WHERE status >= 400').all()
    expect(failed).toEqual([
      { action: 'download', path: expect.stringContaining('filemgr-doctor') },
    ])
  })

  test('doctor reports a proxy that limits bodies, blocks WebSockets and changes paths', async () => {
    const server = await serve()
    const nginx = await startNginx(
      `client_max_body_size 1m; rewrite ^/pub/(.*)$ /$1 break; proxy_pass ${server.url};`,
    )
    running.push(nginx)
    const { stdout } = await doctor('--exec', '--url', `${nginx.url}/pub`)
    expect(stdout).toContain('The public path is /pub, but the server is configured for /.')
    expect(stdout).toContain('A request of 12 MiB does not pass the proxy')
    expect(stdout).toContain('WebSockets do not pass the proxy')
  })

  test('doctor examines the public address in the settings, and says how it is set', async () => {
    const server = await serve()
    expect((await doctor()).stdout).toContain('The public address is not set.')
    await runCommand('config', 'set', 'publicAddress', `${server.url}/`)
    expect((await doctor()).stdout).toContain(`filemgr responds at ${server.url}.`)
    const other = await doctor('--url', 'http://127.0.0.1:9')
    expect(other.stdout).toContain(`The public address in the settings is ${server.url}.`)
    const refused = await runCommand('config', 'set', 'publicAddress', 'files.example.org')
    expect(refused.stderr).toContain('“files.example.org” is no public address.')
    expect((await doctor()).stdout).toContain(`filemgr responds at ${server.url}.`)
  })

  test('doctor leaves no session, also if the proxy blocks the request to sign out', async () => {
    const server = await serve()
    const nginx = await startNginx(
      `if ($request_uri ~ logout) { return 403; } proxy_pass ${server.url};`,
    )
    running.push(nginx)
    await doctor('--url', nginx.url)
    expect((await runCommand('sessions', 'ls')).stdout.trim().split('\n')).toHaveLength(1)
  })

  test('doctor does not compare paths if the proxy blocks the description of the API', async () => {
    const server = await serve()
    const nginx = await startNginx(
      `if ($request_uri ~ openapi) { return 403; } proxy_pass ${server.url};`,
    )
    running.push(nginx)
    const { stdout } = await doctor('--url', nginx.url)
    expect(stdout).toContain('WARNING  The public path was not checked')
    expect(stdout).not.toContain('but the server is configured for')
  })

  test.each(['files.example.org', 'https://files.example org', 'https://['])(
    'doctor refuses the public address %s, which is no URL',
    async (address) => {
      await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
      const { code, stderr } = await doctor('--url', address)
      expect(stderr).toBe('--url must be a URL such as https://files.example.org.\n')
      expect(code).toBe(2)
    },
  )

  test('doctor recognises HTTPS in a URL in capital letters', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const { stdout } = await doctor('--url', 'HTTPS://FILES.INVALID')
    expect(stdout).toContain('No filemgr server responds at https://files.invalid.')
    expect(stdout).not.toContain('plain HTTP')
  })

  test('doctor names a public URL at which no server responds', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const { code, stdout } = await doctor('--url', 'http://127.0.0.1:9')
    expect(stdout).toContain('No filemgr server responds')
    expect(code).toBe(1)
  })
})

test('doctor writes its findings as JSON, for a program', async () => {
  const { stdout } = await doctor('--json')
  expect(JSON.parse(stdout)[0]).toMatchObject({
    level: expect.any(String),
    what: expect.any(String),
  })
})
