/** When the rows of new uploads are written. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { Commits } from '#server/db/commits.ts'
import { openDatabase } from '#server/db/open.ts'
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import { UploadRows } from '#server/db/rows/uploads.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { until } from '../../../support/server/broken-connection.ts'
import { insertUsers } from '../../../support/storage/user-rows.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: ReturnType<typeof openDatabase>
let commits: Commits
let uploads: UploadRows
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  commits = new Commits(db, async () => undefined)
  uploads = new UploadRows(db, commits)
  insertUsers(db, 1)
})
afterEach(() => {
  // Otherwise the timer of uploads without a row would write to a closed database, again and again.
  uploads.writeRows()
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

test('a new upload is found and counted before it has a row', () => {
  uploads.insert(upload('new'))
  expect(stored()).toEqual([])
  expect(uploads.find('new')).toEqual(upload('new'))
  expect(uploads.findByPath('/served', 1, upload('new').path)).toEqual(upload('new'))
  expect(uploads.findByPath('/other', 1, upload('new').path)).toBeUndefined()
  expect(uploads.findByPath('/served', 2, upload('new').path)).toBeUndefined()
  expect(uploads.countUnfinished(1)).toEqual({ ofUser: 1, all: 1 })
  expect(uploads.countUnfinished(2)).toEqual({ ofUser: 0, all: 1 })
})

test('a new upload of more than a MiB gets its row at once', () => {
  uploads.insert({ ...upload('small'), sizeBytes: 2 ** 20 })
  expect(stored()).toEqual([])
  uploads.insert({ ...upload('large'), sizeBytes: 2 ** 20 + 1 })
  expect(stored()).toEqual([['large', 0, 1]])
})

test('a new upload gets its row after a while, also if the first attempt fails', async () => {
  db.exec('ALTER TABLE uploads RENAME TO hidden')
  const attempts = spyOn(commits, 'writeNow')
  uploads.insert(upload('new'))
  await until(() => attempts.mock.results.some(({ type }) => type === 'throw'))
  db.exec('ALTER TABLE hidden RENAME TO uploads')
  await until(async () => stored().length === 1)
  expect(uploads.find('new')).toEqual(upload('new'))
  expect(uploads.countUnfinished(1)).toEqual({ ofUser: 1, all: 1 })
})

test('a new upload gets its row with the first change that must last', async () => {
  for (const name of ['touched', 'unverified', 'published']) {
    uploads.insert(upload(name))
    expect(uploads.find(name)).toEqual(upload(name))
    if (name === 'touched') uploads.touch(name, 2)
    if (name === 'unverified') await uploads.setUnverifiedFrom(name, 3)
    if (name === 'published') expect(uploads.beginPublication(name, publication(3))).toBe(true)
  }
  expect(stored()).toEqual([
    ['touched', 0, 2],
    ['unverified', 0, 1],
    ['published', 1, 3],
  ])
  expect(uploads.find('unverified')?.unverifiedFrom).toBe(3)
  expect(uploads.find('touched')?.unverifiedFrom).toBeUndefined()
  expect(uploads.countUnfinished(1)).toEqual({ ofUser: 2, all: 2 })
  await uploads.setUnverifiedFrom('unverified', undefined)
  expect(uploads.find('unverified')?.unverifiedFrom).toBeUndefined()
})

test('an upload has the session and the file of its publication, whether it had a row before or not', async () => {
  uploads.insert({ ...upload('large'), sizeBytes: 2 ** 20 + 1 })
  uploads.insert(upload('small'))
  expect(uploads.find('large')).toMatchObject({ session: 'mine', published: '' })
  for (const name of ['large', 'small']) {
    uploads.beginPublication(name, publication(2))
    expect(uploads.find(name)).toMatchObject({ ...publication(2), hasPublicationBegun: true })
    await uploads.setPublished(name, 'version')
    expect(uploads.find(name)?.published).toBe('version')
  }
})

test('a new upload that is cancelled never has a row', () => {
  uploads.insert(upload('cancelled'))
  uploads.remove('cancelled')
  uploads.writeRows()
  expect([stored(), uploads.find('cancelled')]).toEqual([[], undefined])
})

test('a new upload of a user who was removed is forgotten', () => {
  uploads.insert(upload('begun'))
  uploads.insert(upload('complete'))
  db.exec('DELETE FROM users')
  expect(uploads.beginPublication('complete', publication(2))).toBe(false)
  uploads.writeRows()
  expect([stored(), uploads.find('begun'), uploads.find('complete')]).toEqual([
    [],
    undefined,
    undefined,
  ])
})

test('at most a hundred new uploads have no row', () => {
  for (let number = 0; number < 100; number += 1) uploads.insert(upload(`${number}`))
  expect(stored().length).toBe(0)
  uploads.insert(upload('one more'))
  expect(stored().length).toBe(100)
  expect(uploads.countUnfinished(1)).toEqual({ ofUser: 101, all: 101 })
})
