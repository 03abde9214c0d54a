/**
 * The tables of a PostgreSQL database as this version needs them. While its servers are upgraded one after the other, two
 * versions use the database (docs/scale.md, "Upgrade one server after the other"): the first server of the new version
 * changes the tables, and the others go on with them.
 */
import type { ReservedSQL } from 'bun'
import { Fault } from '#wire/fault.ts'
import type { Database } from '../database.ts'
import { MIGRATIONS, NEEDED_STEPS } from '../migrations.ts'
import { WRITER_LOCK } from './postgres-database.ts'
import { ADDITIONS, ADDITIONS_DIGEST, ADDITIONS_NUMBER, toPostgres } from './schema.ts'

/** The row of the table `schema_version`: the newest version that has changed the tables. */
interface SchemaState {
  /** How many steps of migrations.ts were made. */
  version: number
  /** How many of them a program must know to use the tables. */
  needed: number
  /** The number and the digest of the statements beside the steps. */
  additions: number
  digest: string
}

const OWN: SchemaState = {
  version: MIGRATIONS.length,
  needed: NEEDED_STEPS,
  additions: ADDITIONS_NUMBER,
  digest: ADDITIONS_DIGEST,
}

/** Two processes that start at the same time wait for each other here. */
const MIGRATION_LOCK = 7_305_214_401
/** How long the change of the tables waits for statements that use them; what comes later waits for the change. */
const LOCK_TIMEOUT_MS = 20_000

/**
 * Creates the tables, or changes those of an older version. Tables of a newer version that this one can use stay.
 *
 * @param name the database for messages
 * @param options `isExact`: the tables must have nothing that this version does not know
 * @throws Fault conflict if this version cannot use the tables, or if a running server could not use them any more
 */
export async function upgradeTables(
  connection: ReservedSQL,
  name: string,
  { isExact }: { isExact: boolean },
): Promise<void> {
  await connection.unsafe('BEGIN; SET LOCAL statement_timeout = 0')
  try {
    await connection.unsafe(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    const found = await stateOf(connection, name)
    if (found && (found.needed > OWN.version || (isExact && isNewer(found)))) throw newer(name)
    if (!found || isOlder(found)) await change(connection, name, found)
    await connection.unsafe('COMMIT')
  } catch (error) {
    await connection.unsafe('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Whether a newer version has changed the tables of an open database. */
export async function isChangedByNewer(rows: Database): Promise<boolean> {
  const state = await rows.query<SchemaState, []>('SELECT * FROM schema_version').get()
  return state !== null && isNewer(state)
}

function isNewer({ version, additions }: SchemaState): boolean {
  return version > OWN.version || (version === OWN.version && additions > OWN.additions)
}

function isOlder(found: SchemaState): boolean {
  const isSame =
    found.version === OWN.version && found.needed === OWN.needed && found.digest === OWN.digest
  return !isSame && !isNewer(found)
}

function newer(name: string): Fault {
  return new Fault(
    'conflict',
    `The database ${name} was written by a newer filemgr. Start that version, or name another database with --database.`,
  )
}

/** @returns undefined for a database without tables. @throws Fault conflict if it has tables of another program */
async function stateOf(connection: ReservedSQL, name: string): Promise<SchemaState | undefined> {
  const [found] = await connection.unsafe(
    `SELECT to_regclass('schema_version') IS NOT NULL AS is_known, to_regclass('users') IS NOT NULL AS has_users`,
  )
  if (found?.is_known) {
    // The first versions had no other column than the number.
    const [row] = await connection.unsafe(
      `SELECT version, coalesce(known.needed, version) AS needed, coalesce(known.additions, 0) AS additions, known.digest
       FROM schema_version, jsonb_to_record(to_jsonb(schema_version)) AS known (needed BIGINT, additions BIGINT, digest TEXT)`,
    )
    return {
      version: Number(row?.version ?? 0),
      needed: Number(row?.needed ?? 0),
      additions: Number(row?.additions ?? 0),
      digest: String(row?.digest ?? ''),
    }
  }
  if (!found?.has_users) return undefined
  throw new Fault(
    'conflict',
    `The database ${name} has tables of another program. Create an empty database for filemgr.`,
  )
}

/** @throws Fault conflict if a running server knows too few steps */
async function change(
  connection: ReservedSQL,
  name: string,
  found: SchemaState | undefined,
): Promise<void> {
  // Writers have ended, and readers use one table at a time, so there is no deadlock.
  await connection.unsafe(
    `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SELECT pg_advisory_xact_lock(${WRITER_LOCK})`,
  )
  if (found) await refuseOldServers(connection, name, found)
  const steps = MIGRATIONS.slice(found?.version ?? 0).flatMap(toPostgres)
  for (const statement of [...steps, ...ADDITIONS]) await connection.unsafe(statement)
  await connection.unsafe(
    `DROP TABLE IF EXISTS schema_version;
     CREATE TABLE schema_version
       (version BIGINT NOT NULL, needed BIGINT NOT NULL, additions BIGINT NOT NULL, digest TEXT NOT NULL);
     INSERT INTO schema_version (version, needed, additions, digest)
       VALUES (${OWN.version}, ${OWN.needed}, ${OWN.additions}, '${OWN.digest}')`,
  )
}

/** @param found the tables, as those servers have begun to use them if they do not tell how many steps they know */
async function refuseOldServers(
  connection: ReservedSQL,
  name: string,
  found: SchemaState,
): Promise<void> {
  const [table] = await connection.unsafe(`SELECT to_regclass('servers') IS NOT NULL AS has`)
  if (!table?.has) return
  const [old] = await connection.unsafe(
    `SELECT count(*)::int AS count
     FROM servers, jsonb_to_record(to_jsonb(servers)) AS known (steps BIGINT)
     WHERE lease_until > clock_timestamp() AND coalesce(known.steps, ${found.version}) < ${OWN.needed}`,
  )
  if (!old?.count) return
  throw new Fault(
    'conflict',
    `A server of an older version uses the database ${name}, and could not use it after this upgrade. Stop the servers of that version first. If one was killed, wait 20 seconds.`,
  )
}
