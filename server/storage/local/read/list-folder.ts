/** Reads the entries of a folder, or the first bytes of files in it, in a worker thread. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from 'node:fs'
import { containsTerm, type NameTerms } from '#server/lib/name-terms.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import { diskPath } from '../handles/handle.ts'
import { FOLDER_FLAGS, READ_FLAGS } from '../handles/resolve.ts'
import { firstNames } from './first-names.ts'
import {
  emptyPeekResult,
  type FolderRecords,
  namesOf,
  type PeekRequest,
  type PeekResult,
  STAT_FIELD_COUNT,
  STAT_FIELDS,
  textOf,
} from './folder-records.ts'
import {
  DT_DIR,
  DT_UNKNOWN,
  type FolderNames,
  readNames,
  readStarts,
  readStats,
} from './read-folder.ts'

/** An open folder. */
export interface FolderAddress {
  /** As `Handle.fd`. */
  fd: number
  /** As `Handle.diskText`. */
  disk: string
}

/** Which entries are read, and in which order. */
export interface ListRequest {
  /** For a large folder, the entries that come first in this order of the names are passed on first. */
  ascending?: boolean | undefined
  /** Entries whose names contain none of these terms may be left out, except folders. */
  names?: NameTerms | undefined
  /** Names of mount points, whose metadata only their own file system has. They are listed as folders without it. */
  mounts?: readonly string[] | undefined
}

/**
 * @param disk a path to the open folder, as text
 * @param onFirst receives the entries that come first, with the number of all
 * @throws system errors
 */
export function listFolder(
  disk: string,
  { ascending, names: terms, mounts = [] }: ListRequest,
  onFirst: (first: FolderRecords, total: number) => void = () => undefined,
): FolderRecords {
  const fd = openSync(diskPath(disk), FOLDER_FLAGS)
  try {
    const folder = readNames(fd)
    if (!folder) return listOneByOne(disk, mounts)
    const stats = (names: FolderNames['names']) =>
      withMounts(names, mounts, (own) => readStats(fd, own))
    if (terms) return stats(foldersAndNamed(folder, terms))
    const names = ascending === undefined ? undefined : firstNames(folder, ascending)
    if (names) onFirst(stats(names), folder.types.length)
    return stats(folder.names)
  } finally {
    closeSync(fd)
  }
}

/** As `readStarts`, also where direct system calls are not possible. */
export function readFileStarts({ fd, disk }: FolderAddress, requested: PeekRequest): PeekResult {
  return (fd >= 0 ? readStarts(fd, requested) : undefined) ?? readOneByOne(disk, requested)
}

/** @returns what `read` returns for the names that are no mount points, and the mount points among the names */
function withMounts(
  names: FolderNames['names'],
  mounts: readonly string[],
  read: (names: FolderNames['names']) => FolderRecords,
): FolderRecords {
  if (mounts.length === 0) return read(names)
  const all = namesOf({ names })
  const listed = all.filter((name) => mounts.includes(name))
  if (listed.length === 0) return read(names)
  const records = read(namesBuffer(all.filter((name) => !mounts.includes(name))))
  return {
    names: new Uint8Array(Buffer.concat([records.names, namesBuffer(listed)])),
    numbers: Float64Array.from([...records.numbers, ...listed.flatMap(() => UNKNOWN_FOLDER)]),
  }
}

const UNKNOWN_FOLDER = Array.from({ length: STAT_FIELD_COUNT }, (_, field) =>
  field === STAT_FIELDS.mode ? constants.S_IFDIR : 0,
)

function namesBuffer(names: readonly string[]): FolderNames['names'] {
  return new Uint8Array(bytesOfName(names.map((name) => `${name}\0`).join('')))
}

/** @returns the names of entries that may be folders, and those that contain any of the terms; each ends with a NUL */
function foldersAndNamed({ names, types }: FolderNames, terms: NameTerms): FolderNames['names'] {
  const mayBeFolder = (type: number | undefined) => type === DT_DIR || type === DT_UNKNOWN
  // Most folders of a search have nothing to find. A term contains no NUL, so it is in the text if it is in a name.
  if (!containsTerm(textOf({ names }), terms) && !types.some(mayBeFolder)) return new Uint8Array()
  const kept = namesOf({ names }).filter(
    (name, index) => mayBeFolder(types[index]) || containsTerm(name, terms),
  )
  return namesBuffer(kept)
}

// Used if direct system calls are not possible.

/** @param disk a path to the open folder, as text */
export function listOneByOne(disk: string, mounts: readonly string[]): FolderRecords {
  const names: Uint8Array[] = []
  const numbers: number[] = []
  for (const bytes of readdirSync(diskPath(disk), { encoding: 'buffer' })) {
    const name = nameOfBytes(bytes)
    if (mounts.includes(name)) {
      names.push(bytes, NUL)
      numbers.push(...UNKNOWN_FOLDER)
      continue
    }
    const stats = lstatSync(diskPath(`${disk}/${name}`), { throwIfNoEntry: false })
    if (!stats) continue
    names.push(bytes, NUL)
    numbers.push(...numbersOf(stats))
  }
  return { names: new Uint8Array(Buffer.concat(names)), numbers: Float64Array.from(numbers) }
}

const NUL = new Uint8Array(1)

/** In the order of `STAT_FIELDS`. */
function numbersOf({ mode, ino, size, mtimeMs, ctimeMs }: Stats): number[] {
  return [mode, ino, size, mtimeMs, ctimeMs]
}

/** As `readStarts`, by node:fs. */
function readOneByOne(disk: string, requested: PeekRequest): PeekResult {
  const starts = emptyPeekResult(requested)
  for (const [index, name] of namesOf(requested).entries()) {
    try {
      const file = openSync(diskPath(`${disk}/${name}`), READ_FLAGS | constants.O_NOFOLLOW)
      try {
        const stats = fstatSync(file)
        if (!stats.isFile() || stats.ino !== requested.inodes[index]) continue
        const [offset = 0, length = 0] = [requested.offsets[index], requested.lengths[index]]
        starts.lengths[index] = readSync(file, starts.bytes, offset, length, 0)
        starts.sizes[index] = stats.size
      } finally {
        closeSync(file)
      }
    } catch {
      // The file is gone or not readable; its length stays -1.
    }
  }
  return starts
}
