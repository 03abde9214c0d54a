/** Creates small files with one call after the other: a change to another thread takes longer than such a call. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { TaskFailure } from '#server/lib/worker-thread.ts'
import { errnoOf } from '#server/os/errno.ts'
import { setModified } from '#server/os/set-modified.ts'

/** A file with its whole content. */
export interface NewFile {
  /** A free name, for node:fs. */
  path: string | Uint8Array
  bytes: Uint8Array
  /** Permission bits, whatever the umask is. */
  mode: number
  /** The present time if absent. */
  modifiedMs?: number | undefined
}

/** Flags of open(2) for a name that must be free. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** The bits of a mode without the type of the file. */
const MODE_BITS = 0o7777

/** The failure of each new file, in order; undefined for a file that did not fail. */
export type FileFailures = (TaskFailure | undefined)[]

/** How new files are flushed. */
export interface NewFileFlush {
  /** Flushes an open file; undefined leaves all flushing to the kernel. */
  flush: ((fd: number) => void | Promise<void>) | undefined
  /** Called when all files are written, before they are flushed; not called if nothing is flushed. */
  onWritten(failures: FileFailures): void
}

/**
 * Creates files, and flushes them when all are written, so that file systems combine the flushes. A file that
 * cannot be written is removed; one that cannot be flushed stays.
 *
 * @returns the failures, also those that were passed to `onWritten`
 */
export async function createFiles(
  files: readonly NewFile[],
  { flush, onWritten }: NewFileFlush,
): Promise<FileFailures> {
  const written = files.map((file) => {
    try {
      return createFile(file)
    } catch (error) {
      return asTaskFailure(error)
    }
  })
  if (flush) onWritten(written.map((file) => (typeof file === 'number' ? undefined : file)))
  const results: FileFailures = []
  for (const file of written) {
    results.push(typeof file === 'number' ? await complete(file, flush).catch(asTaskFailure) : file)
  }
  return results
}

/**
 * Creates a file. If that fails, there is no file.
 *
 * @returns the descriptor, which the caller closes
 * @throws system errors; EEXIST if the name is taken
 */
export function createFile({ path, bytes, mode, modifiedMs }: NewFile): number {
  const fd = openSync(diskPath(path), FLAGS, mode)
  try {
    for (let done = 0; done < bytes.length; )
      done += writeSync(fd, bytes, done, bytes.length - done)
    if ((fstatSync(fd).mode & MODE_BITS) !== mode) fchmodSync(fd, mode)
    if (modifiedMs !== undefined) setModified(fd, modifiedMs)
    return fd
  } catch (error) {
    closeSync(fd)
    unlinkSync(diskPath(path))
    throw error
  }
}

/** An error as a message. */
export function asTaskFailure(error: unknown): TaskFailure {
  const code = errnoOf(error)
  return { failure: String(error), ...(code !== undefined && { code }) }
}

async function complete(fd: number, flush: NewFileFlush['flush']): Promise<undefined> {
  try {
    await flush?.(fd)
  } finally {
    // A network file system may write the content only when the file is closed.
    closeSync(fd)
  }
}

/** A message contains the bytes of a buffer as an array. */
function diskPath(path: string | Uint8Array): string | Buffer {
  return typeof path === 'string' ? path : Buffer.from(path)
}
