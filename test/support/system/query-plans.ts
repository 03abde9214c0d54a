/** How SQLite carries queries out: a query on the thread that serves requests must not read or sort a whole table. */
import type { Database, Statement, Values } from '#server/db/database.ts'

/** @returns the same database, which also adds the plan of each query to `plans` */
export function planned(of: Database, plans: string[]): Database {
  const explain = async (sql: string) => {
    const details = await of.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all()
    plans.push(...details.map(({ detail }) => detail))
  }
  return {
    query<Row, Bound extends Values>(sql: string): Statement<Row, Bound> {
      const statement = of.query<Row, Bound>(sql)
      return {
        get: (...values) => explain(sql).then(() => statement.get(...values)),
        all: (...values) => explain(sql).then(() => statement.all(...values)),
        run: (...values) => explain(sql).then(() => statement.run(...values)),
      }
    },
    transaction: (work) => of.transaction(work),
    withFiles: (work) => of.withFiles(work),
    lazily: (work, options) => of.lazily(work, options),
    writesTo: (...tables) => of.writesTo(...tables),
    outsideVersion: (rows) => of.outsideVersion(rows),
  }
}
