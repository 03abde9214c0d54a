/** Giving a thing another name: what the name may be, and what happens when it is taken. */
import type { BigIntStats } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import type { Staged } from './atomic.ts'
import { identityOf } from './handle.ts'

/** @throws Fault conflict, isDirectory, notDirectory */
export function refuseTaken(
  source: { isDirectory(): boolean },
  existing: { isDirectory(): boolean } | undefined,
  overwrite: boolean,
): void {
  if (!existing) return
  if (!overwrite) throw taken()
  if (existing.isDirectory() === source.isDirectory()) return
  if (existing.isDirectory()) throw new Fault('isDirectory', 'A folder has this name.')
  throw new Fault('notDirectory', 'A file has this name.')
}

/** Refuses a thing that would take the place of itself, by whatever way that is named. @throws Fault conflict */
export function refuseSameObject(
  source: Staged,
  target: Staged,
  from: BigIntStats,
  to: BigIntStats | undefined,
): void {
  if (!to || !isSame(from, to)) return
  const isOneName =
    source.name === target.name && source.parent.identity() === target.parent.identity()
  // A folder has one name, and so has a file with one link: two were seen through two mounts.
  if (isOneName || from.isDirectory() || from.nlink === 1n) {
    throw new Fault('conflict', 'Source and destination are the same.')
  }
}

export function taken(): Fault {
  return new Fault('conflict', 'The name is already taken.')
}

export function intoItself(): Fault {
  return new Fault('badRequest', 'A folder cannot go into itself (source is parent).')
}

/** On a file system that ignores case, `a` finds itself under `A`: that is no taken name. */
export function isCaseChange(
  source: Staged,
  target: Staged,
  from: BigIntStats,
  to: BigIntStats,
): boolean {
  const sameName = source.name.toLowerCase() === target.name.toLowerCase()
  const sameFolder = source.parent.identity() === target.parent.identity()
  return source.name !== target.name && sameName && sameFolder && isSame(from, to)
}

export function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return identityOf(a) === identityOf(b)
}
