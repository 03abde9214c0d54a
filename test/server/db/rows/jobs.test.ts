/** Rows of ended jobs: how long they are kept, and how many. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { NO_FAILURE } from '#server/db/rows/job-rows.ts'
import { JobRows } from '#server/db/rows/jobs.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import type { JobState } from '#wire/api/jobs.ts'
import { ROOT } from '#wire/paths.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { insertUsers } from '../../../support/storage/user-rows.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: ReturnType<typeof openDatabase>
let rows: JobRows
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  rows = new JobRows(new SqliteDatabase(db, async () => undefined))
  insertUsers(db, 1, 2)
})
afterEach(() => {
  db.close()
  folder.remove()
})

async function job(userId: number, state: JobState, endedMs: number): Promise<number> {
  const id = await rows.insert(
    {
      root: '/srv',
      writer: 'w',
      userId,
      session: '',
      client: 'api',
      scope: ROOT,
      kind: 'copy',
      to: ROOT,
      source: '',
      state: 'waiting',
      madeMs: 1,
      isPartial: false,
    },
    [],
  )
  await rows.setState(id, state, NO_FAILURE, endedMs)
  return id
}
const kept = async () => (await rows.list('/srv', undefined, 100)).map(({ id }) => id)

test('old ended jobs and the oldest ended jobs beyond the number of a user are deleted, and unfinished jobs never @limit-77', async () => {
  const old = await job(1, 'done', 10)
  const paused = await job(1, 'paused', 0)
  const withLeftovers = await job(1, 'cancelled', 0)
  const [first, second] = [await job(1, 'done', 100), await job(1, 'failed', 100)]
  const other = await job(2, 'done', 100)
  await rows.deleteOld('/srv', 50, 100)
  expect(await kept()).toEqual([other, second, first, withLeftovers, paused])
  expect(await kept()).not.toContain(old)
  await rows.deleteOld('/srv', 50, 1)
  expect(await kept()).toEqual([other, second, withLeftovers, paused])
})

test('removing a user removes the user’s jobs', async () => {
  const other = await job(2, 'done', 100)
  await job(1, 'running', 0)
  db.query('DELETE FROM users WHERE id = 1').run()
  expect(await kept()).toEqual([other])
})
