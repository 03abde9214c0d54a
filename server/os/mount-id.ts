/** The mount of an open object. */
import { readFileSync } from 'node:fs'
import { call, cString } from './libc.ts'

const AT_EMPTY_PATH = 0x1000
const STATX_MNT_ID = 0x1000
/** Field offsets in struct statx. */
const STATX = { mask: 0, mountId: 144, bytes: 256 } as const

const EMPTY_PATH = cString('')

/** The id of the mount through which an object was opened (statx(2)); empty if the kernel does not report it. */
export function mountIdOf(fd: number): string {
  return statxOf(fd) ?? fdinfoOf(fd) ?? ''
}

/** @returns undefined before Linux 5.8 */
function statxOf(fd: number): string | undefined {
  const stats = new DataView(new ArrayBuffer(STATX.bytes))
  try {
    call('statx', fd, EMPTY_PATH, AT_EMPTY_PATH, STATX_MNT_ID, stats)
  } catch {
    return undefined
  }
  const isReported = (stats.getUint32(STATX.mask, true) & STATX_MNT_ID) !== 0
  return isReported ? String(stats.getBigUint64(STATX.mountId, true)) : undefined
}

/** As proc_pid_fdinfo(5) reports it, which takes ten times as long. */
export function fdinfoOf(fd: number): string | undefined {
  try {
    return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
