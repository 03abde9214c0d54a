/** The list of changes is read from the newest on, whatever the journal holds. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { JournalRows } from '#server/db/rows/journal.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { planned } from '../../../support/system/query-plans.ts'

test.each([
  ['all users', {}],
  ['one user', { userId: 1 }],
  ['one session', { userId: 1, session: 'a' }],
])('the list of %s sorts nothing', async (_, filter) => {
  const folder = temporaryFolder()
  const db = openDatabase(join(folder.path, 'f.db'))
  const plans: string[] = []
  const data = planned(new SqliteDatabase(db, async () => undefined), plans)
  await new JournalRows(data).list({ root: '/served', ...filter }, 10)
  db.close()
  folder.remove()
  expect(plans).toHaveLength(1)
  expect(plans[0]).toMatch(/^(SCAN|SEARCH) journal/)
})
