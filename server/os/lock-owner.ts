/** Finds out which process of this machine has locked a file or folder, and whether it has another file open. */

import { fstatSync, readdirSync, statSync } from 'node:fs'
import { procLink, procText } from './proc-files.ts'

/** A row of /proc/locks (proc_locks(5)): `1: FLOCK  ADVISORY  WRITE 4711 fd:01:1234 0 EOF`. */
const EXCLUSIVE_FLOCK = /^\d+: FLOCK +\S+ +WRITE (\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /gm
const HEXADECIMAL = 16

/**
 * @returns the number of the process that has an exclusive flock(2) on the open file or folder; undefined if none has, or
 *   it is in another container
 */
export function lockOwner(fd: number): number | undefined {
  const { ino, dev } = fstatSync(fd)
  const owners = [...procText('/proc/locks').matchAll(EXCLUSIVE_FLOCK)]
    .filter(([, , , , inode]) => Number(inode) === ino)
    .map(([, pid, major = '', minor = '']) => ({
      pid: Number(pid),
      isSameDevice:
        deviceOf(Number.parseInt(major, HEXADECIMAL), Number.parseInt(minor, HEXADECIMAL)) === dev,
    }))
  // Some file systems, such as btrfs, have one number in this table and another one in stat(2).
  const found =
    owners.find(({ isSameDevice }) => isSameDevice) ?? (owners.length === 1 ? owners[0] : undefined)
  return found && found.pid > 0 ? found.pid : undefined
}

/** Whether a process has a file open; undefined if this process may not see that. */
export function hasOpen(pid: number, path: string): boolean | undefined {
  try {
    const { dev, ino } = statSync(path)
    const folder = `/proc/${pid}/fd`
    const ending = path.slice(path.lastIndexOf('/'))
    return readdirSync(folder).some((fd) => {
      // Other files, which may be on a disk that does not answer, are not asked.
      if (!procLink(`${folder}/${fd}`).endsWith(ending)) return false
      const opened = statSync(`${folder}/${fd}`, { throwIfNoEntry: false })
      return opened?.dev === dev && opened.ino === ino
    })
  } catch {
    return undefined
  }
}

/** As `makedev(3)` for the numbers of Linux. */
function deviceOf(major: number, minor: number): number {
  return (major & 0xfff) * 0x100 + (minor & 0xff) + Math.floor(minor / 0x100) * 0x100000
}
