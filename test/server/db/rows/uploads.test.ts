/** When the rows of new uploads are written. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import { UploadRows } from '#server/db/rows/uploads.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { until } from '../../../support/server/broken-connection.ts'
import { insertUsers } from '../../../support/storage/user-rows.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: ReturnType<typeof openDatabase>
let data: SqliteDatabase
let uploads: UploadRows
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  data = new SqliteDatabase(db, async () => undefined)
  uploads = new UploadRows(data)
  insertUsers(db, 1)
})
afterEach(async () => {
  // Otherwise the timer of uploads without a row would write to a closed database, again and again.
  await uploads.writeRows()
  db.close()
  folder.remove()
})

/** A new upload, of which no bytes have arrived. */
const upload = (name: string): StoredUpload => ({
  id: name,
  root: '/served',
  userId: 1,
  path: parsePath(`/${name}`),
  overwrite: false,
  sizeBytes: 5,
  metadata: {},
  createdMs: 1,
  touchedMs: 1,
  isPathAmbiguous: false,
  hasPublicationBegun: false,
  unverifiedFrom: undefined,
  session: 'mine',
  published: '',
  holder: '',
})
const publication = (touchedMs: number) => ({ touchedMs, session: 'other', published: 'mark' })
const stored = () =>
  db
    .query<{ id: string; handed_over: number; touched_ms: number }, []>('SELECT * FROM uploads')
    .all()
    .map(({ id, handed_over, touched_ms }) => [id, handed_over, touched_ms])

test('a new upload is found and counted before it has a row', async () => {
  await uploads.insert(upload('new'))
  expect(stored()).toEqual([])
  expect(await uploads.find('new')).toEqual(upload('new'))
  expect(await uploads.findByPath('/served', 1, upload('new').path)).toEqual(upload('new'))
  expect(await uploads.findByPath('/other', 1, upload('new').path)).toBeUndefined()
  expect(await uploads.findByPath('/served', 2, upload('new').path)).toBeUndefined()
  expect(await uploads.countUnfinished(1)).toEqual({ ofUser: 1, all: 1 })
  expect(await uploads.countUnfinished(2)).toEqual({ ofUser: 0, all: 1 })
})

test('a new upload of more than a MiB gets its row at once', async () => {
  await uploads.insert({ ...upload('small'), sizeBytes: 2 ** 20 })
  expect(stored()).toEqual([])
  await uploads.insert({ ...upload('large'), sizeBytes: 2 ** 20 + 1 })
  expect(stored()).toEqual([['large', 0, 1]])
})

test('a new upload gets its row after a while, also if the first attempt fails', async () => {
  db.exec('ALTER TABLE uploads RENAME TO hidden')
  const attempts = spyOn(data, 'lazily')
  await uploads.insert(upload('new'))
  await until(() => attempts.mock.results.length > 0)
  await expect(attempts.mock.results[0]?.value).rejects.toThrow('no such table')
  db.exec('ALTER TABLE hidden RENAME TO uploads')
  await until(async () => stored().length === 1)
  expect(await uploads.find('new')).toEqual(upload('new'))
  expect(await uploads.countUnfinished(1)).toEqual({ ofUser: 1, all: 1 })
})

test('a new upload gets its row with the first change that must last', async () => {
  for (const name of ['touched', 'unverified', 'published']) {
    await uploads.insert(upload(name))
    expect(await uploads.find(name)).toEqual(upload(name))
    if (name === 'touched') await uploads.touch(name, 2)
    if (name === 'unverified') await uploads.setUnverifiedFrom(name, 3)
    if (name === 'published')
      expect(await uploads.beginPublication(name, publication(3))).toBe(true)
  }
  expect(stored()).toEqual([
    ['touched', 0, 2],
    ['unverified', 0, 1],
    ['published', 1, 3],
  ])
  expect((await uploads.find('unverified'))?.unverifiedFrom).toBe(3)
  expect((await uploads.find('touched'))?.unverifiedFrom).toBeUndefined()
  expect(await uploads.countUnfinished(1)).toEqual({ ofUser: 2, all: 2 })
  await uploads.setUnverifiedFrom('unverified', undefined)
  expect((await uploads.find('unverified'))?.unverifiedFrom).toBeUndefined()
})

test('an upload has the session and the file of its publication, whether it had a row before or not', async () => {
  await uploads.insert({ ...upload('large'), sizeBytes: 2 ** 20 + 1 })
  await uploads.insert(upload('small'))
  expect(await uploads.find('large')).toMatchObject({ session: 'mine', published: '' })
  for (const name of ['large', 'small']) {
    await uploads.beginPublication(name, publication(2))
    expect(await uploads.find(name)).toMatchObject({ ...publication(2), hasPublicationBegun: true })
    await uploads.setPublished(name, 'version')
    expect((await uploads.find(name))?.published).toBe('version')
  }
})

test('a new upload that is cancelled never has a row', async () => {
  await uploads.insert(upload('cancelled'))
  await uploads.remove('cancelled')
  await uploads.writeRows()
  expect([stored(), await uploads.find('cancelled')]).toEqual([[], undefined])
})

test('a new upload of a user who was removed is forgotten', async () => {
  await uploads.insert(upload('begun'))
  await uploads.insert(upload('complete'))
  db.exec('DELETE FROM users')
  expect(await uploads.beginPublication('complete', publication(2))).toBe(false)
  await uploads.writeRows()
  expect([stored(), await uploads.find('begun'), await uploads.find('complete')]).toEqual([
    [],
    undefined,
    undefined,
  ])
})

test('at most a hundred new uploads have no row', async () => {
  for (let number = 0; number < 100; number += 1) await uploads.insert(upload(`${number}`))
  expect(stored().length).toBe(0)
  await uploads.insert(upload('one more'))
  expect(stored().length).toBe(100)
  expect(await uploads.countUnfinished(1)).toEqual({ ofUser: 101, all: 101 })
})
