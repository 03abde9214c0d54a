/** Whose jobs another process has changed. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { JobWatch } from '#server/db/rows/job-watch.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { insertUsers } from '../../../support/storage/user-rows.ts'

let folder: ReturnType<typeof temporaryFolder>
let own: ReturnType<typeof openDatabase>
let other: ReturnType<typeof openDatabase>
let watch: JobWatch
beforeEach(async () => {
  folder = temporaryFolder()
  own = openDatabase(join(folder.path, 'f.db'))
  other = openDatabase(join(folder.path, 'f.db'))
  insertUsers(own, 1, 2)
  for (const user of [1, 2]) {
    other.exec(
      `INSERT INTO jobs (id, root, writer, user_id, session, client, scope, kind, target, state, made_ms, is_partial)
       VALUES (${user}, '/srv', 'w', ${user}, '', 'api', '/', 'copy', '/', 'running', 1, 0)`,
    )
  }
  watch = new JobWatch(new SqliteDatabase(own, async () => undefined))
  await watch.changedUsers('/srv')
})
afterEach(() => {
  own.close()
  other.close()
  folder.remove()
})

/** Other writes are seen from the next turn of the event loop on. */
const changed = async () => {
  await new Promise(setImmediate)
  return watch.changedUsers('/srv')
}

test('only users whose jobs another process has changed are reported, once', async () => {
  expect(await changed()).toEqual([])
  other.exec("UPDATE jobs SET state = 'paused' WHERE id = 2")
  expect(await changed()).toEqual([2])
  expect(await changed()).toEqual([])
  other.exec('DELETE FROM jobs WHERE id = 1')
  expect(await changed()).toEqual([1])
  other.exec("UPDATE jobs SET root = '/other' WHERE id = 2")
  expect(await changed()).toEqual([2])
})

test('each item that begins or ends is a change', async () => {
  other.exec(
    `INSERT INTO job_items (job, path, target, decision, copy_name, state, files, bytes)
     VALUES (1, '/a', '/b', '', '', 'waiting', 1, 1)`,
  )
  await changed()
  other.exec("UPDATE job_items SET state = 'running' WHERE job = 1")
  expect(await changed()).toEqual([1])
})
