/** A database of a PostgreSQL server as the source or the target of a copy. */
import { randomBytes } from 'node:crypto'
import type { ReservedSQL } from 'bun'
import { Fault } from '#wire/fault.ts'
import {
  databaseName,
  type PostgresAddress,
  PROCESS_PREFIX,
  poolOf,
} from '../postgres/connection.ts'
import { PostgresError, toPostgresError } from '../postgres/errors.ts'
import { openPostgres } from '../postgres/open-postgres.ts'
import { toValue, WRITER_LOCK } from '../postgres/postgres-database.ts'
import { BATCH_ROWS, type RowOfValues, type RowSource, type RowTarget } from './copy-rows.ts'
import { allTables, type CopiedTable, selectAll } from './tables.ts'

/**
 * Runs work that reads the rows of one moment.
 *
 * @param options `isAlone`: other programs write nothing until the work has ended
 * @throws Fault locked (a server uses the database, and the work must be alone); as `openPostgres`; errors of the work
 */
export function fromServer<T>(
  address: PostgresAddress,
  work: (from: RowSource) => Promise<T>,
  { isAlone }: { isAlone: boolean },
): Promise<T> {
  return withConnection(address, { isAlone }, async (connection) => {
    await connection.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await work(sourceOf(connection))
  })
}

const EMPTY_ADVICE = 'Create an empty database, and name that one.'

/**
 * Runs work that writes the rows of a database, all or none. Other programs write nothing during it.
 *
 * @param options `replaces`: rows that are there are deleted; `advice`: what to do if there are rows
 * @throws Fault conflict (there are rows), locked (a server uses the database), badRequest (a text that cannot be
 *   stored); as `openPostgres`; errors of the work
 */
export function toServer<T>(
  address: PostgresAddress,
  work: (to: RowTarget) => Promise<T>,
  { replaces = false, advice = EMPTY_ADVICE }: { replaces?: boolean; advice?: string } = {},
): Promise<T> {
  return withConnection(address, { isAlone: true }, async (connection) => {
    await connection.unsafe('BEGIN')
    const tables = allTables().map(({ name }) => name)
    if (replaces) await connection.unsafe(`TRUNCATE ${tables.join(', ')}`)
    else
      await refuseRows(
        connection,
        tables,
        `${databaseName(address.url)} has rows already. ${advice}`,
      )
    // What triggers do has been done already, where the rows come from.
    for (const name of tables) await connection.unsafe(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
    const result = await work(targetOf(connection))
    for (const name of tables) await connection.unsafe(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
    await connection.unsafe('COMMIT')
    return result
  })
}

/** Opens one connection, whose transaction is rolled back if the work has not committed it. */
async function withConnection<T>(
  address: PostgresAddress,
  { isAlone }: { isAlone: boolean },
  work: (connection: ReservedSQL) => Promise<T>,
): Promise<T> {
  // Columns of a newer version would be lost.
  await (await openPostgres(address, { isExact: true })).close()
  const pool = poolOf(address, PROCESS_PREFIX + randomBytes(8).toString('hex'))
  try {
    const connection = await pool.reserve()
    await connection.unsafe(
      'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0',
    )
    if (isAlone) await lockOut(connection, address)
    return await work(connection)
  } catch (error) {
    throw faultOf(error)
  } finally {
    await pool.close({ timeout: 0 })
  }
}

/** Connections that have just been closed are listed for a moment. */
const ENDED_WITHIN_MS = 3000
const LOOK_EVERY_MS = 100

/** Keeps other programs from writing until the connection ends. @throws Fault locked */
async function lockOut(connection: ReservedSQL, { url }: PostgresAddress): Promise<void> {
  const endMs = performance.now() + ENDED_WITHIN_MS
  for (;;) {
    const [others] = await connection.unsafe(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database()
         AND application_name LIKE '${PROCESS_PREFIX}%' AND application_name <> current_setting('application_name')`,
    )
    if (others?.count === 0) break
    if (performance.now() > endMs) {
      throw new Fault(
        'locked',
        `A server is using the database ${databaseName(url)}. Stop the server first.`,
      )
    }
    await Bun.sleep(LOOK_EVERY_MS)
  }
  await connection.unsafe(`SELECT pg_advisory_lock(${WRITER_LOCK})`)
}

async function refuseRows(
  connection: ReservedSQL,
  tables: readonly string[],
  what: string,
): Promise<void> {
  for (const name of tables) {
    const [row] = await connection.unsafe(`SELECT 1 FROM ${name} LIMIT 1`)
    if (row) throw new Fault('conflict', `The database ${what}`)
  }
}

function sourceOf(connection: ReservedSQL): RowSource {
  return {
    async *read(table) {
      await connection.unsafe(`DECLARE ${table.name}_rows CURSOR FOR ${selectAll(table)}`)
      for (;;) {
        const rows: Record<string, unknown>[] = await connection.unsafe(
          `FETCH ${BATCH_ROWS} FROM ${table.name}_rows`,
        )
        if (rows.length === 0) break
        // Columns have only types that become these values.
        yield rows.map((row) => table.columns.map((column) => toValue(row[column])) as RowOfValues)
      }
      await connection.unsafe(`CLOSE ${table.name}_rows`)
    },
    async lastId({ name }) {
      const [row] = await connection.unsafe(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${name}_id_seq`,
      )
      return Number(row?.last ?? 0)
    },
  }
}

function targetOf(connection: ReservedSQL): RowTarget {
  return {
    ...sourceOf(connection),
    async insert({ name, columns }: CopiedTable, rows) {
      const list = columns.join(', ')
      const objects = rows.map((row) =>
        Object.fromEntries(columns.map((column, index) => [column, asJson(row[index])])),
      )
      await connection.unsafe(
        `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, $1::text::json)`,
        [JSON.stringify(objects)],
      )
    },
    async setLastId({ name }, id) {
      await connection.unsafe(
        `SELECT setval('${name}_id_seq', ${Math.max(id, 1)}, ${id > 0 ? 'true' : 'false'})`,
      )
    },
  }
}

/** Bytes are written as PostgreSQL reads them from a text. */
function asJson(value: RowOfValues[number] | undefined): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
}

function faultOf(error: unknown): unknown {
  const known = toPostgresError(error)
  if (!(known instanceof PostgresError) || known.code !== 'POSTGRES_TEXT') return known
  return new Fault(
    'badRequest',
    'A text has a character that PostgreSQL does not store (NUL). Nothing was copied.',
    { cause: error },
  )
}
