/** The doctor looks at a set-up from within and from outside, and says what to do. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { signIn } from '../support/client.ts'
import { runFilemgr } from '../support/executable.ts'
import { PASSWORD } from '../support/house.ts'
import { startNginx } from '../support/nginx.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'

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
const verb = (...words: string[]) =>
  runFilemgr([...words, '--database', database()], { home: folder.path })
const doctor = (...words: string[]) => verb('doctor', root(), ...words)
async function serve(...args: string[]) {
  const server = await startServer({ root: root(), database: database(), args })
  running.push(server)
  return server
}

describe('within', () => {
  test('a sound set-up has no problem', async () => {
    await verb('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const { code, stdout } = await doctor()
    expect(stdout).not.toContain('PROBLEM')
    expect(stdout).toContain('is this account’s alone')
    expect(code).toBe(0)
  })

  test('open doors are named, with what closes them', async () => {
    await verb('users', 'add', 'admin', PASSWORD, '--perm.admin')
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
      ['is open to other accounts', `chmod go= ${database()}`],
      ['speaks plain HTTP at 0.0.0.0', '--cert and --key'],
      ['Commands may be run by admin', 'the right to execute'],
      ['Commands are not confined', '--exec-unconfined'],
      ['Everybody who reaches this server is its first user', 'auth.method json'],
    ] as const) {
      expect(stdout).toContain(what)
      expect(stdout).toContain(advice)
    }
    expect(code).toBe(1)
  })

  test('links without end and open sign-up are named', async () => {
    const server = await serve()
    const admin = await signIn(server.url, 'admin', server.password)
    await admin.call('POST', `${API.resources}/a.txt`, 'x')
    await admin.call('POST', `${API.share}/a.txt`, {})
    await verb('config', 'set', '--signup', '--createUserDir')
    const { stdout } = await doctor()
    expect(stdout).toContain('1 public link with neither password nor end')
    expect(stdout).toContain('Strangers may sign up.')
  })

  test('nobody to administer, and no folder', async () => {
    const { code, stdout } = await verb('doctor', join(folder.path, 'none'))
    expect(stdout).toContain('There is no folder')
    expect(stdout).toContain('There is no administrator')
    expect(code).toBe(1)
  })
})

describe('from outside', () => {
  test('a good proxy has no problem', async () => {
    const server = await serve('--trusted-proxies', '127.0.0.1', '--base-url', '/files')
    const nginx =
      await startNginx(`proxy_pass ${server.url.replace('/files', '')}; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;`)
    running.push(nginx)
    const { code, stdout } = await doctor('--base-url', '/files', '--url', `${nginx.url}/files`)
    expect(stdout).not.toMatch(/PROBLEM|WARNING/)
    expect(stdout).toContain('published under /files')
    expect(code).toBe(0)
    expect((await verb('sessions', 'ls')).stdout.trim().split('\n')).toHaveLength(1)
  })

  test('a proxy that cuts, hides and renames is told from a good one', async () => {
    const server = await serve()
    const nginx = await startNginx(
      `client_max_body_size 1m; rewrite ^/pub/(.*)$ /$1 break; proxy_pass ${server.url};`,
    )
    running.push(nginx)
    const { stdout } = await doctor('--url', `${nginx.url}/pub`)
    expect(stdout).toContain('People come by /pub, and the server thinks it is /.')
    expect(stdout).toContain('A request of 12 MiB does not come through')
    expect(stdout).toContain('Sockets do not come through')
  })

  test('nobody there', async () => {
    await verb('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const { code, stdout } = await doctor('--url', 'http://127.0.0.1:9')
    expect(stdout).toContain('Nothing of filemgr answers')
    expect(code).toBe(1)
  })
})

test('as JSON, for a program', async () => {
  const { stdout } = await doctor('--json')
  expect(JSON.parse(stdout)[0]).toMatchObject({
    level: expect.any(String),
    what: expect.any(String),
  })
})
