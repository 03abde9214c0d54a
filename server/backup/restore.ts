/** Restores an installation from a backup, completely or not at all. Replaced files get another name. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isOpenElsewhere, type PackedFile, renameDurably, unpackDatabase } from '#server/db/copy.ts'
import type { PostgresAddress } from '#server/db/postgres/connection.ts'
import { copyRows } from '#server/db/transfer/copy-rows.ts'
import { toServer } from '#server/db/transfer/postgres-side.ts'
import { fromFile } from '#server/db/transfer/sqlite-side.ts'
import { Fault } from '#wire/fault.ts'

/** What SQLite adds to the name of a database for its other files; the database itself is the last. */
const ENDINGS = ['-wal', '-shm', '-journal', '']

export interface RestoreResult {
  /** The new path of the replaced database. */
  replaced: string | undefined
  /** Other files that were written. */
  written: string[]
  /** Existing files with different content, which were not changed. */
  unchanged: string[]
  /** Files in the backup that were not requested. */
  notRestored: string[]
}

/**
 * Replaces a database by a backup.
 *
 * @param options `overwrite`: an existing database is renamed and replaced; `files`: configuration file and branding
 *   are written to the paths in the backup
 * @throws Fault notFound, badRequest (not a backup), conflict (newer version, or an existing database), locked (a
 *   server uses it); nothing was changed then
 */
export function restoreBackup(
  backup: string,
  database: string,
  options: { overwrite: boolean; files: boolean },
): RestoreResult {
  if (!existsSync(backup)) throw new Fault('notFound', `The file ${backup} does not exist.`)
  const hasDatabase = existsSync(database)
  if (hasDatabase && !options.overwrite) {
    throw new Fault(
      'conflict',
      `The database ${database} already exists. Replace it with --overwrite.`,
    )
  }
  const unfinished = `${database}.unfinished`
  try {
    const files = prepare(backup, unfinished)
    if (hasDatabase && isOpenElsewhere(database)) {
      throw new Fault('locked', `A server is using ${database}. Stop the server first.`)
    }
    const oldName = freeName(database)
    renameDatabase(database, oldName)
    renameDurably(unfinished, database)
    const notRestored = options.files ? [] : files.map(({ path }) => path)
    const replaced = hasDatabase ? oldName : undefined
    return { replaced, notRestored, ...writeMissing(options.files ? files : []) }
  } finally {
    for (const ending of ENDINGS) rmSync(unfinished + ending, { force: true })
  }
}

/**
 * Replaces the rows of a database on a server by a backup: all of them, or none. With `overwrite`, rows that are there are
 * deleted.
 *
 * @throws Fault as `restoreBackup`; errors of the database
 */
export async function restoreToServer(
  backup: string,
  address: PostgresAddress,
  options: { overwrite: boolean; files: boolean },
): Promise<RestoreResult> {
  if (!existsSync(backup)) throw new Fault('notFound', `The file ${backup} does not exist.`)
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-'))
  try {
    const unpacked = join(folder, 'filemgr.db')
    const files = prepare(backup, unpacked)
    const advice = 'Replace them with --overwrite.'
    await fromFile(unpacked, (from) =>
      toServer(address, (to) => copyRows(from, to), { replaces: options.overwrite, advice }),
    )
    const notRestored = options.files ? [] : files.map(({ path }) => path)
    return { replaced: undefined, notRestored, ...writeMissing(options.files ? files : []) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Copies the backup to `unfinished` and takes the files out of it.
 *
 * @returns the files
 */
function prepare(backup: string, unfinished: string): PackedFile[] {
  try {
    mkdirSync(dirname(unfinished), { recursive: true, mode: 0o700 })
    copyFileSync(backup, unfinished)
    chmodSync(unfinished, 0o600)
  } catch (cause) {
    throw new Fault('forbidden', `The file ${unfinished} cannot be written.`, { cause })
  }
  try {
    return unpackDatabase(unfinished)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, error.message.replaceAll(unfinished, backup))
  }
}

/** Writes the files to their paths, except where a file exists. */
function writeMissing(files: readonly PackedFile[]): Pick<RestoreResult, 'written' | 'unchanged'> {
  const [written, unchanged]: [string[], string[]] = [[], []]
  for (const { path, bytes } of files) {
    if (existsSync(path)) {
      if (!readFileSync(path).equals(Buffer.from(bytes))) unchanged.push(path)
      continue
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes, { mode: 0o640 })
    written.push(path)
  }
  return { written, unchanged }
}

/**
 * Renames the database with its write-ahead log. SQLite would apply the log to the new database, also if the old one was
 * deleted and only its log is left.
 */
function renameDatabase(database: string, name: string): void {
  for (const ending of ENDINGS) {
    if (existsSync(database + ending)) renameSync(database + ending, name + ending)
  }
}

/** @returns a free path for the replaced database */
function freeName(database: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${database}.replaced-${number}`
    if (ENDINGS.every((ending) => !existsSync(name + ending))) return name
  }
}
