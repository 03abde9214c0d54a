/** What is looked at before a request is: its host, its sender, and how long a connection may be silent. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { rawRequest } from '#attacks/raw-request.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--stall-timeout', '5s'] })
})
afterAll(() => app.stop())

function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const line = connect(Number(port), hostname)
    line.on('error', reject)
    line.on('connect', () => resolve(line))
  })
}

describe('a header Host', () => {
  test.each([
    'a b',
    '[::1',
    'x:99999',
    'a/b',
    'a?b',
    'user@host',
    'ä',
    ':80',
    'a%zz',
    'x:y',
    'a;b',
    'a,b',
    '',
  ])('a header Host that is no host is refused before anything else: %p', async (host) => {
    const before = app.server.output()
    for (const target of [`${API.resources}/`, '/', API.login]) {
      const answer = await rawRequest(app.url, 'GET', target, { Host: host })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('The header Host')
      expect(answer.headers.get(FAULT_HEADER)).toBe('badRequest')
      expect(answer.headers.get('content-security-policy')).toStartWith("default-src 'none'")
    }
    const answer = app.server.output().slice(before.length)
    expect(answer).not.toMatch(/\bat .*\.ts|Invalid URL|\|/)
    expect(answer.trim().split('\n')).toHaveLength(3)
  })

  test('a request with a wrong header Host is logged without its query', async () => {
    const before = app.server.output().length
    const answer = await rawRequest(app.url, 'GET', '/marked?token=secret', { Host: 'a b' })
    expect(answer.status).toBe(400)
    expect(await app.server.says(/(\S*\/marked\S*)/)).toEndWith('/marked:')
    expect(app.server.output().slice(before)).not.toContain('secret')
  })

  test('a request without a header Host is refused, by HTTP 1.0 too', async () => {
    const line = await open(app.url)
    line.write(`GET ${API.health} HTTP/1.0\r\n\r\n`)
    const answer = new Promise<string>((resolve) =>
      line.once('data', (part) => resolve(String(part))),
    )
    expect(await answer).toStartWith('HTTP/1.1 400')
    line.destroy()
  })

  test.each(['localhost', 'LOCALHOST:8080', '[::1]:80', 'files.example.org', 'a_b', 'x:'])(
    'that is one is served: %p',
    async (host) => {
      expect((await rawRequest(app.url, 'GET', API.health, { Host: host })).status).toBe(200)
    },
  )

  test('the host of an absolute target does not count', async () => {
    for (const target of ['http://[/health', 'http://other:99999/health', 'https://other/health']) {
      expect((await rawRequest(app.url, 'GET', target)).status).toBe(200)
    }
  })

  test('a host in the headers of a proxy may not be odd either', async () => {
    const odd = {
      'X-Forwarded-Host': '[',
      'X-Forwarded-Proto': 'no scheme',
      'X-Forwarded-For': '[',
    }
    expect((await rawRequest(app.url, 'GET', API.health, odd)).status).toBe(200)
  })
})

describe('without sign-in', () => {
  const folder = temporaryFolder()
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({
      database: join(folder.path, 'f.db'),
      args: ['--noauth', '--allowed-hosts', 'Files.example.org nas.home'],
    })
  })
  afterAll(async () => {
    await server.stop()
    folder.remove()
  })
  const login = (Host: string) => rawRequest(server.url, 'POST', API.login, { Host }, '{}')

  test.each([
    '127.0.0.1',
    '127.0.0.1:8080',
    '[::1]:80',
    'localhost',
    'app.localhost',
    'files.EXAMPLE.org:8443',
    'nas.home',
  ])('a request for the host %s is served', async (host) => {
    expect((await login(host)).status).toBe(200)
  })

  test.each([
    'evil.example',
    'files.example.org.evil.example',
    'xlocalhost',
    '127.0.0.1.evil.example',
    'example.org',
  ])('a request for the host %s is refused, and the answer says what to set', async (host) => {
    const answer = await login(host)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('--allowed-hosts')
    for (const target of ['/', API.openapi, API.health]) {
      expect((await rawRequest(server.url, 'GET', target, { Host: host })).status).toBe(403)
    }
  })
})

test('without sign-in, a host name is served only if it is configured', async () => {
  const folder = temporaryFolder()
  const database = join(folder.path, 'f.db')
  const server = await startServer({ database, args: ['--noauth'] })
  const login = async (Host: string) =>
    (await rawRequest(server.url, 'POST', API.login, { Host }, '{}')).status
  expect(await login('127.0.0.1')).toBe(200)
  expect(await login('localhost')).toBe(200)
  expect(await login('files.example.org')).toBe(403)
  await server.stop()
  folder.remove()
})

test('hosts that the operator names are the only ones, also where users sign in', async () => {
  const server = await startServer({ args: ['--allowed-hosts', 'files.example.org'] })
  const health = async (Host: string) =>
    (await rawRequest(server.url, 'GET', API.health, { Host })).status
  expect(await health('files.example.org')).toBe(200)
  expect(await health('other.example.org')).toBe(403)
  await server.stop()
})

describe('a client that resets its connection at once', () => {
  /** Sends a request and resets the connection, so that the server finds no address. */
  async function hitAndRun(head: string, body = ''): Promise<void> {
    const line = await open(app.url)
    const gone = new Promise<void>((resolve) => line.on('close', () => resolve()))
    const words = `${head}\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    line.write(words, () => line.resetAndDestroy())
    await gone
  }
  const acts = async (): Promise<AuditEntry[]> =>
    (await app.admin.call('GET', `${API.audit}?limit=1000`)).json()

  test('a connection that its client resets at once is never recorded or logged under another’s name', async () => {
    const before = app.server.output().length
    for (let turn = 0; turn < 60; turn += 1) {
      writeFileSync(join(app.root, 'anna', `gone${turn}`), 'x')
      await hitAndRun(`DELETE ${API.resources}/gone${turn} HTTP/1.1\r\nX-Auth: ${app.anna.token}`)
      await hitAndRun(`POST ${API.login} HTTP/1.1`, '{"username":"anna","password":"wrong"}')
    }
    // Each deletion is recorded, sooner or later: a client without an address deletes nothing.
    let seen: AuditEntry[] = []
    const notified = async () => {
      seen = await acts()
      const left = readdirSync(join(app.root, 'anna')).filter((name) => name.startsWith('gone'))
      const deleted = seen.filter(({ action, status }) => action === 'delete' && status === 204)
      return left.length + deleted.length
    }
    while ((await notified()) !== 60) await Bun.sleep(20)
    const ofRequests = seen.filter(({ action }) => action !== 'addUser')
    expect(ofRequests.filter(({ address }) => address !== '127.0.0.1')).toEqual([])
    expect(app.server.output().slice(before)).not.toContain('unix')
  })
})

describe('a connection that is kept', () => {
  /** Milliseconds are not asked for: the server closes it, or this never ends. */
  async function closedByServer(head: string): Promise<string> {
    const line = await open(app.url)
    let answer = ''
    line.on('data', (part) => {
      answer += part
    })
    const ended = new Promise<void>((resolve) => line.on('end', () => resolve()))
    line.write(`${head} HTTP/1.1\r\nHost: x\r\nX-Auth: ${app.anna.token}\r\n\r\n`)
    await ended
    line.destroy()
    return answer
  }

  test('a connection that is kept is closed when it is silent, also after a slow request', async () => {
    const answers = await Promise.all([
      closedByServer(`GET ${API.health}`),
      closedByServer(`GET ${API.resources}/`),
      closedByServer(`GET ${API.resources}/absent`),
      closedByServer(`GET ${API.audit}`),
      closedByServer(`GET ${API.audit}?format=csv`),
      closedByServer(`HEAD ${API.audit}?format=csv`),
      closedByServer(`GET ${API.search}/?query=x`),
      closedByServer(`GET ${API.preview}/thumb/absent.png`),
    ])
    expect(answers.map((text) => text.slice(9, 12))).toEqual([
      '200',
      '200',
      '404',
      '200',
      '200',
      '200',
      '200',
      '404',
    ])
  }, 30_000)
})
