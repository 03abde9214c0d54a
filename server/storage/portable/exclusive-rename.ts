/** Renames that replace nothing, with the calls of every system, and on Windows with its own. */
import {
  type BigIntStats,
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import { errnoOf, SystemError } from '#server/os/errno.ts'
import { moveExclusively, movesExclusively } from '#server/os/kernel32.ts'
import { type DiskPath, identityOf } from '#server/storage/local/handles/handle.ts'

/** Errors of link(2) that say what the caller must know. With all others, the file system has no hard link for this. */
const TOLD = ['EEXIST', 'EXDEV', 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT', 'EROFS', 'ENAMETOOLONG']

/**
 * Renames, if the new name is free. A file gets its new name by a link, which fails if the name is taken, and then loses
 * the old one; without links, an empty file takes the new name first. A rename of a folder never replaces a file or a
 * folder with content.
 *
 * @throws SystemError EEXIST; system errors
 */
export function renameExclusively(from: DiskPath, to: DiskPath): void {
  const source = lstatSync(from)
  if (statsAt(to)) throw new SystemError('rename', 'EEXIST')
  if (movesExclusively) moveExclusively(String(from), String(to))
  else if (source.isDirectory()) renameFolder(from, to)
  // Some systems link to what a symbolic link leads to.
  else if (source.isSymbolicLink() || !linkInstead(from, to)) renameOntoEmpty(from, to)
}

function renameFolder(from: DiskPath, to: DiskPath): void {
  try {
    renameSync(from, to)
  } catch (error) {
    const isTaken = ['ENOTEMPTY', 'ENOTDIR'].includes(errnoOf(error) ?? '') && statsAt(to)
    throw isTaken ? new SystemError('rename', 'EEXIST') : error
  }
}

/** @returns false if the file system has no link for this file */
function linkInstead(from: DiskPath, to: DiskPath): boolean {
  try {
    linkSync(from, to)
  } catch (error) {
    if (TOLD.includes(errnoOf(error) ?? '')) throw error
    return false
  }
  try {
    unlinkSync(from)
  } catch (error) {
    unlinkSync(to)
    throw error
  }
  return true
}

function renameOntoEmpty(from: DiskPath, to: DiskPath): void {
  closeSync(openSync(to, 'wx', 0o600))
  const empty = statsAt(to)
  try {
    // Another program may have written to it.
    if (!isStillEmpty(empty, statsAt(to))) throw new SystemError('rename', 'EEXIST')
    renameSync(from, to)
  } catch (error) {
    if (isStillEmpty(empty, statsAt(to))) unlinkSync(to)
    throw error
  }
}

function isStillEmpty(before: BigIntStats | undefined, now: BigIntStats | undefined): boolean {
  return !!before && !!now && identityOf(before) === identityOf(now) && now.size === 0n
}

function statsAt(path: DiskPath): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })
}
