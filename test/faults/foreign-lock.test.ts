/** Another program holds the lock of the database: reading goes on, and what would write says that it is busy. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let other: Database
beforeEach(async () => {
  app = await openTestApp()
  other = new Database(app.database)
  // A server writes some rows after it has answered.
  other.exec('PRAGMA busy_timeout = 5000')
})
afterEach(async () => {
  other.close()
  await app.stop()
})

const disk = (name: string) => join(app.root, 'anna', name)
const staged = () => readdirSync(join(app.root, '.filemgr', 'uploads'))

test('each way to write is 503 with a sentence, nothing is changed, and reading works', async () => {
  writeFileSync(disk('a.txt'), 'before')
  const { anna } = app
  other.exec('BEGIN IMMEDIATE')
  const moved = encodeURIComponent('/b.txt')
  const refused = await Promise.all([
    outcome(anna.call('POST', `${API.resources}/new.txt`, 'x')),
    outcome(anna.call('PUT', `${API.resources}/a.txt`, 'after')),
    outcome(anna.call('DELETE', `${API.resources}/a.txt`)),
    outcome(anna.call('PATCH', `${API.resources}/a.txt?action=rename&destination=${moved}`)),
    outcome(anna.call('POST', `${API.share}/a.txt`, {})),
    outcome(anna.call('PUT', API.favourites, '["/a.txt"]')),
    outcome(app.anonymous.call('POST', API.login, { username: 'anna', password: PASSWORD })),
  ])
  expect(new Set<string>(refused)).toEqual(new Set(['503 unavailable']))
  expect(await outcome(anna.call('GET', '/health'))).toBe('200')
  expect(await outcome(anna.call('GET', `${API.resources}/`))).toBe('200')
  expect(await (await anna.call('GET', `${API.raw}/a.txt`)).text()).toBe('before')
  const busy = await anna.call('POST', `${API.resources}/new.txt`, 'x')
  expect(await busy.text()).toContain('The database is busy. Try again in a moment.')
  expect(busy.headers.get('Retry-After')).not.toBeNull()
  other.exec('ROLLBACK')
  expect(readFileSync(disk('a.txt'), 'utf8')).toBe('before')
  expect([existsSync(disk('new.txt')), existsSync(disk('b.txt'))]).toEqual([false, false])
  expect(await outcome(anna.call('PUT', `${API.resources}/a.txt`, 'after'))).toBe('200')
  expect(staged()).toEqual([])
})

test('the end of a resumable upload can be sent again when the lock is released', async () => {
  const send = (offset: number, body: string) =>
    app.anna.call('PATCH', `${API.tus}/t.txt`, body, {
      'Upload-Offset': `${offset}`,
      'Content-Type': 'application/offset+octet-stream',
    })
  await app.anna.call('POST', `${API.tus}/t.txt`, undefined, { 'Upload-Length': '4' })
  expect((await send(0, 'ab')).status).toBe(204)
  other.exec('BEGIN IMMEDIATE')
  const last = send(2, 'cd')
  expect(await outcome(last)).toContain('503')
  other.exec('ROLLBACK')
  const head = await app.anna.call('HEAD', `${API.tus}/t.txt`)
  const offset = Number(head.headers.get('upload-offset'))
  expect((await send(offset, 'abcd'.slice(offset))).status).toBe(204)
  expect(readFileSync(disk('t.txt'), 'utf8')).toBe('abcd')
})

test('work that waits for the lock is written when it is released', async () => {
  // With more reads before the release, the work has surely begun to wait.
  for (const reads of [1, 4, 16]) {
    other.exec('BEGIN IMMEDIATE')
    const saved = outcome(app.anna.call('PUT', API.favourites, `["/${reads}.txt"]`))
    for (let read = 0; read < reads; read += 1) await app.anna.call('GET', `${API.resources}/`)
    other.exec('ROLLBACK')
    expect([reads, await saved]).toEqual([reads, '200'])
  }
})

test('a server starts when another program releases the lock', async () => {
  const root = join(app.server.root, '..', 'second')
  mkdirSync(root)
  other.exec('BEGIN IMMEDIATE')
  // Much longer than a server waits once it serves, and much shorter than a start waits.
  const released = Bun.sleep(1000).then(() => other.exec('ROLLBACK'))
  const second = await startServer({ root, database: app.database })
  await released
  await second.stop()
})
