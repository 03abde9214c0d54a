/** How SQLite carries queries out: a query on the thread that serves requests must not read or sort a whole table. */
import type { Database } from 'bun:sqlite'

/** @returns the same database, which also adds the plan of each query to `plans` */
export function planned(of: Database, plans: string[]): Database {
  return new Proxy(of, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return (sql: string) => {
        const details = target.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all()
        plans.push(...details.map(({ detail }) => detail))
        return target.query(sql)
      }
    },
  })
}
