/** The paths of open descriptors (proc_pid_fd(5)), by which Linux opens an object again wherever it is. */
import { closeSync, fstatSync, openSync, readlinkSync } from 'node:fs'
import { O_FOLDER } from './flags.ts'

/** Whether this system has such paths, for descriptors that refer to an object without opening its content. */
export function hasDescriptorPaths(): boolean {
  if (process.platform !== 'linux') return false
  try {
    return opensAgain('/')
  } catch {
    return false
  }
}

/** @throws system errors */
function opensAgain(folder: string): boolean {
  const fd = openSync(folder, O_FOLDER)
  try {
    const path = `/proc/self/fd/${fd}`
    if (readlinkSync(path) !== folder) return false
    const again = openSync(path, O_FOLDER)
    try {
      return fstatSync(again).ino === fstatSync(fd).ino
    } finally {
      closeSync(again)
    }
  } finally {
    closeSync(fd)
  }
}
