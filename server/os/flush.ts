/**
 * Flushes to the disk: of files, and of names, which survive a power failure when their folder is flushed. On macOS fsync(2)
 * leaves the bytes in the cache of the disk, and another call flushes that too (F_FULLFSYNC of fcntl(2)).
 */
import { dlopen, FFIType } from 'bun:ffi'
import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'

/** What is flushed of a file: all of it, or only its data without times and permissions. */
export type FileExtent = 'file' | 'data'

/** Windows has no call that flushes a folder. NTFS and ReFS note changes of names in their own journal (SECURITY.md). */
export const flushesFolders = process.platform !== 'win32'

/** Whether the runtime's own threads flush as completely as `flushOpen`. */
export const flushesInRuntime = process.platform !== 'darwin'

const F_FULLFSYNC = 51

/** Tells whether the cache of the disk was flushed too. Some file systems, such as those of network drives, cannot do that. */
const flushFully = flushesInRuntime ? undefined : openFullFlush()

/** Flushes an open file or folder. @throws system errors */
export function flushOpen(fd: number, extent: FileExtent = 'file'): void {
  if (flushFully?.(fd)) return
  if (extent === 'data') fdatasyncSync(fd)
  else fsyncSync(fd)
}

/** Flushes a file. Windows flushes only through a descriptor for writing. @throws system errors */
export function flushFile(path: string): void {
  flush(path, 'r+')
}

/** Flushes the names in a folder, if the system can. @throws system errors */
export function flushFolder(path: string): void {
  if (flushesFolders) flush(path, 'r')
}

function flush(path: string, flags: 'r' | 'r+'): void {
  const fd = openSync(path, flags)
  try {
    flushOpen(fd)
  } finally {
    closeSync(fd)
  }
}

/** @returns undefined without the library of the system */
function openFullFlush(): ((fd: number) => boolean) | undefined {
  try {
    const { symbols } = dlopen('/usr/lib/libSystem.B.dylib', {
      // It takes more arguments for other commands.
      fcntl: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    })
    return (fd) => symbols.fcntl(fd, F_FULLFSYNC) === 0
  } catch {
    return undefined
  }
}
