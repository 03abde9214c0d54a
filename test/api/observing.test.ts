/** Monitoring: readiness, status, metrics and the log. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerStatus } from '#wire/api/status.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome, signIn } from '../support/server/client.ts'
import { filemgr, runFilemgr } from '../support/server/executable.ts'
import { printedBy } from '../support/server/printed.ts'
import { startServer } from '../support/server/server.ts'

const PASSWORD = 'correct horse battery'
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(at('srv'))
})
afterEach(() => folder.remove())

const at = (...names: string[]) => join(folder.path, ...names)
const run = (...args: string[]) =>
  runFilemgr([...args, '--database', at('f.db')], { home: folder.path })
const start = (...args: string[]) => startServer({ root: at('srv'), database: at('f.db'), args })

/** The values of a metric by their labels. */
function valuesOf(text: string, name: string): Record<string, number> {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      return [labels, Number(value)]
    }),
  )
}

describe('readiness', () => {
  test('readiness needs no session, and is 503 while the served folder is missing', async () => {
    const server = await start()
    const ready = await anonymous(server.url).call('GET', '/ready')
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'OK' }])
    renameSync(at('srv'), at('elsewhere'))
    const refused = await anonymous(server.url).call('GET', '/ready')
    expect([refused.status, await refused.text()]).toEqual([
      503,
      'The served folder is not the folder that was served here before. Its disk may not be mounted. Nothing is changed, and nothing is served until it is there.\n',
    ])
    expect(await outcome(anonymous(server.url).call('GET', '/health'))).toBe('200')
    renameSync(at('elsewhere'), at('srv'))
    expect(await outcome(anonymous(server.url).call('GET', '/ready'))).toBe('200')
    await server.stop()
  })
})

describe('the status', () => {
  test('the status is 401 without a session, 403 for users, and sent to administrators', async () => {
    await run('users', 'add', 'ana', PASSWORD, '--perm.admin')
    await run('users', 'add', 'bo', PASSWORD)
    const server = await start()
    const [ana, bo] = await Promise.all(
      ['ana', 'bo'].map((name) => signIn(server.url, name, PASSWORD)),
    )
    expect(await outcome(anonymous(server.url).call('GET', '/api/status'))).toBe(
      '401 unauthenticated',
    )
    expect(await outcome((bo ?? anonymous('')).call('GET', '/api/status'))).toBe('403 forbidden')
    const answer = await ana?.call('GET', '/api/status')
    const status = (await answer?.json()) as ServerStatus
    expect(status).toMatchObject({ users: 2, sessions: 2, shares: 0, readOnly: false })
    expect(status.memoryBytes).toBeGreaterThan(2 ** 20)
    expect(status.work).toContainEqual({ what: 'requests in progress', atWork: 1, waiting: 0 })
    await server.stop()
  })

  test('the command status asks this server and no other', async () => {
    await run('users', 'add', 'ana', PASSWORD, '--perm.admin')
    const none = await run('status', '--port', '1')
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toStartWith('No server responds at http://127.0.0.1:1. Use the --address')
    const server = await start('--base-url', '/files')
    const found = await run('status', '--url', server.url, '--json')
    expect(found.code).toBe(0)
    expect(JSON.parse(found.stdout)).toMatchObject({ url: server.url, users: 1, shares: 0 })
    const { hostname, port } = new URL(server.url)
    const args = ['--address', hostname, '--port', port, '--base-url', '/files']
    expect((await run('status', ...args)).stdout).toContain(`serves at ${server.url} since `)
    expect(JSON.parse((await run('sessions', 'ls', '--json')).stdout)).toEqual([])
    await runFilemgr(['users', 'add', 'eve', PASSWORD, '--perm.admin', '--database', at('g.db')], {
      home: folder.path,
    })
    const other = await runFilemgr(['status', '--url', server.url, '--database', at('g.db')], {
      home: folder.path,
    })
    expect(other).toMatchObject({ code: 1, stdout: '' })
    expect(other.stderr).toContain('uses another database')
    // The session of the command in its own database has ended too.
    const left = await runFilemgr(['sessions', 'ls', '--json', '--database', at('g.db')], {
      home: folder.path,
    })
    expect(JSON.parse(left.stdout)).toEqual([])
    const wrong = await run('status', '--url', 'localhost:8080')
    expect(wrong.stderr).toContain('--url must be a URL, such as http://127.0.0.1:8080.')
    await run('config', 'set', '--port', '1')
    const stored = await run('status', '--ready')
    expect(stored.stderr).toStartWith('No server responds at http://127.0.0.1:1. ')
    expect((await run('status', '--ready', '--url', server.url)).code).toBe(0)
    const six = await run('status', '--address', '::1', '--port', '1')
    expect(six.stderr).toStartWith('No server responds at http://[::1]:1. ')
    await server.stop()
  })

  test('the status is served at a unix socket, too', async () => {
    await run('users', 'add', 'ana', PASSWORD, '--perm.admin')
    const server = await start('--socket', at('s'))
    const found = await run('status', '--socket', at('s'))
    expect(found).toMatchObject({ code: 0, stderr: '' })
    expect(found.stdout).toContain('Users: 1. Sessions: 1. Shares: 0.')
    await server.stop()
  })
})

describe('metrics', () => {
  test('metrics have their own address, and count requests by route', async () => {
    await run('users', 'add', 'ana', PASSWORD, '--perm.admin')
    writeFileSync(at('srv', 'a.txt'), 'a')
    const server = await start('--metrics', '127.0.0.1:0')
    const url = await server.says(/^Metrics at (\S+)$/m)
    const ana = await signIn(server.url, 'ana', PASSWORD)
    for (const name of ['a.txt', 'a.txt', 'none.txt']) {
      await outcome(ana.call('GET', `/api/raw/${name}`))
    }
    const answer = await fetch(url)
    expect(answer.headers.get('Content-Type')).toContain('version=0.0.4')
    const text = await answer.text()
    expect(valuesOf(text, 'filemgr_http_requests_total')).toMatchObject({
      'method="GET",route="/api/raw/*",status="200"': 2,
      'method="GET",route="/api/raw/*",status="404"': 1,
      'method="POST",route="/api/login",status="200"': 1,
    })
    expect(valuesOf(text, 'filemgr_sessions')).toEqual({ '': 1 })
    expect(valuesOf(text, 'process_resident_memory_bytes')['']).toBeGreaterThan(2 ** 20)
    const all = Object.values(valuesOf(text, 'filemgr_http_requests_total'))
    const count = all.reduce((sum, value) => sum + value)
    expect(valuesOf(text, 'filemgr_http_request_seconds_count')).toEqual({ '': count })
    expect(valuesOf(text, 'filemgr_http_request_seconds_bucket')['le="+Inf"']).toBe(count)
    expect(valuesOf(text, 'filemgr_work_waiting')['what="passwords being compared"']).toBe(0)
    // The address of the interface has no metrics.
    const open = await fetch(`${server.url}/metrics`)
    expect(await open.text()).not.toContain('filemgr_')
    expect((await fetch(new URL('/api/users', url))).status).toBe(404)
    await server.stop()
  })

  test('metrics contain the size and the age of the name index', async () => {
    await run('users', 'add', 'ana', PASSWORD, '--perm.admin')
    writeFileSync(at('srv', 'a.txt'), 'a')
    const server = await start('--metrics', '127.0.0.1:0')
    const url = await server.says(/^Metrics at (\S+)$/m)
    const read = async () => (await fetch(url)).text()
    let text = await read()
    while (valuesOf(text, 'filemgr_index_state')['state="ready"'] !== 1) text = await read()
    expect(valuesOf(text, 'filemgr_index_names')['']).toBe(1)
    expect(valuesOf(text, 'filemgr_index_memory_bytes')['']).toBeGreaterThan(0)
    expect(valuesOf(text, 'filemgr_index_age_seconds')['']).toBeGreaterThanOrEqual(0)
    const status = await run('status', '--url', server.url)
    expect(status.stdout).toMatch(/^Index of names: 1 names, 0 MiB, compared \d+ s ago\.$/m)
    await server.stop()
  })

  test('metrics contain no size and age of an index that is disabled', async () => {
    await run('users', 'add', 'ana', PASSWORD, '--perm.admin')
    const server = await start('--metrics', '127.0.0.1:0', '--index=false')
    const url = await server.says(/^Metrics at (\S+)$/m)
    const text = await (await fetch(url)).text()
    expect(valuesOf(text, 'filemgr_index_state')).toEqual({ 'state="off"': 1 })
    expect(valuesOf(text, 'filemgr_index_age_seconds')).toEqual({})
    await server.stop()
  })

  test('metrics count a transfer until its last byte is sent', async () => {
    await run('users', 'add', 'ana', PASSWORD, '--perm.admin')
    writeFileSync(at('srv', 'large.bin'), Buffer.alloc(64 * 2 ** 20))
    const server = await start('--metrics', '127.0.0.1:0')
    const url = await server.says(/^Metrics at (\S+)$/m)
    const ana = await signIn(server.url, 'ana', PASSWORD)
    const transfers = async () => {
      const counts = valuesOf(await (await fetch(url)).text(), 'filemgr_http_requests_in_flight')
      return counts['route="/api/raw/*"'] ?? 0
    }
    const download = await ana.call('GET', '/api/raw/large.bin')
    const reader = download.body?.getReader()
    await reader?.read()
    expect(await transfers()).toBe(1)
    for (;;) if ((await reader?.read())?.done) break
    while ((await transfers()) > 0) await Bun.sleep(10)
    await server.stop()
  })

  test('metrics count the bytes of files that arrived and that were sent', async () => {
    await run('users', 'add', 'ana', PASSWORD, '--perm.admin')
    writeFileSync(at('srv', 'large.bin'), Buffer.alloc(2 ** 20))
    const server = await start('--metrics', '127.0.0.1:0')
    const url = await server.says(/^Metrics at (\S+)$/m)
    const ana = await signIn(server.url, 'ana', PASSWORD)
    const bytes = async (direction: string, route: string) => {
      const text = await (await fetch(url)).text()
      return valuesOf(text, `filemgr_${direction}_bytes_total`)[`route="${route}"`] ?? 0
    }
    await ana.call('POST', '/api/resources/a.bin', 'x'.repeat(1000))
    expect(await bytes('received', '/api/resources/*')).toBe(1000)
    const tus = { 'Content-Type': 'application/offset+octet-stream' }
    const length = { 'Upload-Length': '3000' }
    await ana.call('POST', '/api/tus/t.bin', 'y'.repeat(500), { ...tus, ...length })
    for (const offset of [500, 1500]) {
      const headers = { ...tus, 'Upload-Offset': String(offset) }
      await ana.call('PATCH', '/api/tus/t.bin', 'z'.repeat(1000), headers)
    }
    expect(await bytes('received', '/api/tus/*')).toBe(2500)
    // A part with a wrong checksum has been received too.
    const wrong = {
      ...tus,
      'Upload-Offset': '2500',
      'Upload-Checksum': 'sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    }
    const dropped = await ana.call('PATCH', '/api/tus/t.bin', 'z'.repeat(300), wrong)
    expect([dropped.status, await bytes('received', '/api/tus/*')]).toEqual([460, 2800])
    const download = async (path: string, headers: Record<string, string> = {}) =>
      (await (await ana.call('GET', path, undefined, headers)).bytes()).length
    const sent = [
      await download('/api/raw/a.bin'),
      await download('/api/raw/a.bin', { Range: 'bytes=10-19' }),
      await download('/api/raw/large.bin'),
      await download('/api/raw/?algo=tar&files=a.bin'),
      await download('/api/raw/?algo=tar&files=large.bin'),
    ].reduce((sum, count) => sum + count)
    // Of a file that Bun sends, the end is noticed a little later.
    while ((await bytes('sent', '/api/raw/*')) < sent) await Bun.sleep(10)
    await ana.call('HEAD', '/api/raw/large.bin')
    expect(await bytes('sent', '/api/raw/*')).toBe(sent)
    await server.stop()
  })

  test('an invalid address for metrics is refused with a message', async () => {
    for (const [address, code, sentence] of [
      ['9100', 2, 'metrics must be an address and a port'],
      ['192.0.2.1:9100', 1, 'cannot listen on'],
    ] as const) {
      const refused = await run('serve', at('srv'), '--port', '0', '--metrics', address)
      expect(refused.code).toBe(code)
      expect(refused.stderr).toContain(sentence)
    }
  })
})

test.each(['stdout', 'stderr'])(
  'the server continues after the reader of its log at %s has closed it',
  async (log) => {
    const args = ['serve', at('srv'), '--port', '0', '--database', at('f.db'), '--log', log]
    const [program, ...first] = filemgr()
    const server = spawn(program, [...first, ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: folder.path },
    })
    const ended = once(server, 'close')
    const printed = printedBy(server)
    const url = await printed.first(/^(http\S+)/m)
    await printed.first(/This is shown once/)
    server.stdout.destroy()
    server.stderr.destroy()
    for (let request = 0; request < 5; request += 1) {
      expect(await outcome(anonymous(url).call('GET', '/api/users'))).toBe('401 unauthenticated')
    }
    expect(server.exitCode).toBeNull()
    server.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
  },
)

test('a log in JSON has one object per line, with the same values', async () => {
  const server = await start('--log', at('log'), '--log-format', 'json')
  await outcome(anonymous(server.url).call('GET', '/api/users'))
  await server.stop()
  const lines = (await Bun.file(at('log')).text()).trimEnd().split('\n')
  const [entry] = lines.map((line) => JSON.parse(line))
  expect(entry).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    source: '/api/users',
    message: 'Sign in first.',
    status: 401,
    address: '127.0.0.1',
  })
})
