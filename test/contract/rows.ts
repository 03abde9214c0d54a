/**
 * The tests that every database must pass: the contract in the comments of `server/db/database.ts`, and the statements of
 * all rows.
 */
import { afterEach, beforeEach, describe } from 'bun:test'
import { describeAccountRows } from './rows/accounts.ts'
import { describeAuditRows } from './rows/audit.ts'
import type { Given, RowsFixture } from './rows/fixture.ts'
import { describeIdentityRows } from './rows/identities.ts'
import { describeJobRows } from './rows/jobs.ts'
import { describeJournalRows } from './rows/journal.ts'
import { describeJournalLimits } from './rows/journal-limits.ts'
import { describeShareRows } from './rows/shares.ts'
import { describeStatements } from './rows/statements.ts'
import { describeTransactions } from './rows/transactions.ts'
import { describeTrashRows } from './rows/trash.ts'
import { describeTrashLimits } from './rows/trash-limits.ts'
import { describeUploadRows } from './rows/uploads.ts'

/**
 * Declares the tests for one driver.
 *
 * @param open called before each test
 * @param isSkipped declares tests that do not run
 */
export function describeRows(
  name: string,
  open: () => Promise<RowsFixture>,
  { isSkipped = false } = {},
): void {
  describe.skipIf(isSkipped)(`${name} stores rows`, () => {
    let fixture: RowsFixture | undefined
    beforeEach(async () => {
      fixture = await open()
    })
    afterEach(async () => {
      await fixture?.close()
    })
    const present = () => {
      if (!fixture) throw new Error('There is no database outside of a test.')
      return fixture
    }
    const given: Given = {
      get db() {
        return present().db
      },
      openOther: () => present().openOther(),
    }
    describeStatements(given)
    describeTransactions(given)
    describeAccountRows(given)
    describeIdentityRows(given)
    describeShareRows(given)
    describeAuditRows(given)
    describeUploadRows(given)
    describeJobRows(given)
    describeJournalRows(given)
    describeJournalLimits(given)
    describeTrashRows(given)
    describeTrashLimits(given)
  })
}
