/** The audit log is read from the newest record on, whatever it holds. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { AuditRows } from '#server/db/rows/audit.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { planned } from '../../../support/system/query-plans.ts'

test.each([
  ['all users', {}],
  ['one user', { userId: 1 }],
])('the records of %s are not sorted', async (_, filter) => {
  const folder = temporaryFolder()
  const db = openDatabase(join(folder.path, 'f.db'))
  const plans: string[] = []
  const rows = new AuditRows(planned(new SqliteDatabase(db, async () => undefined), plans))
  await rows.find(filter, 10, Number.MAX_SAFE_INTEGER)
  db.close()
  folder.remove()
  const read = plans.findIndex((step) => /^(?:SCAN|SEARCH) audit USING INDEX/.test(step))
  expect(read, plans.join('\n')).toBeGreaterThanOrEqual(0)
  // Only the page that was read is sorted, for its sums.
  expect(plans[read + 1], plans.join('\n')).not.toContain('TEMP B-TREE')
})
