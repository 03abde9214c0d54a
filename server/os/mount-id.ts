/** The mount of an open object. */
import { FFIType, ptr } from 'bun:ffi'
import { readFileSync } from 'node:fs'
import { numberOf } from './call-numbers.ts'
import { cString, openLibrary } from './libc.ts'

const AT_EMPTY_PATH = 0x1000
const STATX_MNT_ID = 0x1000
/** Field offsets in struct statx. */
const STATX = { mask: 0, mountId: 144, bytes: 256 } as const

const EMPTY_PATH = cString('')
/** Shared, because a thread makes one call at a time. */
const stats = new DataView(new ArrayBuffer(STATX.bytes))

/** The call is made for every changed name, so its types are exact, which avoids conversions. */
const { i32, u32, ptr: pointer } = FFIType
const kernel = openLibrary({
  syscall: { args: [i32, i32, pointer, i32, u32, pointer], returns: i32 },
})
const SYS_STATX = numberOf('statx')

/** The id of the mount through which an object was opened (statx(2)); empty if the kernel does not report it. */
export function mountIdOf(fd: number): string {
  return statxOf(fd) ?? fdinfoOf(fd) ?? ''
}

/** @returns undefined before Linux 5.8 */
function statxOf(fd: number): string | undefined {
  if (!kernel) return undefined
  const [path, result] = [ptr(EMPTY_PATH), ptr(stats)]
  if (kernel.syscall(SYS_STATX, fd, path, AT_EMPTY_PATH, STATX_MNT_ID, result) < 0) return undefined
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
