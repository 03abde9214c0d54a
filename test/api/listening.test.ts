/** Where the server listens, and which proxies it trusts with the address of the client. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { until } from '../support/server/broken-connection.ts'
import { anonymous, signIn } from '../support/server/client.ts'
import { filemgr, runFilemgr } from '../support/server/executable.ts'
import { startNginx } from '../support/server/nginx.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const NOBODY = 65534
const isRoot = process.getuid?.() === 0
if (!isRoot)
  process.stdout.write('Only root can start a server of another account for this test.\n')

let folder: ReturnType<typeof temporaryFolder>
const running: { stop(): Promise<unknown> }[] = []

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  for (const peer of running.splice(0).reverse()) await peer.stop()
  folder.remove()
})

async function serve(...args: string[]): Promise<TestServer> {
  const server = await startServer({ args })
  running.push(server)
  return server
}
async function inFront(location: string) {
  const nginx = await startNginx(location)
  running.push(nginx)
  return nginx
}
const refused = (...args: string[]) =>
  runFilemgr(
    ['serve', folder.path, '--port', '0', '--database', join(folder.path, 'f.db'), ...args],
    {
      home: folder.path,
    },
  )

describe('TLS', () => {
  function makeCertificate(): { cert: string; key: string } {
    const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')]
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    execFileSync('openssl', [...args, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' })
    return { cert, key }
  }

  test('the server speaks https with a certificate and its key, and marks the cookie secure', async () => {
    const { cert, key } = makeCertificate()
    const { url, password } = await serve('--cert', cert, '--key', key)
    expect(url).toStartWith('https://127.0.0.1:')
    const answer = await fetch(url + API.login, {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password }),
      tls: { ca: readFileSync(cert, 'utf8') },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toContain('Secure')
  })

  test('a certificate without a key, a missing file and an invalid key are each refused with a message', async () => {
    const { cert, key } = makeCertificate()
    expect((await refused('--cert', cert)).stderr).toContain('TLS needs both --cert and --key')
    expect((await refused('--cert', cert, '--key', '/none')).stderr).toContain(
      '/none does not exist',
    )
    writeFileSync(key, 'no key')
    const odd = await refused('--cert', cert, '--key', key)
    expect(odd).toMatchObject({ code: 2 })
    expect(odd.stderr).toContain(
      'The certificate and the key do not belong together, or one of them is damaged.',
    )
  })
})

describe('a unix socket', () => {
  test('a unix socket has its permission bits, and is removed with the server', async () => {
    const socket = join(folder.path, 's')
    const server = await startServer({ args: ['--socket', socket, '--socket-perm', '0600'] })
    expect(server.url).toBe(`unix:${socket}`)
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    const health = await fetch('http://filemgr/health', { unix: socket })
    expect(await health.json()).toEqual({ status: 'OK' })
    await server.stop()
    expect(existsSync(socket)).toBe(false)
  })

  test('a unix socket is closed to other accounts by default', async () => {
    const socket = join(folder.path, 's')
    running.push(await startServer({ args: ['--socket', socket] }))
    expect(statSync(socket).mode & 0o777).toBe(0o660)
  })

  test('sign-in by proxy is refused at a unix socket that other accounts may write', async () => {
    const proxy = ['--auth.method', 'proxy', '--auth.header', 'X-User']
    const socket = join(folder.path, 's')
    const at = ['--socket', socket, '--trusted-proxies', 'unix', ...proxy]
    for (const mode of ['0666', '0662']) {
      const { code, stderr } = await refused(...at, '--socket-perm', mode)
      expect(code).toBe(2)
      expect(stderr).toContain(
        'With --auth.method proxy every account of this machine could sign in as another user: other accounts may write to the socket.',
      )
      expect(existsSync(socket)).toBe(false)
    }
    const server = await startServer({ args: [...at, '--socket-perm', '0660'] })
    const headers = { 'X-User': 'admin' }
    const login = { method: 'POST', headers, unix: socket }
    expect((await fetch(`http://filemgr${API.login}`, login)).status).toBe(200)
    await server.stop()
    // Without `unix`, the header is not trusted at all.
    const other = ['--socket', socket, '--socket-perm', '0666', ...proxy]
    const open = await startServer({ args: other })
    expect((await fetch(`http://filemgr${API.login}`, login)).status).toBe(403)
    await open.stop()
  })

  test('an unused unix socket of a killed server is replaced; a used one and a file are not', async () => {
    const socket = join(folder.path, 's')
    const first = await startServer({ args: ['--socket', socket] })
    expect((await refused('--socket', socket)).stderr).toContain('is in use')
    first.kill('SIGKILL')
    await first.stop()
    expect(existsSync(socket)).toBe(true)
    running.push(await startServer({ args: ['--socket', socket] }))
    const file = join(folder.path, 'file')
    writeFileSync(file, 'mine')
    expect((await refused('--socket', file)).stderr).toContain('is in use')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test('a server that stops keeps the Unix socket of another server that started during the stop', async () => {
    const socket = join(folder.path, 's')
    const first = await startServer({ args: ['--socket', socket] })
    const line = connect(socket)
    await once(line, 'connect')
    const head = `POST ${API.login} HTTP/1.1\r\nHost: filemgr\r\nContent-Length: 99\r\n\r\n`
    await new Promise((written) => line.write(`${head}{`, written))
    line.on('error', () => undefined)
    const stopped = first.stop()
    await until(() => !existsSync(socket))
    running.push(await startServer({ args: ['--socket', socket] }))
    line.destroy()
    expect(await stopped).toBe(0)
    expect(existsSync(socket)).toBe(true)
    expect((await fetch('http://filemgr/health', { unix: socket })).status).toBe(200)
  })

  /** Starts a server of another account. */
  const refusedToNobody = (socket: string) => {
    const home = join(folder.path, 'home')
    mkdirSync(home)
    chownSync(home, NOBODY, NOBODY)
    chmodSync(folder.path, 0o755)
    const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
    const args = ['--port', '0', '--database', join(home, 'f.db'), '--socket', socket]
    const program: [string, ...string[]] = ['setpriv', ...ids, ...filemgr()]
    return runFilemgr(['serve', home, ...args], { home, program })
  }

  test.skipIf(!isRoot)(
    'a unix socket of another account that refuses connections is not replaced',
    async () => {
      const open = join(folder.path, 'open')
      mkdirSync(open)
      chmodSync(open, 0o777)
      const socket = join(open, 's')
      running.push(await startServer({ args: ['--socket', socket, '--socket-perm', '0600'] }))
      expect((await refusedToNobody(socket)).stderr).toContain('is in use')
      expect((await fetch('http://filemgr/health', { unix: socket })).status).toBe(200)
    },
  )

  test.skipIf(!isRoot)('an unused unix socket that cannot be removed is refused', async () => {
    const socket = join(folder.path, 's')
    const first = await startServer({ args: ['--socket', socket, '--socket-perm', '0666'] })
    first.kill('SIGKILL')
    await first.stop()
    const run = await refusedToNobody(socket)
    expect(run.stderr).toContain(`The socket ${socket} cannot be created.`)
    expect(existsSync(socket)).toBe(true)
  })

  test('behind nginx a unix socket gets the addresses of the clients', async () => {
    const socket = join(folder.path, 's')
    const server = await startServer({
      args: ['--socket', socket, '--trusted-proxies', 'unix', '--auth.method', 'json'],
    })
    running.push(server)
    const nginx = await inFront(
      `proxy_pass http://unix:${socket}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For 198.51.100.7;`,
    )
    const admin = await signIn(nginx.url, 'admin', server.password)
    const sessions: SessionInfo[] = await (await admin.call('GET', API.sessions)).json()
    expect(sessions[0]?.address).toBe('198.51.100.7')
  })
})

describe('proxies', () => {
  const forwarded = (server: TestServer, value: string, more = '') =>
    `proxy_pass ${server.url}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For "${value}"; ${more}`
  async function addressSeen(url: string, password: string, headers = {}): Promise<string> {
    const body = { username: 'admin', password }
    const token = await (await anonymous(url).call('POST', API.login, body, headers)).text()
    const answer = await fetch(url + API.sessions, { headers: { 'X-Auth': token } })
    const sessions: SessionInfo[] = await answer.json()
    return sessions.find(({ current }) => current)?.address ?? ''
  }

  test('forwarded addresses of an untrusted proxy are ignored', async () => {
    const server = await serve()
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Real-IP': '203.0.113.9' }
    expect(await addressSeen(server.url, server.password, headers)).toBe('127.0.0.1')
  })

  test('the address is the last one that a trusted proxy forwards and that is no trusted proxy', async () => {
    const server = await serve('--trusted-proxies', '127.0.0.1, 10.0.0.0/8')
    const chain = await inFront(forwarded(server, '192.0.2.66, 203.0.113.9, 10.1.2.3'))
    expect(await addressSeen(chain.url, server.password)).toBe('203.0.113.9')
    expect(await addressSeen(server.url, server.password, { 'X-Real-IP': '203.0.113.10' })).toBe(
      '203.0.113.10',
    )
    expect(await addressSeen(server.url, server.password, { 'X-Forwarded-For': 'nonsense' })).toBe(
      '127.0.0.1',
    )
  })

  test('the cookie is secure if the trusted proxy uses https', async () => {
    const server = await serve('--trusted-proxies', '127.0.0.1')
    const body = { username: 'admin', password: server.password }
    const proxied = await anonymous(server.url).call('POST', API.login, body, {
      'X-Forwarded-Proto': 'https',
    })
    expect(proxied.headers.get('set-cookie')).toContain('Secure')
    const plain = await anonymous(server.url).call('POST', API.login, body)
    expect(plain.headers.get('set-cookie')).not.toContain('Secure')
  })

  test('page, API, uploads and shares work below the base URL @spec-7.5', async () => {
    const server = await serve('--base-url', '/files')
    const nginx = await inFront(
      `proxy_pass ${server.url.replace('/files', '')}; proxy_set_header Host $http_host;`,
    )
    const base = `${nginx.url}/files`
    const admin = await signIn(base, 'admin', server.password)
    expect((await admin.call('POST', `${API.resources}/a.txt`, 'hello')).status).toBe(200)
    const made = await admin.call('POST', `${API.tus}/b.txt`, undefined, {
      'Upload-Length': '0',
      'Tus-Resumable': '1.0.0',
    })
    expect(made.headers.get('location')).toContain('/files/api/tus/b.txt?upload=')
    expect(await (await fetch(`${base}/login`)).text()).toContain('<base href="/files/">')
    const share = await (await admin.call('POST', `${API.share}/a.txt`, {})).json()
    const shared = await fetch(`${base}${API.publicDownload}/${share.hash}`)
    expect(await shared.text()).toBe('hello')
  })

  test('a list of trusted proxies with an invalid address is refused at the start', async () => {
    const odd = await refused('--trusted-proxies', '10.0.0.0/99')
    expect(odd).toMatchObject({ code: 2 })
    expect(odd.stderr).toContain('trustedProxies must list addresses')
  })
})

test('the server listens on every interface if the address is empty', async () => {
  const server = await startServer({ args: ['--address', ''] })
  running.push(server)
  expect(new URL(server.url).hostname).toBe('0.0.0.0')
})

test('a port in use is an error, and is not shared', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  mkdirSync(join(folder.path, 'root'))
  const run = await refused('--port', String(port))
  expect(run.stderr).toContain('is in use')
  taken.close()
})
