/** An installation from a backup: all of it or nothing, and what was there is kept. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isOpenElsewhere, type PackedFile, unpack } from '#server/db/copy.ts'
import { Fault } from '#wire/fault.ts'

export interface Restored {
  /** Where the database that was there is now. */
  replaced: string | undefined
  /** Files beside the database that were written. */
  written: string[]
  /** Files that are there already, with another content; they were left alone. */
  kept: string[]
  /** Files that came in the backup and were not asked for. */
  left: string[]
}

/**
 * Puts a backup in the place of a database.
 *
 * @param options `overwrite`: a database that is there is replaced, and kept under another name; `files`: the
 *   configuration file and the branding of the backup are written where they were, which the backup says
 * @throws Fault notFound, badRequest (no backup), conflict (of a newer version; a database is there),
 *   locked (a server uses it); nothing was changed then
 */
export function restore(
  backup: string,
  database: string,
  options: { overwrite: boolean; files: boolean },
): Restored {
  if (!existsSync(backup)) throw new Fault('notFound', `The file ${backup} cannot be read.`)
  const isThere = existsSync(database)
  if (isThere && !options.overwrite) {
    throw new Fault('conflict', `${database} exists already; --overwrite replaces it.`)
  }
  const unfinished = `${database}.unfinished`
  try {
    const files = prepare(backup, unfinished)
    if (isThere && isOpenElsewhere(database)) {
      throw new Fault('locked', `A server uses ${database}. Stop it first.`)
    }
    const replaced = isThere ? freeName(database) : undefined
    if (replaced !== undefined) setAside(database, replaced)
    renameSync(unfinished, database)
    const left = options.files ? [] : files.map(({ path }) => path)
    return { replaced, left, ...putBack(options.files ? files : []) }
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal'])
      rmSync(unfinished + ending, { force: true })
  }
}

/** @returns the files that came in the backup */
function prepare(backup: string, unfinished: string): PackedFile[] {
  try {
    mkdirSync(dirname(unfinished), { recursive: true, mode: 0o700 })
    copyFileSync(backup, unfinished)
    chmodSync(unfinished, 0o600)
  } catch (cause) {
    throw new Fault('forbidden', `${unfinished} cannot be written.`, { cause })
  }
  try {
    return unpack(unfinished)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, error.message.replaceAll(unfinished, backup))
  }
}

function putBack(files: readonly PackedFile[]): Pick<Restored, 'written' | 'kept'> {
  const [written, kept]: [string[], string[]] = [[], []]
  for (const { path, bytes } of files) {
    if (existsSync(path)) {
      if (!readFileSync(path).equals(Buffer.from(bytes))) kept.push(path)
      continue
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes, { mode: 0o640 })
    written.push(path)
  }
  return { written, kept }
}

/** With the log of a database that was not closed: it must not be taken for the new one's. */
function setAside(database: string, name: string): void {
  for (const ending of ['-wal', '-shm', '-journal', '']) {
    if (existsSync(database + ending)) renameSync(database + ending, name + ending)
  }
}

/** An earlier one is never written over. */
function freeName(database: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${database}.replaced-${number}`
    if (!existsSync(name)) return name
  }
}
