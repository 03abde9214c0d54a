/** Flushes of names: a new name survives a power failure when its folder is flushed. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Windows has no call that flushes a folder. NTFS and ReFS note changes of names in their own journal (SECURITY.md). */
export const flushesFolders = process.platform !== 'win32'

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
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
