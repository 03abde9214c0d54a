/**
 * Errors of PostgreSQL and of the connection to it, with codes like those of SQLite: callers look only at these.
 */

/** The codes of `PostgresError`. */
export type PostgresCode =
  | 'POSTGRES_UNIQUE'
  | 'POSTGRES_PRIMARYKEY'
  | 'POSTGRES_FOREIGNKEY'
  | 'POSTGRES_CONSTRAINT'
  | 'POSTGRES_BUSY'
  | 'POSTGRES_FULL'
  | 'POSTGRES_READONLY'
  | 'POSTGRES_UNREACHABLE'
  | 'POSTGRES_UNCERTAIN'
  | 'POSTGRES_TEXT'
  | 'POSTGRES_LEASE_OVER'
  | 'POSTGRES_PLAN'
  | 'POSTGRES_ERROR'

/** An error whose message has no address, name or password in it. */
export class PostgresError extends Error {
  readonly code: PostgresCode

  constructor(code: PostgresCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PostgresError'
    this.code = code
  }
}

/** The state that the function `require_server` of schema.ts raises. */
export const LEASE_OVER = 'FM001'

/** Beginnings of SQLSTATE codes (postgresql.org/docs/current/errcodes-appendix.html); the first one that fits counts. */
const CODES: readonly (readonly [state: string, code: PostgresCode])[] = [
  ['23503', 'POSTGRES_FOREIGNKEY'],
  ['23505', 'POSTGRES_UNIQUE'],
  ['23', 'POSTGRES_CONSTRAINT'],
  // A conflict with another transaction, a deadlock, a lock that is not free.
  ['40', 'POSTGRES_BUSY'],
  ['55P03', 'POSTGRES_BUSY'],
  ['53100', 'POSTGRES_FULL'],
  ['25006', 'POSTGRES_READONLY'],
  // Too many connections, a server that starts or ends, a broken connection, a cancelled statement.
  ['53300', 'POSTGRES_UNREACHABLE'],
  ['57', 'POSTGRES_UNREACHABLE'],
  ['08', 'POSTGRES_UNREACHABLE'],
  ['25P03', 'POSTGRES_UNREACHABLE'],
  // A character that PostgreSQL does not store: NUL, also as a code in JSON.
  ['22021', 'POSTGRES_TEXT'],
  ['22P05', 'POSTGRES_TEXT'],
  [LEASE_OVER, 'POSTGRES_LEASE_OVER'],
  // A statement that was prepared before a table got another column. The next time, it is prepared again.
  ['0A000', 'POSTGRES_PLAN'],
]

/** What Bun reports about the connection itself begins with this, except errors of the server. */
const OF_CONNECTION = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|LIFE)/

/** @param error what a statement has thrown */
export function toPostgresError(error: unknown): unknown {
  if (error instanceof PostgresError || !(error instanceof Error)) return error
  const state = 'errno' in error ? String(error.errno) : ''
  const code = 'code' in error ? String(error.code) : ''
  if (OF_CONNECTION.test(code)) {
    return new PostgresError('POSTGRES_UNREACHABLE', 'The database does not answer.', {
      cause: error,
    })
  }
  if (!code.startsWith('ERR_POSTGRES_')) return error
  const known = CODES.find(([beginning]) => state.startsWith(beginning))?.[1] ?? 'POSTGRES_ERROR'
  const isKey = known === 'POSTGRES_UNIQUE' && constraintOf(error).endsWith('_pkey')
  return new PostgresError(isKey ? 'POSTGRES_PRIMARYKEY' : known, `${error.message} (${state})`, {
    cause: error,
  })
}

function constraintOf(error: Error): string {
  return 'constraint' in error ? String(error.constraint) : ''
}

/** Whether the database did not answer, or cannot be written for a moment because another one takes over. */
export function isUnreachable(error: unknown): boolean {
  const codes: readonly unknown[] = ['POSTGRES_UNREACHABLE', 'POSTGRES_READONLY']
  return error instanceof PostgresError && codes.includes(error.code)
}

/** Whether the statement succeeds when it is sent again, or soon: nothing of it was done. */
export function isPassing(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof PostgresError && error.code === 'POSTGRES_PLAN')
}

/** Whether another process may have taken over what this one was doing, because its lease is over. */
export function isLeaseOver(error: unknown): boolean {
  return error instanceof PostgresError && error.code === 'POSTGRES_LEASE_OVER'
}
