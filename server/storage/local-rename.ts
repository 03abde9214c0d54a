/** Giving a thing another name, and what happens when that name is taken. */
import { readdirSync, renameSync, rmdirSync, type Stats, unlinkSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { type StagedPlace, syncFolder, takeName } from './atomic.ts'
import type { Handle } from './handle.ts'
import { lookAt, type Place, READ_FLAGS } from './local-resolve.ts'

/**
 * Renames. With `overwrite` a file replaces a file in one step, a folder is merged into a folder.
 *
 * @throws Fault conflict, isDirectory, notDirectory; system errors (EXDEV: another file system)
 */
export function rename(source: Place, target: Place, overwrite: boolean): void {
  const [from, to] = [lookAt(source), lookAt(target)]
  const free = !to || (from && isCaseChange(source, target, from, to))
  if (!overwrite) {
    if (to && free) replace(source, target)
    else takeName(source, target)
    return
  }
  if (from && !free) refuseTaken(from, to, true)
  if (to?.isDirectory() && !free) merge(source, target)
  else replace(source, target)
  // Two names of one file: rename(2) leaves both standing.
  if (from && to && !free && isSame(from, to)) unlinkSync(source.parent.at(source.name))
}

/** Moves what a folder holds into another, replacing files one by one; then the empty folder goes. */
export function merge(source: StagedPlace, target: StagedPlace): void {
  using from = source.parent.child(source.name, READ_FLAGS)
  using to = target.parent.child(target.name, READ_FLAGS)
  for (const name of readdirSync(from.disk))
    rename(heldPlace(from, name), heldPlace(to, name), true)
  syncFolder(to)
  rmdirSync(source.parent.at(source.name))
}

/** @throws Fault conflict, isDirectory, notDirectory */
export function refuseTaken(source: Stats, existing: Stats | undefined, overwrite: boolean): void {
  if (!existing) return
  if (!overwrite) throw new Fault('conflict', 'The name is already taken.')
  if (existing.isDirectory() === source.isDirectory()) return
  if (existing.isDirectory()) throw new Fault('isDirectory', 'A folder has this name.')
  throw new Fault('notDirectory', 'A file has this name.')
}

function replace(source: Place, target: Place): void {
  renameSync(source.parent.at(source.name), target.parent.at(target.name))
}

/** On a file system that ignores case, `a` finds itself under `A`: that is no taken name. */
function isCaseChange(source: Place, target: Place, from: Stats, to: Stats): boolean {
  const sameName = source.name.toLowerCase() === target.name.toLowerCase()
  const sameFolder = source.parent.realPath() === target.parent.realPath()
  return sameName && sameFolder && isSame(from, to)
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

/** A place in a folder that somebody else closes. */
function heldPlace(parent: Handle, name: string): Place {
  return { parent, name, [Symbol.dispose]: () => undefined }
}
