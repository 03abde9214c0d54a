/** The rows in a PostgreSQL database. */
import { afterAll, beforeAll } from 'bun:test'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import type { PostgresDatabase } from '#server/db/postgres/postgres-database.ts'
import { describeRows } from '../../contract/rows.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'

const isSkipped = postgresMissing() !== undefined
let server: TestPostgres | undefined
let url = ''
beforeAll(async () => {
  if (isSkipped) return
  server = await startPostgres()
  url = await server.create()
})
afterAll(() => server?.remove())

/** Empties all tables, which TRUNCATE does much more slowly. Ids begin with 1 again, as in a new database. */
const EMPTY = `DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('schema_version', 'noted_changes')
    LOOP EXECUTE 'DELETE FROM ' || quote_ident(name); END LOOP;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'
    LOOP PERFORM setval(name, 1, false); END LOOP;
  END $$`

describeRows(
  'PostgreSQL',
  async () => {
    const opened: PostgresDatabase[] = []
    const openOther = async () => {
      const db = await openPostgres({ url, password: POSTGRES_PASSWORD })
      opened.push(db)
      return db
    }
    const db = await openOther()
    await server?.run(url, EMPTY)
    return {
      db,
      openOther,
      close: async () => {
        for (const one of opened) await one.close()
      },
    }
  },
  { isSkipped },
)
