/** The check whether the database can be written. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { SettingRows } from '#server/db/rows/settings.ts'
import { WriteCheck } from '#server/db/rows/write-check.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let data: SqliteDatabase
let flushes: number
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  flushes = 0
  data = new SqliteDatabase(db, async () => {
    flushes += 1
  })
})
afterEach(async () => {
  setSystemTime()
  await data.close()
  folder.remove()
})

const check = () => new WriteCheck(new SettingRows(data), data)

test('each check writes and waits for the flush', async () => {
  await check().run()
  setSystemTime(new Date(Date.now() + 5))
  await check().run()
  expect(flushes).toBe(2)
})

test('a database that can only be read is refused with the reason', async () => {
  db.exec('PRAGMA query_only = ON')
  await expect(check().run()).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database can only be read.',
  })
})

test('callers within a second share one write and its result', async () => {
  const [shared, now] = [check(), Date.now()]
  setSystemTime(new Date(now))
  await Promise.all([shared.run(), shared.run(), shared.run()])
  setSystemTime(new Date(now + 999))
  await shared.run()
  expect(flushes).toBe(1)
  setSystemTime(new Date(now + 1000))
  await shared.run()
  expect(flushes).toBe(2)
})
