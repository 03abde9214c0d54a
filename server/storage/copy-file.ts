/** One regular file copied whole: bytes, holes, extended attributes, times. */
import { constants, copyFile, promises, type Stats } from 'node:fs'
import { promisify } from 'node:util'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { failure, libc } from '#server/os/libc.ts'
import { copyAttributes } from './attributes.ts'
import type { DiskPath, Handle } from './handle.ts'
import { READ_FLAGS } from './local-resolve.ts'

const CHUNK_BYTES = 1024 * 1024
/** Larger files are copied in parts when somebody counts them. */
const AT_ONCE_BYTES = 8 * 1024 * 1024
/** st_blocks counts these, whatever the file system's own blocks are (stat(2)). */
const BLOCK_BYTES = 512
const SEEK_DATA = 3
const SEEK_HOLE = 4

const copyBytes = promisify(copyFile)

/** What a finished file gets beside its bytes. */
export interface FileAttributes {
  /** Permission bits. */
  mode: number
  modifiedMs?: number | undefined
  /** Keep this owner, where the server may give files away. */
  owner?: Pick<Stats, 'uid' | 'gid'> | undefined
}

/**
 * Copies the bytes of a file to a new name, holes as holes, and its extended attributes; then makes it as it is to be,
 * and forces it to the disk.
 *
 * @param copied called with each part of a large file; what it throws stops the copy
 * @throws system errors; EEXIST when the name is taken
 */
export async function copyWhole(
  source: Handle,
  to: DiskPath,
  attributes: FileAttributes,
  flushes: FlushQueue,
  copied?: (bytes: number) => void,
): Promise<void> {
  using readable = source.reopen(READ_FLAGS)
  const stats = readable.stat()
  const isSparse = stats.blocks * BLOCK_BYTES < stats.size
  const inParts = copied !== undefined && stats.size > AT_ONCE_BYTES
  if (isSparse || (inParts && !(await cloned(readable, to)))) {
    await copySpans(readable, stats.size, to, copied)
  } else if (!inParts) {
    await copyBytes(readable.disk, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
  const file = await settled(to, attributes, readable)
  try {
    await flushes.file(file.fd)
  } finally {
    await file.close()
  }
}

/** Shares the bytes of a file with a new name. @returns false where the file system does not */
async function cloned(source: Handle, to: DiskPath): Promise<boolean> {
  try {
    await copyBytes(source.disk, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw error
    await promises.rm(to, { force: true })
    return false
  }
}

/**
 * Gives a file its extended attributes (those of `like`), owner, mode and time, in this order, for each
 * may clear what comes after it.
 *
 * @returns the open file, for the caller to force to the disk and to close
 */
export async function settled(
  path: DiskPath,
  { mode, modifiedMs, owner }: FileAttributes,
  like?: Handle,
): Promise<promises.FileHandle> {
  const file = await promises.open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if (like) copyAttributes(like.fd, file.fd)
    if (owner && process.getuid?.() === 0) await file.chown(owner.uid, owner.gid)
    await file.chmod(mode)
    if (modifiedMs !== undefined) await file.utimes(Date.now() / 1000, modifiedMs / 1000)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Copies the spans that hold data and leaves the rest a hole. */
async function copySpans(
  source: Handle,
  sizeBytes: number,
  to: DiskPath,
  copied: (bytes: number) => void = () => undefined,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const target = await promises.open(to, flags, 0o600)
  const reader = await promises.open(source.disk, READ_FLAGS)
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let end = 0; end < sizeBytes; ) {
      const first = seek(source.fd, end, SEEK_DATA) ?? sizeBytes
      end = seek(source.fd, first, SEEK_HOLE) ?? sizeBytes
      for (let at = first; at < end; ) {
        const want = Math.min(buffer.length, end - at)
        const { bytesRead } = await reader.read(buffer, 0, want, at)
        if (bytesRead === 0) throw new Error('The file became shorter while it was copied.')
        await writeAll(target, buffer.subarray(0, bytesRead), at)
        at += bytesRead
        copied(bytesRead)
      }
    }
    await target.truncate(sizeBytes)
  } finally {
    await reader.close()
    await target.close()
  }
}

async function writeAll(file: promises.FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
  }
}

/** The next data or hole from an offset on; undefined when there is none before the end. */
function seek(fd: number, offset: number, whence: number): number | undefined {
  if (!libc) return whence === SEEK_DATA ? offset : undefined
  const found = Number(libc.lseek(fd, offset, whence))
  if (found >= 0) return found
  const error = failure('lseek')
  // No data after the offset (ENXIO), or a file system without holes (EINVAL): all of it is data.
  if (error.code === 'ENXIO') return undefined
  if (error.code === 'EINVAL') return whence === SEEK_DATA ? offset : undefined
  throw error
}
