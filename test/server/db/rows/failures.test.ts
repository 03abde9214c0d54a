/** The rows of the counters of failed sign-ins. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { FailureRows, type StoredFailures } from '#server/db/rows/failures.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

const MAX = 20

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let rows: FailureRows
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  rows = new FailureRows(new SqliteDatabase(db, async () => undefined))
})
afterEach(() => {
  db.close()
  folder.remove()
})

async function put(key: string, lastMs: number, waitMs = 0): Promise<void> {
  const counter: StoredFailures = {
    count: 1,
    countedMs: lastMs,
    blockedUntilMs: lastMs + waitMs,
    lastMs,
  }
  await rows.change(key, () => counter, { beforeMs: 100, max: MAX })
}

test('a counter is changed from what is stored', async () => {
  await put('key', 1000, 5)
  await rows.change('key', (known) => ({ ...(known as StoredFailures), count: 7 }), {
    beforeMs: 0,
    max: MAX,
  })
  expect(await rows.find('key')).toEqual({
    count: 7,
    countedMs: 1000,
    blockedUntilMs: 1005,
    lastMs: 1000,
  })
  await rows.remove('key')
  expect(await rows.find('key')).toBeUndefined()
})

test('invented names remove no counter that causes a wait, and old counters are removed @limit-76', async () => {
  await put('old', 50, 5)
  await put('waits', 200, 5)
  for (let number = 0; number < 200; number += 1) await put(`invented ${number}`, 300 + number)
  expect((await rows.find('waits'))?.count).toBe(1)
  expect(await rows.find('old')).toBeUndefined()
  expect(await rows.find('invented 0')).toBeUndefined()
  expect((await rows.find('invented 199'))?.count).toBe(1)
})
