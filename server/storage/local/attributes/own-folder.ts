/** Folders and short record files in the private folder. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { flushesFolders, flushOpen } from '#server/os/flush.ts'
import { rmSync } from '#server/os/remove.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import type { Handle } from '../handles/handle.ts'
import { DEFAULT_LIST } from './access-list.ts'
import { removeAttribute } from './attributes.ts'

/** A record holds at most a path (PATH_MAX of Linux) and an inode number. */
const RECORD_MAX_BYTES = 4096 + 32

/** Whether the disk is full: nothing can be created, but files can still be renamed and removed. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '')
}

export function randomName(): string {
  return randomBytes(12).toString('hex')
}

/** Opens a folder of the server, and creates it if it is missing. The caller closes it. */
export function openOwnFolder(parent: Handle, name: string): Handle {
  try {
    mkdirSync(parent.at(name), 0o700)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  // Not O_PATH: flock and fsync need a readable descriptor.
  const folder = parent.child(name, constants.O_RDONLY | O_DIRECTORY)
  // Staged files would take it over, and keep it in other folders.
  removeAttribute(folder.disk, DEFAULT_LIST)
  chmodSync(folder.disk, 0o700)
  return folder
}

/**
 * Creates a folder with a random name and calls `fill` with it. If `fill` throws, the folder is removed. The caller
 * closes the folder.
 *
 * @throws what `fill` throws; system errors
 */
export function createFilledFolder(
  parent: Handle,
  prefix: string,
  fill: (folder: Handle) => void,
): { folder: Handle; name: string } {
  const name = prefix + randomName()
  const folder = openOwnFolder(parent, name)
  try {
    fill(folder)
    return { folder, name }
  } catch (error) {
    folder.close()
    rmSync(parent.at(name), { recursive: true, force: true })
    throw error
  }
}

/** Creates a record and flushes it. */
export function writeRecord(folder: Handle, name: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const fd = openSync(folder.at(name), flags, 0o600)
  try {
    writeSync(fd, bytesOfName(text))
    flushOpen(fd)
    if (flushesFolders) flushOpen(folder.fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Reads a record. On a shared disk another user may have replaced it by a pipe or a link to a device.
 *
 * @throws Error unless it is a short regular file that belongs to the system account of this process
 */
export function readRecord(folder: Handle, name: string): string {
  using record = folder.child(name, constants.O_RDONLY | constants.O_NONBLOCK)
  const stats = record.stat()
  // Windows has no user numbers.
  const isOwn = process.geteuid === undefined || stats.uid === process.geteuid()
  if (!stats.isFile() || stats.size > RECORD_MAX_BYTES || !isOwn) {
    throw new Error('This is no record of the server.')
  }
  return nameOfBytes(readFileSync(record.fd))
}
