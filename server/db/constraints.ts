/** Errors of the database that a caller handles, whichever driver throws them. */

/** Whether a name, or another value that exists once, is taken. */
export function isTaken(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_UNIQUE', 'POSTGRES_UNIQUE'].includes(codeOf(error))
}

/** Whether the row that a new row belongs to was deleted. */
export function isUserGone(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_FOREIGNKEY', 'POSTGRES_FOREIGNKEY'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
