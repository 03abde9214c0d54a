/** Opens the database: one SQLite file in WAL mode, so that the command line works while a server runs. */
import { Database } from 'bun:sqlite'
import { accessSync, constants, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { copyDatabase } from './copy.ts'
import { MIGRATIONS } from './migrations.ts'

/** With less free space a database cannot be opened: SQLite creates files beside it. */
const NEEDED_BYTES = 1024 * 1024
/** How long a process waits for the write lock; while it serves, on whose thread it waits, less (`Commits` waits longer). */
const BUSY_TIMEOUT_MS = 5000
const SERVING_BUSY_TIMEOUT_MS = 50

/**
 * Opens the file at `path` and migrates it to this version's schema, after copying an older one. The folder must
 * exist; the caller creates the file with mode 0600.
 *
 * @param release frees space on a full disk; false if it cannot
 * @throws Fault conflict for a file of a newer version, internal for a damaged or foreign file, noSpace; the file is not
 *   changed then
 */
export function openDatabase(path: string, release: () => boolean = () => false): Database {
  for (;;) {
    try {
      return open(path)
    } catch (error) {
      const isFull = !(error instanceof Fault) && isDiskFull(error, path)
      if (isFull && release()) continue
      if (error instanceof Fault) throw error
      const message = isFull ? noSpace(path) : describe(error, path)
      throw new Fault(isFull ? 'noSpace' : 'internal', message, { cause: error })
    }
  }
}

function open(path: string): Database {
  let db: Database | undefined
  try {
    db = new Database(path, { create: true, readwrite: true, strict: true })
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    refuseDamaged(db, path)
    migrate(db, path)
    return db
  } catch (error) {
    db?.close()
    throw error
  }
}

/** Makes a connection wait only briefly for the lock of another program, because everybody waits with it. */
export function waitBriefly(db: Database): void {
  db.exec(`PRAGMA busy_timeout = ${SERVING_BUSY_TIMEOUT_MS}`)
}

/**
 * Reads one setting of a database of this version without changing anything, before there is a configuration.
 *
 * @returns undefined if there is none
 * @throws Fault internal for a damaged or foreign file
 */
export function readStoredSetting(path: string, key: string): unknown {
  let db: Database | undefined
  try {
    db = new Database(path, { readonly: true, strict: true })
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA trusted_schema = OFF`)
    const row = db
      .query<{ value: string }, [string]>('SELECT value FROM settings WHERE key = ?')
      .get(key)
    return row ? JSON.parse(row.value) : undefined
  } catch (error) {
    throw new Fault('internal', describe(error, path), { cause: error })
  } finally {
    db?.close()
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
  flushCaches(db)
  if (version === MIGRATIONS.length) return
  // An earlier version can be restored from this copy (docs/upgrade.md).
  if (version > 0) copyDatabase(db, `${path}.version-${version}`)
  // The version is read again inside the transaction, because another process may have migrated since the first read.
  db.transaction(() => {
    for (const step of MIGRATIONS.slice(schemaVersion(db))) db.exec(step)
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  }).immediate()
}

/** On macOS the cache of the disk is flushed too; other systems do that anyway. */
export function flushCaches(db: Database): void {
  db.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON')
}

function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
}

/** Whether an error that SQLite reports for many reasons comes from a full disk. */
function isDiskFull(error: unknown, path: string): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!/^(SQLITE_(FULL|IOERR|CANTOPEN)|ENOSPC|EDQUOT)/.test(code)) return false
  const { bavail, bsize, files, ffree } = statfsSync(dirname(path))
  return bavail * bsize < NEEDED_BYTES || (files > 0 && ffree === 0)
}

function noSpace(path: string): string {
  return `There is no space left on the disk of the database ${path}. Delete something there, then try again.`
}

function describe(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return damaged(path)
  if (code.startsWith('SQLITE_CANTOPEN')) {
    return `The database ${path} cannot be opened.${accessReason(path)}`
  }
  if (code.startsWith('SQLITE_READONLY')) {
    return `The database ${path} cannot be written.${accessReason(path)}`
  }
  if (code.startsWith('SQLITE_FULL')) return `There is no space for the database ${path}.`
  if (code.startsWith('SQLITE_BUSY')) return `Another program holds the database ${path}.`
  if (code.startsWith('SQLITE_IOERR')) {
    return `The database ${path} cannot be used, because the file system failed (${code}). Some network and union file systems lack what a database needs: put it on a local disk with --database.`
  }
  return `The database ${path} cannot be used.`
}

/** @returns a sentence that names what this account may not do with the file; empty if it may read and write it */
function accessReason(path: string): string {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return ''
  } catch (error) {
    const errno = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (errno !== 'EACCES') return errno && ` Reason: ${errno}.`
    return ` This account (uid ${process.getuid?.()}) may not read and write it, or enter its folder.`
  }
}

function damaged(path: string): string {
  return `The database ${path} is damaged or is no filemgr database. Put back a copy of it, or name another file with --database.`
}
