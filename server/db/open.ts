/** Opens the database: one SQLite file in WAL mode, so that the command line works while a server runs. */
import { Database } from 'bun:sqlite'
import { Fault } from '#wire/fault.ts'
import { copyDatabase } from './copy.ts'
import { MIGRATIONS } from './migrations.ts'

/** How long a process waits for the write lock. */
const BUSY_TIMEOUT_MS = 5000

/**
 * Opens the file at `path` and migrates it to this version's schema, after copying an older one. The folder must
 * exist; the caller creates the file with mode 0600.
 *
 * @throws Fault conflict for a file of a newer version, internal for a damaged or foreign file; the file is not
 *   changed then
 */
export function openDatabase(path: string): Database {
  let db: Database | undefined
  try {
    db = new Database(path, { create: true, readwrite: true, strict: true })
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    refuseDamaged(db, path)
    migrate(db, path)
    return db
  } catch (error) {
    db?.close()
    if (error instanceof Fault) throw error
    throw new Fault('internal', describe(error, path), { cause: error })
  }
}

function refuseDamaged(db: Database, path: string): void {
  const first = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()
  if (first?.quick_check !== 'ok') throw new Fault('internal', damaged(path))
}

function migrate(db: Database, path: string): void {
  const version = schemaVersion(db)
  if (version > MIGRATIONS.length) {
    throw new Fault(
      'conflict',
      `The database ${path} was written by a newer filemgr. Start that version, or name another file with --database.`,
    )
  }
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  if (version === MIGRATIONS.length) return
  // An earlier version can be restored from this copy (docs/upgrade.md).
  if (version > 0) copyDatabase(db, `${path}.version-${version}`)
  // The version is read again inside the transaction, because another process may have migrated since the first read.
  db.transaction(() => {
    for (const step of MIGRATIONS.slice(schemaVersion(db))) db.exec(step)
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  }).immediate()
}

function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
}

function describe(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return damaged(path)
  if (code.startsWith('SQLITE_CANTOPEN')) return `The database ${path} cannot be opened.`
  if (code.startsWith('SQLITE_READONLY')) return `The database ${path} cannot be written.`
  if (code.startsWith('SQLITE_FULL')) return `There is no space for the database ${path}.`
  if (code.startsWith('SQLITE_BUSY')) return `Another program holds the database ${path}.`
  return `The database ${path} cannot be used.`
}

function damaged(path: string): string {
  return `The database ${path} is damaged or is no filemgr database. Put back a copy of it, or name another file with --database.`
}
