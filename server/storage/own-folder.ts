/** Folders and short files that only the server makes, inside of its private folder. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import type { Handle } from './handle.ts'

/** The longest path that Linux opens, and an inode's number. */
const RECORD_MAX_BYTES = 4096 + 32

/** Out of room: nothing new can be made, what is there can still be renamed and removed. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '')
}

export function randomName(): string {
  return randomBytes(12).toString('hex')
}

/** Opens a folder of the server's, and makes it when it is missing. The caller closes it. */
export function ownFolder(parent: Handle, name: string): Handle {
  try {
    mkdirSync(parent.at(name), 0o700)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  // A real descriptor and not O_PATH: flock and fsync need one.
  const folder = parent.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
  chmodSync(folder.disk, 0o700)
  return folder
}

/**
 * Makes a folder of a fresh name and fills it; none is left when that fails. The caller closes it.
 *
 * @throws what `fill` throws; system errors
 */
export function filledFolder(
  parent: Handle,
  prefix: string,
  fill: (folder: Handle) => void,
): { folder: Handle; name: string } {
  const name = prefix + randomName()
  const folder = ownFolder(parent, name)
  try {
    fill(folder)
    return { folder, name }
  } catch (error) {
    folder.close()
    rmSync(parent.at(name), { recursive: true, force: true })
    throw error
  }
}

/** Writes a record that is not there yet, and forces it to the disk. */
export function writeRecord(folder: Handle, name: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const fd = openSync(folder.at(name), flags, 0o600)
  try {
    writeSync(fd, bytesOfName(text))
    fsyncSync(fd)
    fsyncSync(folder.fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Reads a record. Somebody else may have put another thing in its place (a pipe, a link to a device).
 *
 * @throws Error for anything but a short file of this server's own
 */
export function readRecord(folder: Handle, name: string): string {
  using record = folder.child(name, constants.O_RDONLY | constants.O_NONBLOCK)
  const stats = record.stat()
  if (!stats.isFile() || stats.size > RECORD_MAX_BYTES || stats.uid !== process.geteuid?.()) {
    throw new Error('This is no record of the server.')
  }
  return nameOfBytes(readFileSync(record.fd))
}
