/** Names the entry of a tree that an error is about, for users who move or copy the whole tree. */
import { errnoOf } from '#server/os/errno.ts'
import { Fault } from '#wire/fault.ts'
import { isFull } from '../attributes/own-folder.ts'
import { lstatAt, refusedName, type Slot } from '../handles/atomic.ts'
import { toFault } from '../handles/faults.ts'

export interface TreeEntry {
  /** In the tree; empty for the tree itself. */
  path: string
  /** Whether it still exists. */
  exists(): boolean
  /** Where it is copied to; undefined if nothing is created. */
  to?: Slot
}

/**
 * @param error of an entry
 * @returns a Fault with the path, if a system call failed because of the entry; otherwise the error
 */
export function entryError(error: unknown, { path, exists, to }: TreeEntry): unknown {
  const errno = errnoOf(error)
  if (path === '' || errno === undefined || error instanceof Fault || isFull(error)) return error
  // Some file systems say so of a name that they refuse.
  const isRefused = errno === 'ENOENT' && to && exists() && !lstatAt(to)
  return inEntry(toFault(isRefused ? refusedName('copy', to, error) : error), path)
}

/** Adds the path of an entry to a fault. */
export function inEntry({ code, message, errno, reason, cause }: Fault, path: string): Fault {
  return new Fault(code, path === '' ? message : `“${path}”: ${message}`, {
    cause,
    ...(errno && { errno }),
    ...(reason && { reason }),
    ...(path !== '' && { item: path }),
  })
}

/** @returns the path of an entry in the folder at `path` */
export function entryPath(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}
