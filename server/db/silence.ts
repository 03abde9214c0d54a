/** Errors of a database that does not answer now. */

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
  if (!(error instanceof Error && 'code' in error)) return false
  const code = String(error.code)
  return CODES.some((known) => code.startsWith(known))
}
