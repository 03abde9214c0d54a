/** Whole copies of a database, made while others write to it; and files that travel in one. */
import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { MIGRATIONS } from './migrations.ts'

/** A file that is kept in a copy beside the tables. */
export interface PackedFile {
  path: string
  bytes: Uint8Array
}

const FILES_TABLE = 'packed_files'

/**
 * Copies the state of one moment to a file that is new, for its owner alone. The file appears whole.
 *
 * @param pack files that travel with it
 * @throws Error of SQLite or of the file system; no file is left then
 */
export function copyDatabase(db: Database, to: string, pack: readonly PackedFile[] = []): void {
  const unfinished = `${to}.unfinished`
  rmSync(unfinished, { force: true })
  // SQLite takes an empty file as it is, with its mode.
  closeSync(openSync(unfinished, 'wx', 0o600))
  try {
    db.query('VACUUM INTO ?').run(unfinished)
    if (pack.length > 0) packInto(unfinished, pack)
    const file = openSync(unfinished, 'r+')
    fsyncSync(file)
    closeSync(file)
    renameSync(unfinished, to)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/**
 * Takes the files out of a copy.
 *
 * @throws Fault badRequest for a file that is no copy of a database, conflict for one of a newer version
 */
export function unpack(path: string): PackedFile[] {
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
    // Leaving the log needs the file for oneself; afterwards the database is opened as ever.
    const mode = db.query<{ journal_mode: string }, []>('PRAGMA journal_mode = DELETE').get()
    return mode?.journal_mode === 'wal'
  } catch (error) {
    // What is damaged is nobody's; a backup takes its place.
    return error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_BUSY')
  } finally {
    db.close()
  }
}

function packInto(path: string, files: readonly PackedFile[]): void {
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
    throw new Fault('badRequest', `${path} is damaged or no backup of filemgr.`, { cause })
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
    throw new Fault('badRequest', `${path} is damaged or no backup of filemgr.`)
  }
  if (version > MIGRATIONS.length) {
    throw new Fault('conflict', `${path} was written by a newer filemgr. Restore it with that one.`)
  }
}
