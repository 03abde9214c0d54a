/**
 * Durability: the content and the names that a change writes are flushed to the disk before its response. strace shows the
 * order of the system calls; tests are skipped where it may not trace.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { until } from '../support/server/broken-connection.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { mayTrace, type TracedCall, trace } from '../support/server/tracing.ts'
import { noMounts, withMounts } from '../support/system/mounts.ts'

const canTrace = await mayTrace()
const CALLS = 'fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat'

let server: TestServer
let admin: Client
/** The served root as strace shows it: without symbolic links. */
let root: string
beforeAll(async () => {
  server = await startServer()
  root = realpathSync(server.root)
  admin = await signIn(server.url, 'admin', server.password)
  for (const folder of ['from/merged', 'to/merged']) {
    mkdirSync(join(server.root, folder), { recursive: true })
  }
  for (const name of ['saved', 'from/moved', 'from/merged/file', 'copied', 'removed']) {
    writeFileSync(join(server.root, name), name)
  }
})
afterAll(() => server.stop())

/** The system calls during a request, as `fsync /to`: paths are relative to the served root, and `*` is a staged file. */
async function callsOf(method: string, address: string, body?: BodyInit): Promise<TracedCall[]> {
  const stop = await trace(server.pid, ['-y', '-e', `trace=${CALLS}`])
  const answer = await outcome(admin.call(method, `${API.resources}/${address}`, body))
  const calls = await stop()
  expect(answer).toMatch(/^20/)
  return (
    calls
      .filter(
        ({ line }) =>
          / = 0$/.test(line) && (line.includes(root) || line.includes('/proc/self/fd/')),
      )
      // The folder of the process on a disk, which the first change there makes.
      .filter(({ line }) => !line.includes('/starting-'))
      .map(({ line, ...when }) => {
        const call = /\d+ +(\w+)\(/.exec(line)?.[1] ?? ''
        const paths = [...line.matchAll(/<([^>]*)>(?:\/([^"]*)|, "([^"]*)")?/g)].map(
          ([, folder = '', below, name]) => [folder, below ?? name].filter(Boolean).join('/'),
        )
        const short = paths.map((path) =>
          path.replace(root, '').replace(/\/\.filemgr\/work\/.*/, '/*'),
        )
        return { line: [call, ...short].join(' '), ...when }
      })
  )
}

/** Expects that a call that matches `later` begins after the last call that matches `earlier` has ended. */
function expectOrder(calls: TracedCall[], earlier: RegExp, later: RegExp): void {
  const first = calls.findLast(({ line }) => earlier.test(line))
  const isFollowed = calls.some(
    ({ line, began }) => later.test(line) && began > (first?.ended ?? 0),
  )
  expect(first !== undefined && isFollowed, calls.map(({ line }) => line).join('\n')).toBe(true)
}

test.skipIf(!canTrace)(
  'new content is flushed to the disk before its name, and then the name',
  async () => {
    for (const [method, address] of [
      ['POST', 'new'],
      ['PUT', 'saved'],
    ] as const) {
      const calls = await callsOf(method, address, 'content')
      expectOrder(calls, /^f(data)?sync \/\*$/, /^rename/)
      expectOrder(calls, /^rename/, /^fsync $/)
    }
  },
)

test.skipIf(!canTrace)(
  'a new folder, a move, a copy and a removal flush their names to the disk',
  async () => {
    const made = await callsOf('POST', 'to/folder/')
    expectOrder(made, /^mkdir/, /^fsync \/to$/)
    const merged = await callsOf(
      'PATCH',
      'from/merged?action=rename&override=true&destination=%2Fto%2Fmerged',
    )
    // The emptied source folder is renamed last.
    expectOrder(merged, /^renameat2/, /^fsync \/to\/merged$/)
    const moved = await callsOf('PATCH', 'from/moved?action=rename&destination=%2Fto%2Fmoved')
    for (const folder of [/^fsync \/to$/, /^fsync \/from$/]) {
      expectOrder(moved, /^rename/, folder)
    }
    const copied = await callsOf('PATCH', 'copied?action=copy&destination=%2Fto%2Fcopied')
    expectOrder(copied, /^f(data)?sync \/\*$/, /^rename/)
    expectOrder(copied, /^rename/, /^fsync \/to$/)
    const removed = await callsOf('DELETE', 'removed')
    expectOrder(removed, /^rename/, /^fsync $/)
  },
)

test.skipIf(!canTrace)(
  'an entry of the journal is flushed to the disk before the names change',
  async () => {
    writeFileSync(join(server.root, 'saved'), 'saved')
    for (const [method, address, body] of [
      ['PUT', 'saved', 'again'],
      ['POST', 'entered', 'new'],
      ['DELETE', 'saved', undefined],
    ] as const) {
      const stop = await trace(server.pid, ['-y', '-e', `trace=${CALLS},linkat`])
      const answer = await outcome(admin.call(method, `${API.resources}/${address}`, body))
      const calls = await stop()
      expect(answer).toMatch(/^20/)
      const entry = calls.findIndex(({ line }) => /f(data)?sync\(.*\.db-wal>/.test(line))
      const name = calls.findIndex(({ line }) => new RegExp(`renameat2?\\(.*${address}`).test(line))
      const named = name >= 0 ? name : calls.findIndex(({ line }) => /rename/.test(line))
      expect(entry >= 0 && entry < named, calls.map(({ line }) => line).join('\n')).toBe(true)
    }
  },
)

test.skipIf(!canTrace)('a removal without a trash flushes the name to the disk', async () => {
  await server.stop()
  server = await startServer({ args: ['--trash=false'] })
  root = realpathSync(server.root)
  admin = await signIn(server.url, 'admin', server.password)
  writeFileSync(join(root, 'removed'), 'removed')
  const removed = await callsOf('DELETE', 'removed')
  expectOrder(removed, /^rename/, /^fsync $/)
})

test.skipIf(!canTrace)('with relaxed durability, nothing is flushed for a change', async () => {
  await server.stop()
  server = await startServer({ args: ['--durability', 'relaxed'] })
  root = realpathSync(server.root)
  admin = await signIn(server.url, 'admin', server.password)
  writeFileSync(join(root, 'saved'), 'saved')
  // The first change creates the write-ahead log of the database.
  await admin.call('POST', `${API.resources}/first`, 'first')
  const stop = await trace(server.pid, ['-e', `trace=${CALLS}`])
  for (const [method, address, body] of [
    ['POST', 'new', 'content'],
    ['POST', 'folder/', undefined],
    ['PUT', 'saved', 'again'],
    ['PATCH', 'new?action=copy&destination=%2Fcopied', undefined],
    ['PATCH', 'new?action=rename&destination=%2Fmoved', undefined],
    ['DELETE', 'moved', undefined],
  ] as const) {
    expect(await outcome(admin.call(method, `${API.resources}/${address}`, body))).toMatch(/^20/)
  }
  const calls = await stop()
  expect(calls.filter(({ line }) => /rename/.test(line)).length).toBeGreaterThan(4)
  expect(calls.filter(({ line }) => /sync/.test(line)).map(({ line }) => line)).toEqual([])
})

test.skipIf(!canTrace)(
  'with relaxed durability too, accounts, sessions, shares and settings are flushed',
  async () => {
    const current_password = server.password
    const user = { username: 'bo', password: 'a long enough password 12' }
    for (const [path, body] of [
      [API.users, { what: 'user', which: [], data: user, current_password }],
      [API.login, { username: 'admin', password: server.password }],
      [`${API.share}/saved`, {}],
      [API.logout, undefined],
    ] as const) {
      const stop = await trace(server.pid, ['-e', `trace=${CALLS}`])
      expect((await admin.call('POST', path, body)).status, path).toBeLessThan(300)
      const flushes = (await stop()).filter(({ line }) => /sync/.test(line))
      expect(flushes.length, path).toBeGreaterThan(0)
    }
  },
)

test.skipIf(!canTrace)(
  'the thread that serves flushes nothing while files are replaced, and versions go beyond their limit',
  async () => {
    await server.stop()
    const folder = temporaryFolder()
    const database = join(folder.path, 'f.db')
    server = await startServer({ args: ['--trash-versions', '2'], database })
    using rows = new Database(database, { readonly: true })
    const kept = () => rows.query<{ count: number }, []>('SELECT count(*) AS count FROM kept').get()
    admin = await signIn(server.url, 'admin', server.password)
    const save = (content: string) =>
      outcome(admin.call('POST', `${API.resources}/often?override=true`, content))
    const versions = async (): Promise<number> =>
      (await (await admin.call('GET', `${API.versions}/often`)).json()).length
    await save('first')
    // A save begins the check of the limits; this one ends it, so that no work of the start is seen below.
    while ((await versions()) < 2) await save('second')
    const stop = await trace(server.pid, ['-e', `trace=${CALLS}`])
    for (let number = 0; number < 6; number += 1) expect(await save(String(number))).toBe('200')
    await until(() => kept()?.count === 2)
    const calls = await stop()
    const flushes = calls.filter(({ line }) => /f(data)?sync\(/.test(line))
    expect(flushes.length).toBeGreaterThan(0)
    expect(flushes.filter(({ line }) => line.startsWith(`${server.pid} `))).toEqual([])
    rows.close()
    folder.remove()
  },
)

test.skipIf(!canTrace || noMounts !== undefined)(
  'the original path of an entry is flushed to the disk before a move to another file system hides the entry',
  async () => {
    await server.stop()
    const folder = temporaryFolder()
    root = realpathSync(folder.path)
    server = await startServer({ root, program: withMounts(root, [{ at: 'disk', sizeMiB: 16 }]) })
    admin = await signIn(server.url, 'admin', server.password)
    writeFileSync(join(root, 'moved'), 'moved')
    const calls = await callsOf('PATCH', 'moved?action=rename&destination=%2Fdisk%2Fmoved')
    const aside = calls.findIndex(({ line }) => /^rename/.test(line))
    expectOrder(calls.slice(0, aside + 1), /^fsync \/\*$/, /^rename/)
    folder.remove()
  },
)
