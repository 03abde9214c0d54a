/** The tables in PostgreSQL are those of SQLite, whichever version they are upgraded from. */
import { Database as Connection } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MIGRATIONS, NEEDED_STEPS } from '#server/db/migrations.ts'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import {
  ADDITIONS,
  ADDITIONS_DIGEST,
  ADDITIONS_NUMBER,
  toPostgres,
} from '#server/db/postgres/schema.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'

/** Tables that only PostgreSQL has. */
const OWN_TABLES = ['schema_version', 'noted_changes', 'outbox', 'running_attempts', 'servers']
const OWN_TRIGGERS = ['note_change', 'note_deletion', 'note_truncation', 'move_user_ids']

/** Sorted lines, one for each column, key, index and trigger. */
interface Schema {
  columns: string[]
  keys: string[]
  indexes: string[]
  triggers: string[]
}

function schemaOfSqlite(): Schema {
  using db = new Connection(':memory:')
  for (const step of MIGRATIONS) db.exec(step)
  const lines = (sql: string) => db.query(sql).values().flat().map(String).toSorted()
  const tables = `FROM sqlite_schema AS t`
  return {
    columns: lines(
      `SELECT t.name || '.' || c.name || ' ' || c.type || iif(c."notnull" OR c.pk, ' required', '')
         || iif(c.dflt_value IS NULL, '', ' = ' || c.dflt_value)
       ${tables}, pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
    ),
    keys: [
      ...lines(
        `SELECT t.name || ' key ' || group_concat(c.name, ',' ORDER BY c.pk)
         ${tables}, pragma_table_info(t.name) AS c WHERE t.type = 'table' AND c.pk > 0
           AND t.name NOT LIKE 'sqlite_%' GROUP BY t.name`,
      ),
      ...lines(
        `SELECT t.name || ' unique ' || (SELECT group_concat(name, ',' ORDER BY seqno) FROM pragma_index_info(i.name))
         ${tables}, pragma_index_list(t.name) AS i WHERE t.type = 'table' AND i.origin = 'u'`,
      ),
      ...lines(
        `SELECT t.name || '.' || f."from" || ' of ' || f."table" || ' ' || lower(f.on_delete)
         ${tables}, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table'`,
      ),
    ],
    indexes: lines(
      "SELECT name || ' of ' || tbl_name FROM sqlite_schema WHERE sql LIKE 'CREATE INDEX%'",
    ),
    triggers: lines("SELECT name || ' of ' || tbl_name FROM sqlite_schema WHERE type = 'trigger'"),
  }
}

async function schemaOfPostgres(server: TestPostgres, url: string): Promise<Schema> {
  const lines = async (sql: string) =>
    (await server.run(url, sql)).map(({ line }) => String(line)).toSorted()
  const isShared = (table: string) => `${table} NOT IN ('${OWN_TABLES.join("', '")}')`
  const columnsOf = (key: string) =>
    `(SELECT string_agg(a.attname, ',' ORDER BY array_position(${key}, a.attnum)) FROM pg_attribute a
      WHERE a.attrelid = k.conrelid AND a.attnum = ANY (${key}))`
  const keys = (kind: string, name: string) =>
    lines(
      `SELECT conrelid::regclass || ' ${name} ' || ${columnsOf('k.conkey')} AS line FROM pg_constraint k
       WHERE contype = '${kind}' AND connamespace = 'public'::regnamespace AND ${isShared('conrelid::regclass::text')}`,
    )
  return {
    columns: await lines(
      `SELECT table_name || '.' || column_name || ' '
         || CASE data_type WHEN 'bigint' THEN 'INTEGER' WHEN 'text' THEN 'TEXT' WHEN 'bytea' THEN 'BLOB' ELSE data_type END
         || CASE WHEN data_type = 'text' AND collation_name IS DISTINCT FROM 'C' THEN ' without order' ELSE '' END
         || CASE is_nullable WHEN 'NO' THEN ' required' ELSE '' END
         || coalesce(' = ' || replace(regexp_replace(column_default, '::(text|bigint|integer)', ''), '''-1''', '-1'), '') AS line
       FROM information_schema.columns WHERE table_schema = 'public' AND ${isShared('table_name')}`,
    ),
    keys: [
      ...(await keys('p', 'key')),
      ...(await keys('u', 'unique')),
      ...(await lines(
        `SELECT conrelid::regclass || '.' || ${columnsOf('k.conkey')} || ' of ' || confrelid::regclass || ' '
           || CASE confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' ELSE confdeltype::text END AS line
         FROM pg_constraint k WHERE contype = 'f'`,
      )),
    ],
    indexes: await lines(
      `SELECT indexname || ' of ' || tablename AS line FROM pg_indexes i WHERE schemaname = 'public' AND ${isShared('tablename')}
         AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname)`,
    ),
    triggers: await lines(
      `SELECT DISTINCT trigger_name || ' of ' || event_object_table AS line FROM information_schema.triggers
       WHERE trigger_name NOT IN ('${OWN_TRIGGERS.join("', '")}')`,
    ),
  }
}

test('steps that earlier programs need not know only add, with defaults', () => {
  const statements = MIGRATIONS.slice(NEEDED_STEPS).flatMap(toPostgres)
  const takes = /\b(DROP (TABLE|COLUMN)|RENAME|CREATE UNIQUE INDEX|ADD COLUMN(?!.* DEFAULT ))/
  expect(statements.filter((statement) => takes.test(statement))).toEqual([])
  expect(NEEDED_STEPS).toBeLessThanOrEqual(MIGRATIONS.length)
})

test('what is beside the steps has another number when it has changed', () => {
  expect([ADDITIONS_NUMBER, ADDITIONS_DIGEST.slice(0, 16)]).toEqual([1, '9319588c747218d9'])
})

describe.skipIf(postgresMissing() !== undefined)('the schema', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())
  const open = (url: string) => openPostgres({ url, password: POSTGRES_PASSWORD })

  test('has the same tables, columns, keys, indexes and triggers', async () => {
    const url = await server.create()
    await (await open(url)).close()
    expect(await schemaOfPostgres(server, url)).toEqual(schemaOfSqlite())
  })

  test('is the same if an older database is upgraded, and its rows stay', async () => {
    const [url, older] = [await server.create(), 12]
    const steps = [...MIGRATIONS.slice(0, older).flatMap(toPostgres)]
    const version = `CREATE TABLE schema_version (version BIGINT NOT NULL); INSERT INTO schema_version VALUES (${older})`
    for (const statement of [...steps, version]) await server.run(url, statement)
    await server.run(url, "INSERT INTO settings (key, value) VALUES ('kept', '1')")
    await (await open(url)).close()
    await (await open(url)).close()
    expect(await schemaOfPostgres(server, url)).toEqual(schemaOfSqlite())
    expect(await server.run(url, 'SELECT key FROM settings')).toMatchObject([{ key: 'kept' }])
    for (const statement of ADDITIONS) await server.run(url, statement)
  })

  test('gets what another version has beside the steps', async () => {
    const url = await server.create()
    await (await open(url)).close()
    await server.run(url, "DROP TABLE servers; UPDATE schema_version SET digest = 'another'")
    await (await open(url)).close()
    expect(await server.run(url, 'SELECT count(*)::int AS count FROM servers')).toEqual([
      { count: 0 },
    ])
  })

  test('is created once by processes that start at the same time', async () => {
    const url = await server.create()
    const opened = await Promise.all([open(url), open(url), open(url)])
    for (const db of opened) await db.close()
    expect(
      await server.run(url, 'SELECT count(*)::int AS count FROM schema_version'),
    ).toMatchObject([{ count: 1 }])
  })
})
