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
  if (!overwrite) throw new Fault('conflict', 'The name is already taken.')
  if (existing.isDirectory() === source.isDirectory()) return
  if (existing.isDirectory()) throw new Fault('isDirectory', 'A folder has this name.')
  throw new Fault('notDirectory', 'A file has this name.')
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
