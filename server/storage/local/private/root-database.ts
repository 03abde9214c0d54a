/**
 * Which database a served folder belongs to, if one on a server has claimed it: a random text in the private folder, and
 * in the rows of the database. Two installations with different databases would each take the other's staged bytes, trash
 * and journal for something else.
 */
import { constants, readFileSync, renameSync, rmSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { isFull, randomName, writeRecord } from '../attributes/own-folder.ts'
import type { Handle, OpenFolderAt } from '../handles/handle.ts'

/** In the private folder. */
const RECORD = 'database'
const LENGTH_MAX = 64
const FOLDER = constants.O_RDONLY | O_DIRECTORY
/** Errors of opening a file that is not there, or is something else. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR']

/**
 * @param path of the served folder
 * @param open opens it
 * @returns undefined if no database has claimed it
 * @throws system errors, also of a disk that fails
 */
export function databaseOf(path: string, open: OpenFolderAt): string | undefined {
  try {
    using root = open(path)
    using folder = root.child(PRIVATE_FOLDER, FOLDER)
    return readRecordOf(folder)
  } catch (error) {
    if (!ABSENT.includes(errnoOf(error) ?? '')) throw error
    return undefined
  }
}

/**
 * Stores which database a folder belongs to. A full disk is no failure.
 *
 * @param id undefined if it belongs to none any more
 * @throws system errors
 */
export function setDatabase(path: string, open: OpenFolderAt, id: string | undefined): void {
  using root = open(path)
  using folder = root.child(PRIVATE_FOLDER, FOLDER)
  if (readRecordOf(folder) === id) return
  try {
    if (id === undefined) rmSync(folder.at(RECORD), { force: true })
    else replaceRecord(folder, id)
  } catch (error) {
    if (!isFull(error)) throw error
  }
}

/** Others that start at the same time never see a part of it. */
function replaceRecord(folder: Handle, id: string): void {
  const written = `${RECORD}-${randomName()}`
  try {
    writeRecord(folder, written, id)
    renameSync(folder.at(written), folder.at(RECORD))
  } catch (error) {
    rmSync(folder.at(written), { force: true })
    throw error
  }
}

function readRecordOf(folder: Handle): string | undefined {
  try {
    using file = folder.child(RECORD, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!file.stat().isFile() || file.stat().size > LENGTH_MAX) return undefined
    return readFileSync(file.fd, 'utf8')
  } catch (error) {
    if (!ABSENT.includes(errnoOf(error) ?? '')) throw error
    return undefined
  }
}
