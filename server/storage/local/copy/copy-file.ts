/** Copies a regular file with its holes, extended attributes and modification time. */
import { chmodSync, constants, fchmodSync, fstatSync, type Stats } from 'node:fs'
import { errnoOf, isUnsupported } from '#server/os/errno.ts'
import { O_FINISH } from '#server/os/flags.ts'
import { lastError, libc } from '#server/os/libc.ts'
import { setModified } from '#server/os/set-modified.ts'
import { writeAt } from '#server/os/write-at.ts'
import { copyAttributes } from '../attributes/attributes.ts'
import { createWithGroup, giveFileAccess, type Inherited } from '../attributes/inherited-access.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { DiskPath, Handle } from '../handles/handle.ts'
import { READ_FLAGS } from '../handles/resolve.ts'
import { AT_ONCE_BYTES } from '../room/disk-reserve.ts'
import type { FileFlusher } from './copy-pool.ts'

/** Flags of open(2) for a name that must be free. */
const NEW = constants.O_CREAT | constants.O_EXCL
const CHUNK_BYTES = 1024 * 1024
/** The bits of a mode without the type of the file. */
export const MODE_BITS = 0o7777
const WRITABLE_MODE = 0o600
/** If the owner cannot be kept, set-user-id and set-group-id would grant the rights of another user: dropped. */
export const BITS_WITHOUT_OWNER = 0o1777
/** Unit of st_blocks, whatever the block size of the file system (stat(2)). */
const BLOCK_BYTES = 512
/** Arguments of lseek(2). */
const SEEK_DATA = 3
const SEEK_HOLE = 4

/** A staged file that is open. */
export interface OpenStaged {
  fd: number
  close(): void | Promise<void>
}

/** The attributes that a finished file gets. */
export interface FileAttributes {
  /** Permission bits. */
  mode: number
  modifiedMs?: number | undefined
  /**
   * The owner to set. Ignored unless the server runs as root, because only root may change owners. `mayBeLost`: as
   * `keepsOwner`.
   */
  owner?: (Pick<Stats, 'uid' | 'gid'> & { mayBeLost?: boolean }) | undefined
  /** What the file takes over from the folder in which it is new. */
  inherited?: Inherited | undefined
}

/**
 * Copies the bytes, holes and extended attributes of a file to a new name, sets its attributes, and flushes it.
 *
 * @param copied called with the number of bytes of each part of a large or sparse file, unless the file is cloned;
 *   throwing stops the copy
 * @throws system errors; EEXIST if the name is taken
 */
export async function copyWhole(
  source: Handle,
  to: DiskPath,
  attributes: FileAttributes,
  flushes: FileFlusher,
  copied?: (bytes: number) => void,
): Promise<void> {
  using readable = source.reopen(READ_FLAGS)
  const stats = readable.stat()
  const isSparse = stats.blocks * BLOCK_BYTES < stats.size
  const inParts = copied !== undefined && stats.size > AT_ONCE_BYTES
  if (createWithGroup(attributes.inherited, to)) {
    await copyDataRanges(readable, stats.size, { to, flags: 0 }, copied)
  } else if (isSparse || (inParts && !(await tryClone(readable, to)))) {
    await copyDataRanges(readable, stats.size, { to, flags: NEW }, copied)
  } else if (!inParts) {
    await fileCalls.copyFile(
      readable.disk,
      to,
      constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE,
    )
  }
  // A copy of a file that is read-only on Windows is read-only too, and could not be opened for writing.
  if (O_FINISH !== constants.O_RDONLY) chmodSync(to, WRITABLE_MODE)
  const file = await fileCalls.open(to, O_FINISH | constants.O_NOFOLLOW)
  try {
    await setAttributes(file, attributes, readable)
    await flushes.file(file.fd)
  } finally {
    await file.close()
  }
}

/**
 * Clones a file: the copy shares its blocks on the disk until one of them changes (reflink).
 *
 * @returns false if the file could not be cloned for any reason: the caller copies it, and reports what prevents that
 * @throws EEXIST if the name is taken
 */
async function tryClone(source: Handle, to: DiskPath): Promise<boolean> {
  try {
    await fileCalls.copyFile(
      source.disk,
      to,
      constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE,
    )
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw error
    await fileCalls.rm(to, { force: true })
    return false
  }
}

/**
 * Sets the extended attributes (copied from `like`), owner, mode and time, in this order, because setting one may
 * change those that are set after it.
 */
export async function setAttributes(
  { fd }: OpenStaged,
  { mode, modifiedMs, owner, inherited }: FileAttributes,
  like?: Handle,
): Promise<void> {
  if (like) copyAttributes(like.fd, fd, { lists: !inherited?.list })
  const set = async () => {
    if (owner && process.getuid?.() === 0) await fileCalls.fchown(fd, owner.uid, owner.gid)
  }
  let isOwned = true
  if (owner?.mayBeLost) isOwned = await keepsOwner(set)
  else await set()
  const bits = isOwned ? mode : mode & BITS_WITHOUT_OWNER
  const isSet = (fstatSync(fd).mode & MODE_BITS) === (bits & MODE_BITS)
  if (inherited) giveFileAccess(fd, inherited, bits)
  // Mode and time are set in memory, so a change to another thread would take longer.
  else if (!isSet) fchmodSync(fd, bits)
  if (modifiedMs !== undefined) setModified(fd, modifiedMs)
}

/**
 * Sets the owner of a copy. Some file systems have no owners, and a remote one may let the server's account set none; there the
 * copy belongs to that account.
 *
 * @returns whether the owner was set
 * @throws other errors of `set`
 */
export async function keepsOwner(set: () => Promise<void>): Promise<boolean> {
  try {
    await set()
    return true
  } catch (error) {
    if (!['EPERM', 'EACCES'].includes(errnoOf(error) ?? '') && !isUnsupported(error)) throw error
    return false
  }
}

/** @returns the mode with execute permission for all who may read */
export function executable(mode: number): number {
  return mode | ((mode & 0o444) >> 2)
}

/** Copies the ranges that contain data, and leaves holes between them. */
async function copyDataRanges(
  source: Handle,
  sizeBytes: number,
  { to, flags }: { to: DiskPath; flags: number },
  copied: (bytes: number) => void = () => undefined,
): Promise<void> {
  const writing = constants.O_WRONLY | constants.O_NOFOLLOW
  await using target = await fileCalls.open(to, writing | flags, 0o600)
  await using reader = await fileCalls.open(source.disk, READ_FLAGS)
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let end = 0; end < sizeBytes; ) {
    const first = seek(source.fd, end, SEEK_DATA) ?? sizeBytes
    end = seek(source.fd, first, SEEK_HOLE) ?? sizeBytes
    for (let offset = first; offset < end; ) {
      const length = Math.min(buffer.length, end - offset)
      const { bytesRead } = await reader.read(buffer, 0, length, offset)
      if (bytesRead === 0) throw new Error('The file became shorter while it was copied.')
      await writeAt(target, buffer.subarray(0, bytesRead), offset)
      offset += bytesRead
      copied(bytesRead)
    }
  }
  await target.truncate(sizeBytes)
}

/** @returns the offset of the next data or hole; undefined if there is none before the end */
function seek(fd: number, offset: number, whence: number): number | undefined {
  if (!libc) return whence === SEEK_DATA ? offset : undefined
  const position = Number(libc.lseek(fd, offset, whence))
  if (position >= 0) return position
  const error = lastError('lseek')
  // ENXIO: no data after the offset. EINVAL: a file system without holes, so everything is data.
  if (error.code === 'ENXIO') return undefined
  if (error.code === 'EINVAL') return whence === SEEK_DATA ? offset : undefined
  throw error
}
