/**
 * Whether a database error may mean that the disk is full: an exceeded quota is a failed write (EDQUOT), and some network
 * file systems report a full disk only when data is flushed.
 */
export function isDatabaseFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'POSTGRES_FULL'].includes(code)
}
