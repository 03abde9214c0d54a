/** How a process connects to a PostgreSQL server. */
import { readFileSync } from 'node:fs'
import { SQL } from 'bun'
import { Fault } from '#wire/fault.ts'

/** The address of a database. */
export interface PostgresAddress {
  /**
   * `postgres://user@host:port/database`, without a password. `sslmode` is as for the programs of PostgreSQL, and `prefer`
   * by default. `sslrootcert` is a file with the certificates of authorities, `host` the folder of a Unix socket.
   */
  url: string
  /** Empty if the server asks for none. */
  password: string
}

/** The name that the connections of every process begin with, as `application_name`. */
export const PROCESS_PREFIX = 'filemgr '
/** How many connections a process has at most. */
const CONNECTIONS_MAX = 20
const CONNECT_TIMEOUT_SEC = 5
const STATEMENT_TIMEOUT = '60s'
/** After this time without a statement, the server ends a transaction whose process is gone, and frees its lock. */
const IDLE_TIMEOUT = '10s'
const PORT = 5432

/** The name of a database in messages: without user and password. */
export function databaseName(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${decodeURIComponent(pathname.slice(1))} at ${searchParams.get('host') ?? host}`
}

/**
 * Connections to a database. None is opened before it is needed.
 *
 * @param process their `application_name`
 * @throws Fault badRequest if the file of the certificates cannot be read
 */
export function poolOf({ url, password }: PostgresAddress, process: string): SQL {
  const known = new URL(url)
  const { searchParams } = known
  const folder = searchParams.get('host')
  const certificate = searchParams.get('sslrootcert')
  const mode = folder === null ? (searchParams.get('sslmode') ?? 'prefer') : 'disable'
  // Bun uses the mode only if it is in the address, and sends other parameters to the server.
  known.search = `?sslmode=${mode}`
  return new SQL({
    url: known.href,
    ...(folder !== null && { path: `${folder}/.s.PGSQL.${known.port || PORT}` }),
    ...(certificate !== null && { tls: { ca: readCertificate(certificate) } }),
    // A function, because Bun takes a password from the environment instead of an empty one.
    password: () => password,
    bigint: true,
    max: CONNECTIONS_MAX,
    connectionTimeout: CONNECT_TIMEOUT_SEC,
    connection: {
      application_name: process,
      client_min_messages: 'warning',
      statement_timeout: STATEMENT_TIMEOUT,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT,
    },
  })
}

function readCertificate(certificate: string): string {
  try {
    return readFileSync(certificate, 'utf8')
  } catch (cause) {
    throw new Fault('badRequest', `The file ${certificate} of sslrootcert cannot be read.`, {
      cause,
    })
  }
}
