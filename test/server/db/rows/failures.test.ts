/** The rows of the counters of failed sign-ins. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { FailureRows, type StoredFailures } from '#server/db/rows/failures.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

const MAX = 20

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let rows: FailureRows
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  rows = new FailureRows(db, (work) => db.transaction(work).immediate())
})
afterEach(() => {
  db.close()
  folder.remove()
})

function put(key: string, lastMs: number, waitMs = 0): void {
  const counter: StoredFailures = {
    count: 1,
    countedMs: lastMs,
    blockedUntilMs: lastMs + waitMs,
    lastMs,
  }
  rows.change(key, () => counter, { beforeMs: 100, max: MAX })
}

test('a counter is changed from what is stored', () => {
  put('key', 1000, 5)
  rows.change('key', (known) => ({ ...(known as StoredFailures), count: 7 }), {
    beforeMs: 0,
    max: MAX,
  })
  expect(rows.find('key')).toEqual({
    count: 7,
    countedMs: 1000,
    blockedUntilMs: 1005,
    lastMs: 1000,
  })
  rows.remove('key')
  expect(rows.find('key')).toBeUndefined()
})

test('invented names remove no counter that causes a wait, and old counters are removed @limit-76', () => {
  put('old', 50, 5)
  put('waits', 200, 5)
  for (let number = 0; number < 200; number += 1) put(`invented ${number}`, 300 + number)
  expect(rows.find('waits')?.count).toBe(1)
  expect(rows.find('old')).toBeUndefined()
  expect(rows.find('invented 0')).toBeUndefined()
  expect(rows.find('invented 199')?.count).toBe(1)
})
