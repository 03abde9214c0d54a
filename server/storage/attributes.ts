/** Extended attributes (xattr(7)): what a file carries beside its bytes. */
import { ptr } from 'bun:ffi'
import { cName, failure, libc } from '#server/os/libc.ts'

const NAMES_BYTES = 64 * 1024
const VALUE_BYTES = 64 * 1024

/** Attributes that people and their access lists own; the kernel's and root's own are not copied. */
const KEPT = /^(user\.|system\.posix_acl_)/
/** Where the destination cannot hold an attribute, or may not: the bytes go without it. */
const CANNOT_HOLD = ['EOPNOTSUPP', 'EPERM', 'EACCES', 'ENOSPC', 'E2BIG', 'ENODATA', 'ERANGE']

/**
 * Gives one open file the extended attributes of another. What the destination's file system cannot
 * hold is left out, as `cp --preserve` does.
 *
 * @throws SystemError EIO
 */
export function copyAttributes(from: number, to: number): void {
  if (!libc) return
  const value = new Uint8Array(VALUE_BYTES)
  for (const name of attributesOf(from)) {
    const terminated = cName(name)
    const length = Number(libc.fgetxattr(from, ptr(terminated), ptr(value), value.length))
    if (length < 0) continue
    const result = libc.fsetxattr(to, ptr(terminated), ptr(value), length, 0)
    if (result < 0) ignoreUnless(failure('fsetxattr'))
  }
}

function attributesOf(fd: number): string[] {
  const buffer = new Uint8Array(NAMES_BYTES)
  const length = Number(libc?.flistxattr(fd, ptr(buffer), buffer.length) ?? 0)
  if (length <= 0) return []
  const names = new TextDecoder().decode(buffer.subarray(0, length)).split('\0')
  return names.filter((name) => KEPT.test(name))
}

function ignoreUnless(error: Error & { code: string }): void {
  if (!CANNOT_HOLD.includes(error.code)) throw error
}
