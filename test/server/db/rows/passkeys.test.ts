/** Passkeys in the database: a counter and a challenge are compared in the statement that stores them. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { PasskeyRows, type StoredPasskey } from '#server/db/rows/passkeys.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

const PASSKEY: StoredPasskey = {
  id: 'one',
  userId: 1,
  handle: 'AAAA',
  publicKey: new Uint8Array([1, 2, 3]),
  counter: 0,
  rpId: 'files.example.org',
  transports: ['internal', 'hybrid'],
  isSynced: false,
  name: 'Phone',
  createdMs: 1,
  usedMs: 0,
}

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let rows: PasskeyRows
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  // The users are not the point.
  db.run('PRAGMA foreign_keys = OFF')
  rows = new PasskeyRows(new SqliteDatabase(db, async () => undefined))
})
afterEach(() => {
  db.close()
  folder.remove()
})

test('a passkey is stored as it is, and an id once', async () => {
  expect(await rows.insert(PASSKEY)).toBe(true)
  expect(await rows.find('one')).toEqual(PASSKEY)
  expect(await rows.insert({ ...PASSKEY, userId: 2 })).toBe(false)
  expect((await rows.find('one'))?.userId).toBe(1)
})

test('a counter only increases, unless the device does not count', async () => {
  await rows.insert(PASSKEY)
  expect(await rows.use('one', 0, true)).toBe(true)
  expect(await rows.use('one', 0, true)).toBe(true)
  expect(await rows.use('one', 3, true)).toBe(true)
  for (const counter of [3, 2, 0]) expect(await rows.use('one', counter, true)).toBe(false)
  expect(await rows.find('one')).toMatchObject({ counter: 3, isSynced: true })
  expect(await rows.use('two', 1, false)).toBe(false)
})

test('a challenge is claimed once, and forgotten after its end', async () => {
  const laterMs = Date.now() + 60_000
  expect(await rows.claimChallenge('a', laterMs)).toBe(true)
  expect(await rows.claimChallenge('a', laterMs)).toBe(false)
  expect(await rows.claimChallenge('b', 1)).toBe(true)
  expect(await rows.claimChallenge('c', laterMs)).toBe(true)
  expect(db.query('SELECT id FROM used_challenges ORDER BY id').all()).toEqual([
    { id: 'a' },
    { id: 'c' },
  ])
})
