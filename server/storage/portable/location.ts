/**
 * Where an object is, and which one it is. A location is checked by looking at each folder of its path: none may be a
 * link, and each must be the object that was found there before.
 */
import { type BigIntStats, lstatSync, realpathSync } from 'node:fs'
import { SystemError } from '#server/os/errno.ts'
import { slashed } from '#server/os/slashed.ts'
import { keepsNumbers } from '#server/storage/local/changes/folder-mark.ts'
import {
  type DiskPath,
  diskPath,
  type Identity,
  identityOf,
} from '#server/storage/local/handles/handle.ts'
import { nameOfBytes } from '#wire/names.ts'

export type LocatedKind = 'folder' | 'file' | 'link' | 'special'

export interface Location {
  /** The path, with `/` between the names; names that are not UTF-8 are escaped. */
  text: string
  identity: Identity
  dev: number
  kind: LocatedKind
  /** The folder that it is in; undefined for a folder that the operator has named. */
  above: Location | undefined
  /** The moment at which it was checked last. */
  checkedIn: number
}

/**
 * A location is checked once in each part of the program that runs without a wait: nothing else of this process runs in
 * between.
 */
const moment = { number: 0, isEnding: false }

/** @throws system errors; SystemError ENOTDIR */
export function topLocation(path: DiskPath): Location {
  const text = slashed(nameOfBytes(realpathSync.native(path, { encoding: 'buffer' })))
  const location = locationOf(text, undefined)
  if (location.kind !== 'folder') throw new SystemError('open', 'ENOTDIR')
  return location
}

/**
 * @param above checked by the caller
 * @throws SystemError ENOENT; system errors
 */
export function locationIn(above: Location, name: string): Location {
  if (above.kind !== 'folder') throw new SystemError('open', 'ENOTDIR')
  return locationOf(pathOfName(above.text, name), above)
}

/** @returns the path of a name in a folder, as text */
export function pathOfName(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`
}

/**
 * Looks at each folder of the path, and at the object.
 *
 * @throws SystemError ENOENT if it is not there any more
 */
export function requireAt(location: Location): void {
  if (location.checkedIn === momentNow()) return
  if (location.above) requireAt(location.above)
  const stats = lstatSync(diskPath(location.text), { bigint: true, throwIfNoEntry: false })
  if (!stats || !isAt(location, stats)) throw new SystemError('lstat', 'ENOENT')
  location.checkedIn = momentNow()
}

/**
 * As `requireAt`, after the use of a path: another thread or program may have replaced a folder of it in between, so an
 * earlier look does not count.
 */
export function requireStillAt(location: Location): void {
  moment.number += 1
  requireAt(location)
}

/** Whether these are the stats of the object of a location. */
export function isAt({ identity, kind, dev, text }: Location, stats: BigIntStats): boolean {
  if (kindOf(stats) !== kind) return false
  if (identityOf(stats) === identity) return true
  // Some file systems give a folder another number while it is in use.
  return Number(stats.dev) === dev && !keepsNumbers({ dev, disk: diskPath(text) })
}

function locationOf(text: string, above: Location | undefined): Location {
  const stats = lstatSync(diskPath(text), { bigint: true })
  return {
    text,
    identity: identityOf(stats),
    dev: Number(stats.dev),
    kind: kindOf(stats),
    above,
    checkedIn: momentNow(),
  }
}

function kindOf(stats: BigIntStats): LocatedKind {
  if (stats.isDirectory()) return 'folder'
  if (stats.isFile()) return 'file'
  return stats.isSymbolicLink() ? 'link' : 'special'
}

function momentNow(): number {
  if (!moment.isEnding) {
    moment.isEnding = true
    queueMicrotask(() => {
      moment.isEnding = false
      moment.number += 1
    })
  }
  return moment.number
}
