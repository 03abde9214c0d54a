/** Copies a database while others write to it, and packs files into the copy. */
import { Database } from 'bun:sqlite'
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { flushFile, flushFolder } from '#server/os/flush.ts'
import { Fault } from '#wire/fault.ts'
import { MIGRATIONS } from './migrations.ts'

/** A file packed into a copy. */
export interface PackedFile {
  path: string
  bytes: Uint8Array
}

const FILES_TABLE = 'packed_files'

/**
 * Copies a consistent state to a new file with access for its owner only. The file appears when it is complete.
 *
 * @param pack files to add
 * @throws Error of SQLite or of the file system; the incomplete file is removed then
 */
export function copyDatabase(db: Database, to: string, pack: readonly PackedFile[] = []): void {
  const unfinished = `${to}.unfinished`
  rmSync(unfinished, { force: true })
  // SQLite keeps the mode of an empty file.
  closeSync(openSync(unfinished, 'wx', 0o600))
  try {
    db.query('VACUUM INTO ?').run(unfinished)
    if (pack.length > 0) packInto(unfinished, pack)
    renameDurably(unfinished, to)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/**
 * Flushes a file, renames it, and flushes the new name: after a power failure, `to` is complete or as before.
 *
 * @throws Error of the file system
 */
export function renameDurably(from: string, to: string): void {
  flushFile(from)
  renameSync(from, to)
  flushFolder(dirname(to))
}

/**
 * Reads the files that are packed into a copy, and removes them from it.
 *
 * @throws Fault badRequest if it is not a copy of a database, conflict if it is from a newer version
 */
export function unpackDatabase(path: string): PackedFile[] {
  return withCopy(path, (db) => {
    const isPacked = db.query('SELECT 1 FROM sqlite_master WHERE name = ?').get(FILES_TABLE)
    if (!isPacked) return []
    const files = db.query<PackedFile, []>(`SELECT path, bytes FROM ${FILES_TABLE}`).all()
    db.exec(`DROP TABLE ${FILES_TABLE}; VACUUM`)
    return files
  })
}

/** Whether another process has the database open. */
export function isOpenElsewhere(path: string): boolean {
  const db = new Database(path, { create: false, readwrite: true })
  try {
    // Leaving WAL mode needs exclusive access; opening the database later enables it again.
    const mode = db.query<{ journal_mode: string }, []>('PRAGMA journal_mode = DELETE').get()
    return mode?.journal_mode === 'wal'
  } catch (error) {
    // No server uses a damaged database; a backup may replace it.
    return error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_BUSY')
  } finally {
    db.close()
  }
}

/** Adds files to a copy. @throws Error of SQLite */
export function packInto(path: string, files: readonly PackedFile[]): void {
  const copy = new Database(path, { readwrite: true })
  try {
    copy.exec(`CREATE TABLE ${FILES_TABLE} (path TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT`)
    const insert = copy.query(`INSERT INTO ${FILES_TABLE} (path, bytes) VALUES (?, ?)`)
    copy.transaction(() => {
      for (const file of files) insert.run(file.path, file.bytes)
    })()
  } finally {
    copy.close()
  }
}

/** @throws Fault badRequest, conflict */
function withCopy<T>(path: string, work: (db: Database) => T): T {
  let db: Database | undefined
  try {
    db = new Database(path, { create: false, readwrite: true })
    refuseOther(db, path)
    return work(db)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw new Fault('badRequest', `${path} is damaged, or is not a backup of filemgr.`, { cause })
  } finally {
    db?.close()
  }
}

/** @throws Fault badRequest, conflict */
function refuseOther(db: Database, path: string): void {
  const check = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check
  const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version
  const hasUsers = db.query("SELECT 1 FROM sqlite_master WHERE name = 'users'").get()
  if (check !== 'ok' || !version || !hasUsers) {
    throw new Fault('badRequest', `${path} is damaged, or is not a backup of filemgr.`)
  }
  if (version > MIGRATIONS.length) {
    throw new Fault(
      'conflict',
      `${path} was written by a newer version of filemgr. Restore it with that version.`,
    )
  }
}
