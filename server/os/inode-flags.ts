/** Flags of inodes (ioctl_iflags(2)). */
import { ptr } from 'bun:ffi'
import { call, cName, libc } from './libc.ts'

/** _IOR('f', 1, long) with a 64-bit long, although the result is an int. */
const FS_IOC_GETFLAGS = 0x80086601
const FS_CASEFOLD_FL = 0x40000000
const AT_SYMLINK_NOFOLLOW = 0x100
const AT_EMPTY_PATH = 0x1000
const STATX_ATTR_IMMUTABLE = 0x10n
const STATX_ATTR_APPEND = 0x20n
/** Field offsets in struct statx. */
const STATX = { attributes: 8, bytes: 256 } as const

/**
 * Whether an object is immutable or append-only: no process can remove it, or anything from it, not even as root. False
 * if the file system does not report it.
 *
 * @param name in the open folder; by default the folder itself
 */
export function isFixed(fd: number, name = ''): boolean {
  const stats = new DataView(new ArrayBuffer(STATX.bytes))
  try {
    const flags = name === '' ? AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW
    call('statx', fd, cName(name), flags, 0, stats)
  } catch {
    return false
  }
  const attributes = stats.getBigUint64(STATX.attributes, true)
  return (attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) !== 0n
}

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
