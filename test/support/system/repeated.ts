/** A database on which each transaction is rolled back once and then runs again, as after a conflict with another one. */
import type { Database, Statement, Values } from '#server/db/database.ts'

/** @returns the same database with transactions whose work runs twice */
export function repeated(of: Database): Database {
  return {
    query<Row, Bound extends Values>(sql: string): Statement<Row, Bound> {
      return of.query<Row, Bound>(sql)
    },
    transaction: (work) => twice((run) => of.transaction(run), work),
    withFiles: (work) => twice((run) => of.withFiles(run), work),
    lazily: (work, options) => twice((run) => of.lazily(run, options), work),
    writesTo: (...tables) => of.writesTo(...tables),
    outsideVersion: (rows) => of.outsideVersion(rows),
  }
}

const CONFLICT = Symbol('conflict')

async function twice<T>(
  transaction: (work: () => Promise<T>) => Promise<T>,
  work: () => Promise<T>,
): Promise<T> {
  const first = transaction(async () => {
    await work().catch(() => undefined)
    throw CONFLICT
  })
  await first.catch((error) => {
    if (error !== CONFLICT) throw error
  })
  return transaction(work)
}
