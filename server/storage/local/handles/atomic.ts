/**
 * Atomic publication. New content is staged in the private folder, flushed and renamed. So a reader gets either the old
 * file or the new one, never a part, and after a crash the disk has one of them.
 */
import { type BigIntStats, closeSync, constants, lstatSync, openSync, renameSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf, isUnsupported, SystemError } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { flushesFolders } from '#server/os/flush.ts'
import { numberedName } from '#wire/free-names.ts'
import { type Handle, identityOf } from './handle.ts'

/** A name in an open folder: the location of an existing or a future entry, or of staged content. */
export interface Slot {
  parent: Handle
  name: string
  /** The path that the folder had when access to it was checked. */
  pathWhenChecked?: string
}

/** How many numbered names are tried for a restored item. */
const MAX_TRIES = 1000

/**
 * Frees room on a full disk.
 *
 * @returns false if nothing can be freed
 */
export type MakeRoom = () => Promise<boolean>

/**
 * Renames only if the new name is free.
 *
 * @throws SystemError EEXIST (the new name is taken), EXDEV (it is on another file system, or cannot be renamed), EINVAL
 *   (the file system does not accept the name)
 */
export function renameToFree(from: Slot, to: Slot): void {
  try {
    from.parent.renameToFree(from.name, to.parent, to.name)
  } catch (error) {
    if (['EEXIST', 'EXDEV'].includes(errnoOf(error) ?? '')) throw error
    // File systems report a missing call or flag with many numbers. Without it, a check and a rename remain.
    if (lstatAt(to)) throw new SystemError('rename', 'EEXIST')
    renameChecked(from, to)
  }
}

/**
 * Renames. Some file systems report a name that they do not accept as missing.
 *
 * @throws system errors; SystemError EINVAL for such a name
 */
function renameChecked(from: Slot, to: Slot): void {
  try {
    renameSync(from.parent.at(from.name), to.parent.at(to.name))
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' && lstatAt(from) ? refusedName('rename', to, error) : error
  }
}

/**
 * The error for a name that could not be created, as if it or its folder did not exist.
 *
 * @param error ENOENT, returned if the folder was removed
 */
export function refusedName(call: string, { parent }: Slot, error: unknown): unknown {
  return parent.stat().nlink > 0 ? new SystemError(call, 'EINVAL') : error
}

/**
 * Replaces exactly the object that `existing` describes by a staged one, in one step. The old object then has the
 * staged name. A file system that lacks renameat2(2) needs two steps, a check and a rename, and the old object is gone.
 *
 * @param existing the object that the caller expects at `to`; undefined if the name must be free
 * @returns false if another object is at `to`; nothing is changed then
 * @throws system errors, such as EXDEV (the two names are on different file systems)
 */
export function replaceExactly(staged: Slot, to: Slot, existing: BigIntStats | undefined): boolean {
  try {
    if (!existing) renameToFree(staged, to)
    else return exchange(staged, to, existing)
    return true
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) return false
    throw error
  }
}

/** @returns the stats of a name, without following a link; undefined if it does not exist */
export function lstatAt({ parent, name }: Slot): BigIntStats | undefined {
  return lstatSync(parent.at(name), { bigint: true, throwIfNoEntry: false })
}

/**
 * Gives a hidden item its name again. If the name is taken, it tries `name(1)`, `name(2)` and so on, cut to the longest
 * length of a name.
 *
 * @throws system errors
 */
export function restoreName(from: Slot, to: Slot): void {
  for (let number = 0; number < MAX_TRIES; number += 1) {
    try {
      renameToFree(from, {
        parent: to.parent,
        name: number === 0 ? to.name : numberedName(to.name, number, true),
      })
      return
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
  }
  throw new SystemError('rename', 'EEXIST')
}

/**
 * Flushes the names in a folder, with all changes made before the call. The caller keeps the folder open until this
 * resolves. Does nothing on systems and file systems that cannot flush a folder, or are read-only.
 */
export async function syncFolder(folder: Handle, flushes: FlushQueue): Promise<void> {
  if (!flushesFolders) return
  const flags = constants.O_RDONLY | O_DIRECTORY
  try {
    await flushes.shared({
      key: folder.identity(),
      isQuick: true,
      open: () => openSync(folder.disk, flags),
      close: closeSync,
    })
  } catch (error) {
    if (errnoOf(error) !== 'EROFS' && !isUnsupported(error)) throw error
  }
}

/**
 * Repeats `act` while the disk is full and room can be freed.
 *
 * @throws what `act` throws
 */
export async function withRoom<T>(
  makeRoom: MakeRoom | undefined,
  act: () => T | Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const isFull = ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '')
      if (!isFull || !(await makeRoom?.())) throw error
    }
  }
}

/** Exchanges the two names. If the object that gets the staged name is not the expected one, exchanges them back. */
function exchange(staged: Slot, to: Slot, existing: BigIntStats): boolean {
  try {
    staged.parent.exchange(staged.name, to.parent, to.name)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw error
    if (!isUnchanged(existing, lstatAt(to))) return false
    renameSync(staged.parent.at(staged.name), to.parent.at(to.name))
    return true
  }
  if (isUnchanged(existing, lstatAt(staged))) return true
  staged.parent.exchange(staged.name, to.parent, to.name)
  return false
}

function isUnchanged(before: BigIntStats, current: BigIntStats | undefined): boolean {
  return (
    !!current &&
    identityOf(before) === identityOf(current) &&
    before.mtimeNs === current.mtimeNs &&
    before.size === current.size
  )
}
