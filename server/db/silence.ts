/** Errors of a database that does not answer now. */
import { Fault } from '#wire/fault.ts'

/** This process changes nothing, because the database has not answered it for a while. */
export class SilentDatabase extends Fault {
  constructor(message: string, options?: ErrorOptions) {
    super('unavailable', message, options)
  }
}

/** Codes of `PostgresError`, and beginnings of SQLite's result codes. */
const CODES = [
  'POSTGRES_UNREACHABLE',
  'POSTGRES_UNCERTAIN',
  'POSTGRES_BUSY',
  'POSTGRES_READONLY',
  'SQLITE_BUSY',
]

/** Whether the database did not answer, so that the same may succeed later; a change may have been made nevertheless. */
export function isDatabaseSilent(error: unknown): boolean {
  if (error instanceof SilentDatabase) return true
  if (!(error instanceof Error && 'code' in error)) return false
  const code = String(error.code)
  return CODES.some((known) => code.startsWith(known))
}
