/** Rules for a rename onto an existing name. */
import type { BigIntStats } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { caselessText } from '#wire/fold.ts'
import type { Slot } from './atomic.ts'
import { identityOf } from './handle.ts'

/**
 * @throws Fault conflict (the name is taken, without `overwrite`), isDirectory and notDirectory (a file would replace a
 *   folder, or the reverse)
 */
export function refuseTaken(
  source: { isDirectory(): boolean },
  existing: { isDirectory(): boolean } | undefined,
  overwrite: boolean,
): void {
  if (!existing) return
  if (!overwrite) throw nameTaken()
  if (existing.isDirectory() === source.isDirectory()) return
  if (existing.isDirectory()) throw new Fault('isDirectory', 'A folder already has this name.')
  throw new Fault('notDirectory', 'A file already has this name.')
}

/**
 * Refuses to replace an object by itself. The same object can be reached by two paths.
 *
 * @throws Fault conflict
 */
export function refuseSameObject(
  source: Slot,
  target: Slot,
  from: BigIntStats,
  to: BigIntStats | undefined,
): void {
  if (!to || !isSameObject(from, to)) return
  const isOneName =
    source.name === target.name && source.parent.identity() === target.parent.identity()
  // The object has only one name, so it was reached through two mounts.
  if (isOneName || from.isDirectory() || from.nlink === 1n) {
    throw new Fault('conflict', 'Source and destination are the same.', {
      reason: 'sameDestination',
    })
  }
}

export function nameTaken(): Fault {
  return new Fault('conflict', 'The name is already taken.')
}

export function intoItself(): Fault {
  return new Fault(
    'badRequest',
    'A folder cannot be moved or copied into itself (source is parent).',
  )
}

/**
 * Whether a rename changes only the spelling of a name that the file system does not distinguish, so that the new name
 * finds the source. Some file systems give each spelling an inode number of its own; then the folder has only one of the
 * two names.
 */
export function isCaseChange(
  source: Slot,
  target: Slot,
  from: BigIntStats,
  to: BigIntStats,
): boolean {
  const sameName = caselessText(source.name) === caselessText(target.name)
  const sameFolder = source.parent.identity() === target.parent.identity()
  if (source.name === target.name || !sameName || !sameFolder) return false
  return isSameObject(from, to) || !source.parent.names().includes(target.name)
}

/** Whether two stats are of the same object. */
export function isSameObject(a: BigIntStats, b: BigIntStats): boolean {
  return identityOf(a) === identityOf(b)
}
