/** Extended attributes (xattr(7)) of files. */
import { ptr } from 'bun:ffi'
import { cName, lastError, libc } from '#server/os/libc.ts'

const NAMES_BYTES = 64 * 1024
const VALUE_BYTES = 64 * 1024

/** Names of attributes that are copied: those set by users, and access control lists; not those of kernel and root. */
const COPIED = /^(user\.|system\.posix_acl_)/
/** Errors of a destination that cannot store an attribute; the attribute is then left out. */
const UNSUPPORTED = ['EOPNOTSUPP', 'EPERM', 'EACCES', 'ENOSPC', 'E2BIG', 'ENODATA', 'ERANGE']

/**
 * Copies the extended attributes of one open file to another. Attributes that the destination's file system does not
 * support are left out, as `cp --preserve` does.
 *
 * @param from a file descriptor, as `to`
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
    if (result < 0) throwUnlessUnsupported(lastError('fsetxattr'))
  }
}

function attributesOf(fd: number): string[] {
  const buffer = new Uint8Array(NAMES_BYTES)
  const length = Number(libc?.flistxattr(fd, ptr(buffer), buffer.length) ?? 0)
  if (length <= 0) return []
  const names = new TextDecoder().decode(buffer.subarray(0, length)).split('\0')
  return names.filter((name) => COPIED.test(name))
}

function throwUnlessUnsupported(error: Error & { code: string }): void {
  if (!UNSUPPORTED.includes(error.code)) throw error
}
