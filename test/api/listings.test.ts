/** Limits of large listings: how many are generated at once, and how many wait for a client that does not read. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { AuditRows, type NewAuditRecord } from '#server/db/rows/audit.ts'
import { ShareRows } from '#server/db/rows/shares.ts'
import { UserRows } from '#server/db/rows/users.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import type { Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { parsePath } from '#wire/paths.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const FILES = 25_000
const LINKS = 5000
const ACTS = 1000
/** In JSON each of these characters takes six. */
const LONG_PATH = `/anna/${'\u0001'.repeat(4000)}`

let app: TestApp
let hash: string
let middle: string
beforeAll(async () => {
  app = await openTestApp()
  const folder = join(app.root, 'anna', 'large')
  mkdirSync(folder)
  const name = 'n'.repeat(200)
  for (let number = 0; number < FILES; number += 1) writeFileSync(join(folder, name + number), '')
  mkdirSync(join(app.root, 'anna', 'middle'))
  for (let number = 0; number < 2000; number += 1) {
    writeFileSync(join(app.root, 'anna', 'middle', `${number}`), '')
  }
  const share = async (folder: string) => {
    const made = await app.anna.call('POST', `${API.share}/${folder}/`, {})
    return ((await made.json()) as Share).hash
  }
  hash = await share('large')
  middle = await share('middle')
  const db = new SqliteDatabase(openDatabase(app.database), async () => undefined)
  const { id } = (await new UserRows(db).findByName('anna')) ?? { id: 0 }
  await db.lazily(async () => {
    const links = new ShareRows(db)
    const link = (await links.listOf(id))[0]
    for (let number = 0; link && number < LINKS; number += 1) {
      await links.insert({ ...link, hash: `link ${number}`, path: parsePath(`/${name}`.repeat(8)) })
    }
    const act = {
      atMs: 0,
      userId: id,
      username: 'anna',
      session: 's',
      address: '::1',
      times: 1,
      fault: '',
      entry: 0,
    }
    const rest = { to: '', whom: '', bytes: 0, status: 200, share: '', path: LONG_PATH }
    const one: NewAuditRecord = { ...act, ...rest, action: 'rename' }
    await new AuditRows(db).insert(Array.from({ length: ACTS }, () => one))
  })
  await db.close()
}, 120_000)
afterAll(() => app.stop())

/** Sends a request and reads only the first bytes of its response. */
function stalled(address: string, token = ''): Promise<{ socket: Socket; status: string }> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', reject)
    socket.once('data', (part) => {
      socket.pause()
      resolve({ socket, status: String(part).slice(9, 12) })
    })
    socket.write(`GET ${address} HTTP/1.1\r\nHost: ${hostname}\r\nX-Auth: ${token}\r\n\r\n`)
  })
}

const itemsOf = (text: string) => (JSON.parse(text) as Listing).items.length
const rowsOf = (text: string) => (JSON.parse(text) as unknown[]).length
const LARGE_RESPONSES = [
  ['a listing', () => `${API.resources}/large/`, true, (text) => itemsOf(text) === FILES],
  ['a public link', () => `${API.publicShare}/${hash}/`, false, (text) => itemsOf(text) === FILES],
  ['a list of links', () => API.shares, true, (text) => rowsOf(text) === LINKS + 2],
] as const satisfies [string, () => string, boolean, (text: string) => boolean][]

test.each(LARGE_RESPONSES)(
  '%s that its client does not read counts, and too many are refused',
  async (_, address, signedIn, isWhole) => {
    const token = signedIn ? app.anna.token : ''
    const held: Socket[] = []
    let status = ''
    for (
      let turn = 0;
      turn < CONCURRENCY_LIMITS.largeResponses.perKey && status !== '429';
      turn += 1
    ) {
      const one = await stalled(address(), token)
      held.push(one.socket)
      status = one.status
    }
    expect(status).toBe('429')
    // Small listings are not limited, and other users have their own limit.
    expect(await outcome(app.anna.call('GET', `${API.resources}/`))).toBe('200')
    expect(await outcome(app.admin.call('GET', `${API.resources}/anna/large/`))).toBe('200')
    for (const socket of held) socket.destroy()
    const ask = () =>
      signedIn ? app.anna.call('GET', address()) : app.anonymous.call('GET', address())
    let answer = await ask()
    while (answer.status === 429) answer = await ask()
    expect(answer.status).toBe(200)
    expect(isWhole(await answer.text())).toBe(true)
  },
  60_000,
)

test('a page of audit records is limited by the length of its text, whatever limit the request has', async () => {
  const answer = await app.anna.call('GET', `${API.audit}?limit=${ACTS}&action=rename`)
  const text = await answer.text()
  expect(text.length).toBeLessThan(4.1 * 2 ** 20)
  expect(rowsOf(text)).toBeGreaterThan(100)
})

test('many concurrent listings wait for each other, and too many are refused @limit-9', async () => {
  const ask = async () => {
    const answer = await app.anonymous.call('GET', `${API.publicShare}/${middle}/`)
    return `${answer.status} ${answer.status === 200 ? '' : await answer.text()}`.trim()
  }
  const answers = await Promise.all(Array.from({ length: 200 }, ask))
  expect(answers).toContain('200')
  expect(answers).toContain(`429 ${CONCURRENCY_LIMITS.listings.message}`)
  expect(await ask()).toBe('200')
})

test('a large listing has the same text, compressed or generated while it is sent', async () => {
  const texts = await Promise.all(
    ['identity', 'gzip', 'zstd'].map(async (encoding) => {
      const headers = { 'Accept-Encoding': encoding, 'X-Auth': app.admin.token }
      const answer = await fetch(`${app.url}${API.resources}/anna/large/`, { headers })
      expect(answer.headers.get('vary')).toBe('Accept-Encoding')
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      return answer.text()
    }),
  )
  expect(itemsOf(texts[0] ?? '')).toBe(FILES)
  expect(new Set(texts).size).toBe(1)
})
