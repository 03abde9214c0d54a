/** Flags of inodes (ioctl_iflags(2)). */
import { ptr } from 'bun:ffi'
import { libc } from './libc.ts'

/** _IOR('f', 1, long) with a 64-bit long, although the result is an int. */
const FS_IOC_GETFLAGS = 0x80086601
const FS_CASEFOLD_FL = 0x40000000

/**
 * Whether an open folder ignores the case of names (`chattr +F`).
 *
 * @param fd opened for reading
 */
export function isMarkedCaseless(fd: number): boolean {
  const flags = new Int32Array(2)
  if (libc?.ioctl(fd, FS_IOC_GETFLAGS, ptr(flags)) !== 0) return false
  return ((flags[0] ?? 0) & FS_CASEFOLD_FL) !== 0
}
