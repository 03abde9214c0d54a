/** Extended attributes (xattr(7)) of files. */
import { ptr } from 'bun:ffi'
import { cName, cPath, lastErrno, lastError, libc } from '#server/os/libc.ts'
import type { DiskPath } from '../handles/handle.ts'

const NAMES_BYTES = 64 * 1024
const VALUE_BYTES = 64 * 1024
/** Most values are shorter; a longer one is read again. */
const SHORT_BYTES = 1024

/** Names of attributes that are copied: those set by users, and access lists; not those of kernel and root. */
const COPIED = /^(user\.|system\.posix_acl_)/
const COPIED_WITHOUT_LISTS = /^user\./

/**
 * Copies the extended attributes of one open file to another. Attributes that the destination's file system does not
 * support are left out, as `cp --preserve` does.
 *
 * @param from a file descriptor, as `to`
 * @param options `lists`: whether access lists are copied too
 * @throws SystemError EIO
 */
export function copyAttributes(from: number, to: number, { lists }: { lists: boolean }): void {
  if (!libc) return
  const copied = lists ? COPIED : COPIED_WITHOUT_LISTS
  const value = new Uint8Array(VALUE_BYTES)
  for (const name of attributesOf(from)) {
    if (!copied.test(name)) continue
    const length = Number(libc.fgetxattr(from, ptr(cName(name)), ptr(value), value.length))
    if (length >= 0) setAttribute(to, name, value.subarray(0, length))
  }
}

/**
 * @param path followed if it is a link, as are those of /proc to open files
 * @returns undefined if the object has no such attribute, or the file system none at all
 */
export function attributeAt(path: DiskPath, name: string): Uint8Array | undefined {
  if (!libc) return undefined
  const [pathBytes, nameBytes] = [cPath(path), cName(name)]
  for (const bytes of [SHORT_BYTES, VALUE_BYTES]) {
    const value = new Uint8Array(bytes)
    const length = Number(libc.getxattr(ptr(pathBytes), ptr(nameBytes), ptr(value), value.length))
    if (length >= 0) return value.subarray(0, length)
    if (lastErrno() !== 'ERANGE') return undefined
  }
  return undefined
}

/**
 * @returns false if the file system does not support the attribute
 * @throws SystemError EIO
 */
export function setAttribute(fd: number, name: string, value: Uint8Array): boolean {
  if (!libc) return false
  const result = libc.fsetxattr(fd, ptr(cName(name)), ptr(value), value.length, 0)
  if (result === 0) return true
  const error = lastError('fsetxattr')
  // With any other number the destination says that it cannot store the attribute, which is then left out.
  if (error.code === 'EIO') throw error
  return false
}

/** Removes an attribute, if there is one; as far as this process may. */
export function removeAttribute(path: DiskPath, name: string): void {
  libc?.removexattr(ptr(cPath(path)), ptr(cName(name)))
}

function attributesOf(fd: number): string[] {
  const buffer = new Uint8Array(NAMES_BYTES)
  const length = Number(libc?.flistxattr(fd, ptr(buffer), buffer.length) ?? 0)
  if (length <= 0) return []
  return new TextDecoder().decode(buffer.subarray(0, length)).split('\0').filter(Boolean)
}
