/**
 * A slow disk: each flush takes half a second. Other requests are served while a change is flushed, because no flush is
 * made by the thread that serves. strace delays the flushes and names their threads; the tests are skipped where it may
 * not trace.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { mayTrace, trace } from '../support/server/tracing.ts'

const canTrace = await mayTrace()
const FLUSH_US = 500_000
const slowBy = (flushUs: number) => [
  ...['-e', 'trace=fsync,fdatasync'],
  ...['-e', `inject=fsync,fdatasync:delay_enter=${flushUs}`],
]

const folder = temporaryFolder()
const database = join(folder.path, 'f.db')
let server: TestServer
let admin: Client
beforeAll(async () => {
  server = await startServer({ database })
  for (const folder of ['merged', 'into', 'to']) mkdirSync(join(server.root, folder))
  for (const name of [
    'small',
    'renamed',
    'moved',
    'copied',
    'deleted',
    'restored',
    'merged/file',
  ]) {
    writeFileSync(join(server.root, name), name)
  }
  admin = await signIn(server.url, 'admin', server.password)
  // SQLite flushes the beginning of the first log in the thread that serves; that of each later one is not made by it.
  await admin.call('POST', `${API.resources}/begun/`)
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const patch = (address: string, query: string) => () =>
  admin.call('PATCH', `${API.resources}/${address}?${query}`)

/** The flushes that the thread makes which serves. */
function bySelf(flushes: readonly { line: string }[]): string[] {
  return flushes.map(({ line }) => line).filter((line) => line.startsWith(`${server.pid} `))
}

/** What is changed; it may prepare the change first, and returns the request. */
const CHANGES: Record<string, () => Promise<() => Promise<Response>>> = {
  'a new folder': async () => () => admin.call('POST', `${API.resources}/folder/`),
  'a rename': async () => patch('renamed', 'action=rename&destination=%2Fother-name'),
  'a move into a new folder': async () =>
    patch('moved', 'action=rename&destination=%2Fnew-folder%2Fmoved'),
  'a copy': async () => patch('copied', 'action=copy&destination=%2Fto%2Fcopied'),
  'a merge': async () => patch('merged', 'action=rename&override=true&destination=%2Finto'),
  'a deletion': async () => () => admin.call('DELETE', `${API.resources}/deleted`),
  'a restore': async () => {
    await admin.call('DELETE', `${API.resources}/restored`)
    const [{ id }] = await (await admin.call('GET', API.trash)).json()
    return () => admin.call('POST', API.trash, { ids: [id] })
  },
  'an undo': async () => {
    const made = await admin.call('POST', `${API.resources}/undone/`)
    const id = made.headers.get(JOURNAL_HEADER)
    return () => admin.call('POST', `${API.journal}/undo`, { id: Number(id) })
  },
  'a new share': async () => () => admin.call('POST', `${API.share}/small`, {}),
  'a sign-in': async () => () =>
    anonymous(server.url).call('POST', API.login, { username: 'admin', password: server.password }),
  'a renewed token': async () => () => admin.call('POST', API.renew),
}

describe.skipIf(!canTrace)('on a disk whose flushes are slow', () => {
  test.each(Object.entries(CHANGES))(
    'other requests are served while %s is flushed, which the thread that serves does not do',
    async (_, prepare) => {
      const change = await prepare()
      const stop = await trace(server.pid, slowBy(FLUSH_US))
      let isConfirmed = false
      const confirmed = outcome(change()).finally(() => {
        isConfirmed = true
      })
      let reads = 0
      while (!isConfirmed) {
        expect(await outcome(admin.call('GET', `${API.resources}/small`))).toBe('200')
        reads += 1
      }
      const flushes = await stop()
      expect(await confirmed).toMatch(/^20/)
      expect(flushes.length).toBeGreaterThan(0)
      expect(bySelf(flushes)).toEqual([])
      expect(reads).toBeGreaterThan(1)
    },
  )

  test('the log of the database is copied into it by another thread', async () => {
    const read = () => readFileSync(database)
    const before = read()
    const stop = await trace(server.pid, slowBy(2000))
    // More than a thousand pages, after which SQLite would do it.
    const names = Array.from({ length: 600 }, (_, index) => `${API.resources}/made ${index}/`)
    while (names.length > 0) {
      const made = names.splice(0, 4).map((name) => outcome(admin.call('POST', name)))
      expect(new Set(await Promise.all(made))).toEqual(new Set(['200']))
    }
    const flushes = await stop()
    expect(read().equals(before)).toBe(false)
    expect(bySelf(flushes)).toEqual([])
  })
})
