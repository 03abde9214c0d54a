/**
 * Sets modification times. Those before 1970 need a call of Linux; elsewhere they become the beginning of 1970, because the
 * runtime takes a negative time for the present.
 */
import { futimesSync, lutimesSync } from 'node:fs'
import { call, cPath, libc } from './libc.ts'

/** Arguments of utimensat(2). */
const AT_FDCWD = -100
const AT_SYMLINK_NOFOLLOW = 0x100
const UTIME_NOW = (1 << 30) - 1
const NANOSECONDS_MAX = 999_999_999
const NO_PATH = 0

/**
 * Sets the modification time of an open file or folder, and its access time to the present.
 *
 * @throws system errors
 */
export function setModified(fd: number, modifiedMs: number): void {
  if (modifiedMs >= 0 || !libc) futimesSync(fd, Date.now() / 1000, Math.max(0, modifiedMs) / 1000)
  else call('utimensat', fd, NO_PATH, timesOf(modifiedMs), 0)
}

/**
 * As `setModified`, of a path; a link itself and not its target.
 *
 * @throws system errors
 */
export function setModifiedAt(path: string | Buffer, modifiedMs: number): void {
  if (modifiedMs >= 0 || !libc) {
    lutimesSync(path, Date.now() / 1000, Math.max(0, modifiedMs) / 1000)
    return
  }
  call('utimensat', AT_FDCWD, cPath(path), timesOf(modifiedMs), AT_SYMLINK_NOFOLLOW)
}

/** Two `timespec`: the access time and the modification time. */
function timesOf(modifiedMs: number): BigUint64Array {
  const seconds = Math.floor(modifiedMs / 1000)
  const nanoseconds = Math.round((modifiedMs - seconds * 1000) * 1e6)
  const times = new BigUint64Array(4)
  times[1] = BigInt(UTIME_NOW)
  times[2] = BigInt.asUintN(64, BigInt(seconds))
  times[3] = BigInt(Math.min(nanoseconds, NANOSECONDS_MAX))
  return times
}
