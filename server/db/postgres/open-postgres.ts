/** Opens a database of a PostgreSQL server, and creates or changes its tables for this version. */
import { randomBytes } from 'node:crypto'
import type { ReservedSQL, SQL } from 'bun'
import { Fault } from '#wire/fault.ts'
import { databaseName, type PostgresAddress, PROCESS_PREFIX, poolOf } from './connection.ts'
import { isUnreachable, toPostgresError } from './errors.ts'
import { PostgresDatabase } from './postgres-database.ts'
import { upgradeTables } from './upgrade.ts'

/** The oldest version that is used, as `server_version_num`. */
const OLDEST = 130_000

/** The server does not answer now; it may answer later. */
export class UnreachableDatabase extends Fault {
  constructor(url: string, cause: unknown) {
    super('unavailable', `The database ${databaseName(url)} does not answer.`, { cause })
  }
}

export interface PostgresOptions {
  /** What is acknowledged need not be on the disk. */
  isRelaxed?: () => boolean
  /** The tables must have nothing that this version does not know. Otherwise those of a newer one are used if they can be. */
  isExact?: boolean
}

/**
 * @throws UnreachableDatabase; Fault forbidden, notFound, badRequest, readOnly, conflict if it cannot be used
 */
export async function openPostgres(
  address: PostgresAddress,
  { isRelaxed = () => false, isExact = false }: PostgresOptions = {},
): Promise<PostgresDatabase> {
  const process = PROCESS_PREFIX + randomBytes(8).toString('hex')
  const pool = poolOf(address, process)
  try {
    await prepare(pool, databaseName(address.url), isExact)
    return new PostgresDatabase(pool, process, isRelaxed)
  } catch (error) {
    await pool.close({ timeout: 0 })
    throw error instanceof Fault ? error : faultOf(error, address.url)
  }
}

/**
 * Whether a database has tables of filemgr. Nothing is changed.
 *
 * @throws as `openPostgres`
 */
export async function hasTables(address: PostgresAddress): Promise<boolean> {
  const pool = poolOf(address, 'filemgr')
  try {
    const [found] = await pool.unsafe(`SELECT to_regclass('schema_version') IS NOT NULL AS has`)
    return found?.has === true
  } catch (error) {
    throw faultOf(error, address.url)
  } finally {
    await pool.close({ timeout: 0 })
  }
}

async function prepare(pool: SQL, name: string, isExact: boolean): Promise<void> {
  const connection = await pool.reserve()
  try {
    await refuseUnusable(connection, name)
    await refusePooler(pool, connection, name)
    await upgradeTables(connection, name, { isExact })
  } finally {
    connection.release()
  }
}

interface Properties {
  version: number
  release: string
  is_replica: boolean
  read_only: string
  encoding: string
}

async function refuseUnusable(connection: ReservedSQL, name: string): Promise<void> {
  const [found]: Properties[] = await connection.unsafe(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS release,
       pg_is_in_recovery() AS is_replica, current_setting('transaction_read_only') AS read_only,
       current_setting('server_encoding') AS encoding`,
  )
  if (!found) throw new Fault('internal', `The database ${name} cannot be used.`)
  if (found.version < OLDEST) {
    throw new Fault(
      'badRequest',
      `The database ${name} is PostgreSQL ${found.release}. filemgr needs version 13 or later.`,
    )
  }
  if (found.is_replica) {
    throw new Fault(
      'readOnly',
      `The database ${name} is a replica, which cannot be written. Name the primary server with --database.`,
    )
  }
  if (found.read_only === 'on') {
    throw new Fault('readOnly', `The database ${name} can only be read.`)
  }
  if (found.encoding !== 'UTF8') {
    throw new Fault(
      'badRequest',
      `The database ${name} stores texts as ${found.encoding}. Create one with ENCODING 'UTF8'.`,
    )
  }
}

/**
 * A pooler in transaction mode gives one connection of the server to two of its clients in turn, so what belongs to a
 * connection is lost.
 */
async function refusePooler(pool: SQL, first: ReservedSQL, name: string): Promise<void> {
  const pid = 'SELECT pg_backend_pid() AS pid'
  const [one] = await first.unsafe(pid)
  const second = await pool.reserve()
  try {
    await second.unsafe('BEGIN')
    const [other] = await second.unsafe(pid)
    await second.unsafe('ROLLBACK')
    if (one?.pid === other?.pid) throw pooler(name)
  } finally {
    second.release()
  }
}

function pooler(name: string): Fault {
  return new Fault(
    'badRequest',
    `The database ${name} is behind a pooler. Name the database itself with --database, since its notifications and settings do not pass a pooler.`,
  )
}

/** What an error at the start means for the operator: one sentence, without the password. */
function faultOf(cause: unknown, url: string): Fault {
  const name = databaseName(url)
  const state = cause instanceof Error && 'errno' in cause ? String(cause.errno) : ''
  if (state.startsWith('28')) {
    return new Fault(
      'forbidden',
      `The database ${name} refuses the user ${new URL(url).username} or the password.`,
      { cause },
    )
  }
  if (state === '3D000') {
    return new Fault('notFound', `There is no database ${name}. Create it first.`, { cause })
  }
  // A pooler refuses settings of the connection that it does not know.
  if (state === '08P01') return pooler(name)
  if (isUnreachable(toPostgresError(cause))) return new UnreachableDatabase(url, cause)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === 'ERR_POSTGRES_TLS_NOT_AVAILABLE') {
    return new Fault(
      'forbidden',
      `The database ${name} offers no TLS, which sslmode asks for. Turn ssl on at the server.`,
      { cause },
    )
  }
  if (/CERT|VERIFY|SELF_SIGNED/.test(code)) {
    return new Fault(
      'forbidden',
      `The certificate of the database ${name} is not trusted. Name the one of its authority with sslrootcert.`,
      { cause },
    )
  }
  return new Fault('internal', `The database ${name} cannot be used.`, { cause })
}
