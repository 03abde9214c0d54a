/**
 * Creates small files. In a thread that flushes, nothing is handed over between the steps. On the main thread, which does
 * this only until such a thread has started, threads of the runtime do each step.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  promises,
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
  const written: (OpenFile | TaskFailure)[] = []
  for (const file of files) written.push(await write(file).catch(asTaskFailure))
  if (flush) onWritten(written.map((file) => ('fd' in file ? undefined : file)))
  const results: FileFailures = []
  for (const file of written) {
    results.push('fd' in file ? await complete(file, flush).catch(asTaskFailure) : file)
  }
  return results
}

/** An error as a message. */
export function asTaskFailure(error: unknown): TaskFailure {
  const code = errnoOf(error)
  return { failure: String(error), ...(code !== undefined && { code }) }
}

/** @returns the descriptor */
async function write({ path, bytes, mode, modifiedMs }: NewFile): Promise<OpenFile> {
  const file = await openFile(diskPath(path), FLAGS, mode)
  try {
    for (let done = 0; done < bytes.length; )
      done += (await file.write(bytes, done, bytes.length - done)).bytesWritten
    if ((fstatSync(file.fd).mode & MODE_BITS) !== mode) await file.chmod(mode)
    if (modifiedMs !== undefined) await setModified(file.fd, modifiedMs)
    return file
  } catch (error) {
    await file.close()
    unlinkSync(diskPath(path))
    throw error
  }
}

async function complete(file: OpenFile, flush: NewFileFlush['flush']): Promise<undefined> {
  try {
    await flush?.(file.fd)
  } finally {
    // A network file system may write the content only when the file is closed.
    await file.close()
  }
}

/** A file that is being written. */
interface OpenFile {
  fd: number
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
  ): Promise<{ bytesWritten: number }> | { bytesWritten: number }
  chmod(mode: number): Promise<void> | void
  close(): Promise<void> | void
}

/** On the main thread, threads of the runtime make the calls. Another thread makes them itself. */
const openFile: (path: string | Buffer, flags: number, mode: number) => Promise<OpenFile> =
  Bun.isMainThread ? promises.open : openHere

async function openHere(path: string | Buffer, flags: number, mode: number): Promise<OpenFile> {
  const fd = openSync(path, flags, mode)
  return {
    fd,
    write: (bytes, offset, length) => ({ bytesWritten: writeSync(fd, bytes, offset, length) }),
    chmod: (bits) => fchmodSync(fd, bits),
    close: () => closeSync(fd),
  }
}

/** A message contains the bytes of a buffer as an array. */
function diskPath(path: string | Uint8Array): string | Buffer {
  return typeof path === 'string' ? path : Buffer.from(path)
}
