/** Whether the account of the server may read an object. */
import type { Stats } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import type { Handle } from './handle.ts'
import { FOLDER_FLAGS, READ_FLAGS } from './resolve.ts'

/** With these bits everybody may read a file, or list a folder and open its entries. */
const FILE_READ_BITS = 0o444
const FOLDER_READ_BITS = 0o555

/** @throws system errors other than EACCES and EPERM */
export function isReadable(object: Handle, stats: Stats): boolean {
  const isFolder = stats.isDirectory()
  const bits = isFolder ? FOLDER_READ_BITS : FILE_READ_BITS
  if ((stats.mode & bits) === bits) return true
  try {
    using opened = object.reopen(isFolder ? FOLDER_FLAGS : READ_FLAGS)
    // Without the permission to search, names in a folder are known, but nothing can be opened.
    if (isFolder) opened.child('.', FOLDER_FLAGS).close()
    return true
  } catch (error) {
    if (isPermissionError(error)) return false
    throw error
  }
}

/** Whether the system refuses access. */
export function isPermissionError(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')
}
