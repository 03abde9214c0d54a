/** The ways to sign in, each against the real peer it needs (docs/api.md 3). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import type { PublicSettings } from '#wire/api/settings.ts'
import type { User } from '#wire/api/user.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startNginx } from '../support/server/nginx.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
let database: string
const running: { stop(): Promise<unknown> }[] = []

beforeEach(() => {
  folder = temporaryFolder()
  database = join(folder.path, 'f.db')
  mkdirSync(join(folder.path, 'root'))
})
afterEach(async () => {
  for (const peer of running.splice(0).reverse()) await peer.stop()
  folder.remove()
})

async function serve(...args: string[]): Promise<TestServer> {
  const server = await startServer({ root: join(folder.path, 'root'), database, args })
  running.push(server)
  return server
}

const runCommand = async (...words: string[]) => {
  const run = await runFilemgr([...words, '--database', database], { home: folder.path })
  expect(run.stderr).toBe('')
}
const people = async (): Promise<User[]> => {
  const run = await runFilemgr(['users', 'ls', '--json', '--database', database], {
    home: folder.path,
  })
  return JSON.parse(run.stdout)
}
const login = (url: string, body: object, headers = {}) =>
  anonymous(url).call('POST', API.login, body, headers)
async function pageSettings(url: string): Promise<PublicSettings> {
  const html = await (await fetch(`${url}/login`)).text()
  return JSON.parse(
    /<script type="application\/json" id="settings"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? '',
  )
}

describe('password with a captcha', () => {
  /** Speaks reCAPTCHA's protocol: the right answer is `solved`. */
  function startVerifier() {
    const asked: URLSearchParams[] = []
    const verifier = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const form = new URLSearchParams(await request.text())
        if (new URL(request.url).pathname !== '/recaptcha/api/siteverify')
          return new Response('', { status: 404 })
        asked.push(form)
        return Response.json({
          success: form.get('secret') === 'priv' && form.get('response') === 'solved',
        })
      },
    })
    running.push({ stop: () => verifier.stop(true) })
    return { host: verifier.url.origin, asked, verifier }
  }
  const words = (host: string) => [
    '--recaptcha.host',
    host,
    '--recaptcha.key',
    'site',
    '--recaptcha.secret',
    'priv',
  ]

  test('a captcha is asked for, checked with the secret, and the page knows the key alone @spec-7.7', async () => {
    const { host, asked } = startVerifier()
    const { url, password } = await serve(...words(host))
    const admin = { username: 'admin', password }
    expect(await outcome(login(url, admin))).toBe('403 wrongCredentials')
    const guessed = await login(url, { ...admin, recaptcha: 'guess' })
    expect(guessed.status).toBe(403)
    expect(guessed.headers.get('X-Fault')).toBe('wrongCredentials; reason=captchaUnsolved')
    expect(await outcome(login(url, { ...admin, recaptcha: 'solved' }))).toBe('200')
    expect(asked.map((form) => form.get('response'))).toEqual(['guess', 'solved'])
    expect(await pageSettings(url)).toMatchObject({
      ReCaptcha: true,
      ReCaptchaKey: 'site',
      ReCaptchaHost: host,
    })
    const page = await fetch(`${url}/login`)
    expect(page.headers.get('content-security-policy')).toContain(host)
    expect(await page.text()).not.toContain('priv')
  })

  test('a captcha whose host does not answer is a failure, and the sign-in is refused', async () => {
    const { host, verifier } = startVerifier()
    const { url, password } = await serve(...words(host))
    await verifier.stop(true)
    const tried = login(url, { username: 'admin', password, recaptcha: 'solved' })
    expect(await outcome(tried)).toBe('500 internal')
  })
})

describe('proxy', () => {
  const words = [
    '--auth.method',
    'proxy',
    '--auth.header',
    'X-My-User',
    '--auth.logoutPage',
    '/sso/logout',
  ]
  const behind = (server: TestServer, user: string) =>
    startNginx(`proxy_pass ${server.url}; proxy_set_header X-My-User "${user}"; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`)

  test('a proxy lets in whom nginx names; a new user gets an account that can do nothing dangerous @spec-7.52', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    await runCommand(
      'config',
      'set',
      '--defaults.perm.admin',
      '--defaults.perm.execute',
      '--defaults.commands',
      'sh',
      '--createUserDir',
    )
    const server = await serve(...words)
    const nginx = await behind(server, 'ana')
    running.push(nginx)
    const answer = await login(nginx.url, { username: '', password: '' }, { 'X-My-User': 'admin' })
    expect(answer.status).toBe(200)
    const token = await answer.text()
    expect(
      (await fetch(`${nginx.url}${API.resources}/`, { headers: { 'X-Auth': token } })).status,
    ).toBe(200)
    expect(await people()).toMatchObject([
      { username: 'admin' },
      {
        username: 'ana',
        scope: '/users/ana',
        lockPassword: true,
        commands: [],
        perm: { admin: false, execute: false, create: true },
      },
    ])
    await login(nginx.url, {})
    expect(await people()).toHaveLength(2)
    expect(await pageSettings(nginx.url)).toMatchObject({
      AuthMethod: 'proxy',
      LoginPage: false,
      LogoutPage: '/sso/logout',
    })
  })

  test('a new user whose home folder another user has is refused, and the reason says so', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    await runCommand('config', 'set', '--createUserDir')
    const server = await serve(...words)
    const enter = (name: string) => login(server.url, {}, { 'X-My-User': name })
    expect((await enter('a-b')).status).toBe(200)
    const refused = await enter('a b')
    expect(refused.status).toBe(409)
    expect(refused.headers.get('X-Fault')).toBe('conflict; reason=homeTaken; field=username')
    expect(await people()).toHaveLength(2)
  })

  test('the header of a proxy counts only from listed addresses', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const server = await serve(...words, '--trusted-proxies', '10.0.0.0/8,unix')
    const tried = login(server.url, {}, { 'X-My-User': 'admin' })
    expect(await outcome(tried)).toBe('403 forbidden')
  })

  test('without the header of the proxy the sign-in is refused; other headers never name a user', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const server = await serve(...words)
    expect(await outcome(login(server.url, {}))).toBe('403 forbidden')
    expect(await outcome(login(server.url, {}, { 'X-Forwarded-User': 'admin' }))).toBe(
      '403 forbidden',
    )
    expect(await outcome(login(server.url, {}, { 'X-My-User': 'admin' }))).toBe('200')
  })

  test('an invalid name in the header of the proxy creates no user', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const server = await serve(...words)
    const enter = (name: string) => outcome(login(server.url, {}, { 'X-My-User': name }))
    expect(await enter('n'.repeat(129))).toBe('400 badRequest')
    expect(await enter('n'.repeat(10_000))).toBe('400 badRequest')
    expect(await people()).toHaveLength(1)
    expect(await enter('n'.repeat(128))).toBe('200')
    expect(await people()).toHaveLength(2)
  })

  test('sign-in by proxy needs the name of the header', async () => {
    const run = await runFilemgr(
      ['serve', folder.path, '--auth.method', 'proxy', '--database', database],
      {
        home: folder.path,
      },
    )
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('--auth.header')
  })

  test('sign-in by proxy is refused beside a command that could send the header itself', async () => {
    const words = [
      ...['serve', folder.path, '--database', database, '--auth.method', 'proxy'],
      ...['--auth.header', 'X-My-User', '--exec', '--exec-network'],
    ]
    for (const more of [[], ['--trusted-proxies', '127.0.0.1,unix']]) {
      const run = await runFilemgr([...words, ...more], { home: folder.path })
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('--exec-network')])
    }
    const only = ['--trusted-proxies', 'unix', '--exec', '--exec-network']
    const server = await serve('--auth.method', 'proxy', '--auth.header', 'X-My-User', ...only)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })
})

describe('hook, asked by many', () => {
  function waiting() {
    const [path, started, go] = ['hook', 'started', 'go'].map((name) => join(folder.path, name))
    writeFileSync(
      path ?? '',
      `#!/bin/sh\necho $$ >> ${started}\nwhile [ ! -e ${go} ]; do sleep 0.1; done\necho hook.action=block\n`,
    )
    chmodSync(path ?? '', 0o755)
    // Only complete lines: the file exists before the first one is written.
    const runs = () =>
      existsSync(started ?? '')
        ? readFileSync(started ?? '', 'utf8')
            .split('\n')
            .slice(0, -1)
        : []
    const hook = ['--auth.method', 'hook', '--auth.command', path ?? '']
    // Each asks from an address of their own, or the address's own limits would come first.
    return { args: [...hook, '--trusted-proxies', '127.0.0.1'], runs, go: go ?? '' }
  }
  /** Asks with names of their own, each once. */
  const ask = (url: string, number: number, signal?: AbortSignal) =>
    fetch(url + API.login, {
      method: 'POST',
      headers: { 'X-Forwarded-For': `192.0.2.${number}` },
      body: JSON.stringify({ username: `person${number}`, password: 'x' }),
      signal: signal ?? null,
    })

  test('eight hooks run at a time, 64 sign-ins wait, and the others are refused @limit-22', async () => {
    const { args, runs, go } = waiting()
    const { url } = await serve(...args)
    const { all, waiting: most } = CONCURRENCY_LIMITS.signInCommands
    const answers = Array.from({ length: 100 }, (_, number) => ask(url, number))
    const refused: Response[] = []
    const rest = new Promise<void>((done) => {
      for (const answer of answers) {
        void answer.then((one) => {
          if (one.status !== 503) return
          if (refused.push(one) === 100 - all - most) done()
        })
      }
    })
    await rest
    expect(runs().length).toBeLessThanOrEqual(all)
    expect(refused.every((one) => one.headers.has('retry-after'))).toBe(true)
    writeFileSync(go, '')
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(100 - all - most)
    expect(runs()).toHaveLength(all + most)
  })

  test('a hook ends with all its processes when its client disconnects', async () => {
    const { args, runs } = waiting()
    const { url } = await serve(...args)
    const leaving = new AbortController()
    const answer = ask(url, 1, leaving.signal).catch(() => undefined)
    while (runs().length === 0) await Bun.sleep(10)
    leaving.abort()
    await answer
    const [pid = ''] = runs()
    while (existsSync(`/proc/${pid}`)) await Bun.sleep(10)
  })
})

describe('hook', () => {
  function script(text: string): string[] {
    const path = join(folder.path, 'auth.sh')
    writeFileSync(path, `#!/bin/sh\n${text}\n`)
    chmodSync(path, 0o755)
    return ['--auth.method', 'hook', '--auth.command', `${path} one two`]
  }
  const DECIDE = `
case "$USERNAME" in
  ana) [ "$PASSWORD" = "from outside" ] && echo hook.action=auth || echo hook.action=block
       echo user.scope=/ana; echo user.locale = de; echo user.perm.delete=false; echo user.perm.execute=true
       echo user.commands=git ls; echo user.dateFormat=true; echo user.sorting.by=size; echo user.sorting.asc=false
       echo nonsense; echo user.unknown=1 ;;
  root) echo hook.action=auth; echo user.perm.admin=true ;;
  odder) echo hook.action=auth; echo user.locale=xx; echo 'user.aceEditorTheme=../theme' ;;
  pass) printf 'hook.action=pass\\r\\n' ;;
  odd) echo hook.action=maybe ;;
  fail) exit 3 ;;
  *) echo hook.action=block ;;
esac`

  test('a hook makes, changes, passes on and blocks users as it says @spec-7.52 @spec-11.24 @spec-11.25', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    await runCommand('users', 'add', 'pass', PASSWORD)
    const { url } = await serve(...script(DECIDE))
    const ana = { username: 'ana', password: 'from outside' }
    expect(await outcome(login(url, { ...ana, password: 'wrong' }))).toBe('403 wrongCredentials')
    expect(await outcome(login(url, ana))).toBe('200')
    const made = (await people()).find(({ username }) => username === 'ana')
    expect(made).toMatchObject({
      scope: '/ana',
      locale: 'de',
      lockPassword: true,
      dateFormat: true,
      commands: ['git', 'ls'],
      sorting: { by: 'size', asc: false },
      perm: { admin: false, delete: false, execute: true, create: true },
    })

    expect(await outcome(login(url, { ...ana, username: 'odder' }))).toBe('200')
    const odder = (await people()).find(({ username }) => username === 'odder')
    expect(odder).toMatchObject({ locale: '', aceEditorTheme: '' })

    await runCommand('rules', 'add', '/x', '--user', 'ana')
    const first = await (await login(url, ana)).text()
    await runCommand('users', 'update', 'ana', '--locale', 'en')
    expect((await login(url, ana)).status).toBe(200)
    const changed = (await people()).find(({ username }) => username === 'ana')
    expect(changed).toMatchObject({ locale: 'de', rules: [{ path: '/x' }] })
    const kept = await fetch(`${url}${API.users}/${changed?.id}`, { headers: { 'X-Auth': first } })
    expect(kept.status).toBe(200)

    expect(await outcome(login(url, { username: 'pass', password: PASSWORD }))).toBe('200')
    expect(await outcome(login(url, { username: 'pass', password: 'no' }))).toBe(
      '403 wrongCredentials',
    )
    expect(await outcome(login(url, { username: 'root', password: 'x' }))).toBe('200')
    expect((await people()).find(({ username }) => username === 'root')?.perm.admin).toBe(true)
    expect(await outcome(login(url, { username: 'odd', password: 'x' }))).toBe('500 internal')
    expect(await outcome(login(url, { username: 'fail', password: 'x' }))).toBe('500 internal')
    expect(await outcome(login(url, { username: 'nobody', password: 'x' }))).toBe(
      '403 wrongCredentials',
    )
  })

  test('a hook is not started for an invalid name, and a new user without a password has a locked one', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const seen = join(folder.path, 'seen')
    const { url } = await serve(...script(`echo asked >> ${seen}; echo hook.action=auth`))
    expect(await outcome(login(url, { username: 'n'.repeat(129), password: 'x' }))).toBe(
      '400 badRequest',
    )
    expect(existsSync(seen)).toBe(false)
    expect(await outcome(login(url, { username: '', password: 'x' }))).toBe('403 wrongCredentials')
    for (const _ of [1, 2]) {
      expect(await outcome(login(url, { username: 'eva', password: '' }))).toBe('200')
    }
    const made = (await people()).find(({ username }) => username === 'eva')
    expect(made).toMatchObject({ lockPassword: true })
  })

  test('a hook that answers with two different actions is refused', async () => {
    await runCommand('users', 'add', 'bo', PASSWORD)
    const { url } = await serve(...script('echo hook.action=block; echo hook.action=pass'))
    expect(await outcome(login(url, { username: 'bo', password: PASSWORD }))).toBe('500 internal')
  })

  test('a hook never gets the name and the password as words of a command', async () => {
    const mark = join(folder.path, 'mark')
    const seen = join(folder.path, 'seen')
    const { url } = await serve(
      ...script(`printf '%s|%s|%s' "$USERNAME" "$PASSWORD" "$*" > ${seen}; echo hook.action=block`),
    )
    const username = `"; touch ${mark}; #`
    expect(await outcome(login(url, { username, password: `$(touch ${mark})` }))).toBe(
      '403 wrongCredentials',
    )
    expect(existsSync(mark)).toBe(false)
    expect(readFileSync(seen, 'utf8')).toBe(`${username}|$(touch ${mark})|one two`)
    rmSync(seen)
    expect(await outcome(login(url, { username: 'a\0b', password: 'x' }))).toBe('400 badRequest')
    expect(existsSync(seen)).toBe(false)
  })

  test('the environment of a hook holds no secret of the server', async () => {
    const seen = join(folder.path, 'seen')
    const server = await startServer({
      root: join(folder.path, 'root'),
      database,
      args: script(`env > ${seen}; echo hook.action=block`),
      env: { FILEMGR_RECAPTCHA_SECRET: 'hush', AWS_SECRET_ACCESS_KEY: 'hush' },
    })
    running.push(server)
    await login(server.url, { username: 'x', password: 'y' })
    expect(readFileSync(seen, 'utf8')).not.toContain('hush')
  })
})

describe('none', () => {
  test('every client is user 1 if sign-in is off @spec-7.52', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const { url } = await serve('--noauth')
    const answer = await login(url, {})
    expect(answer.status).toBe(200)
    const token = await answer.text()
    expect((await fetch(`${url}${API.users}`, { headers: { 'X-Auth': token } })).status).toBe(200)
    expect(await pageSettings(url)).toMatchObject({
      NoAuth: true,
      LoginPage: false,
      AuthMethod: 'noauth',
    })
  })

  test('no current password is required if users have none', async () => {
    await runCommand('users', 'add', 'admin', PASSWORD, '--perm.admin')
    const { url } = await serve('--noauth')
    const token = await (await login(url, {})).text()
    const body = JSON.stringify({ what: 'user', which: ['scope'], data: { id: 1, scope: '/' } })
    const changed = await fetch(`${url}${API.users}/1`, {
      method: 'PUT',
      body,
      headers: { 'X-Auth': token },
    })
    expect(changed.status).toBe(200)
  })
})

test('under sign-in by password the settings name the method', async () => {
  const { url, password } = await serve()
  const admin = await signIn(url, 'admin', password)
  expect(await (await admin.call('GET', API.settings)).json()).toMatchObject({ authMethod: 'json' })
})
