/** The worker thread that makes blocking file system calls. */
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
import { containsTerm, type NameTerms } from '#server/name-terms.ts'
import { errnoOf } from '#server/os/errno.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import { firstNames } from './first-names.ts'
import {
  emptyPeekResult,
  type FolderRecords,
  namesOf,
  type PeekRequest,
  type PeekResult,
  textOf,
} from './folder-records.ts'
import { diskPath } from './handle.ts'
import { FOLDER_FLAGS, READ_FLAGS } from './local-resolve.ts'
import {
  DT_DIR,
  DT_UNKNOWN,
  type FolderNames,
  readNames,
  readStarts,
  readStats,
} from './read-folder.ts'

declare const self: Worker

/**
 * `folder` is a descriptor of the process. Without `requested` the worker lists it, otherwise it reads files in it.
 *
 * `ascending`: for a large folder the worker sends two responses, first the entries that come first in this order of
 * the names.
 *
 * `names`: entries whose names contain none of these terms may be left out, except folders.
 */
export type DiskRequest = {
  folder: number
  requested?: PeekRequest
  ascending?: boolean | undefined
  names?: NameTerms | undefined
}
export type DiskResponse =
  | { first: FolderRecords; total: number }
  | { found: FolderRecords }
  | { starts: PeekResult }
  | { failure: string; code?: string }

self.onmessage = ({ data: { folder, requested, ascending, names } }: MessageEvent<DiskRequest>) => {
  const disk = `/proc/self/fd/${folder}`
  try {
    if (requested) {
      const starts = readStarts(folder, requested) ?? readOneByOne(disk, requested)
      post({ starts }, [starts.bytes.buffer])
    } else {
      const found = list(disk, { ascending, names })
      post({ found }, buffersOf(found))
    }
  } catch (error) {
    const code = errnoOf(error)
    post({ failure: String(error), ...(code && { code }) })
  }
}

function post(message: DiskResponse, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer)
}

function buffersOf({ names, numbers }: FolderRecords): ArrayBuffer[] {
  return [names.buffer, numbers.buffer]
}

function list(
  disk: string,
  { ascending, names: terms }: Pick<DiskRequest, 'ascending' | 'names'>,
): FolderRecords {
  const fd = openSync(disk, FOLDER_FLAGS)
  try {
    const folder = readNames(fd)
    if (!folder) return listOneByOne(disk)
    if (terms) return readStats(fd, foldersAndNamed(folder, terms))
    const names = ascending === undefined ? undefined : firstNames(folder, ascending)
    if (names) {
      const first = readStats(fd, names)
      post({ first, total: folder.types.length }, buffersOf(first))
    }
    return readStats(fd, folder.names)
  } finally {
    closeSync(fd)
  }
}

/** @returns the names of entries that may be folders, and those that contain any of the terms; each ends with a NUL */
function foldersAndNamed({ names, types }: FolderNames, terms: NameTerms): FolderNames['names'] {
  const mayBeFolder = (type: number | undefined) => type === DT_DIR || type === DT_UNKNOWN
  // Most folders of a search have nothing to find. A term contains no NUL, so it is in the text if it is in a name.
  if (!containsTerm(textOf({ names }), terms) && !types.some(mayBeFolder)) return new Uint8Array()
  const kept = namesOf({ names }).filter(
    (name, index) => mayBeFolder(types[index]) || containsTerm(name, terms),
  )
  return new Uint8Array(bytesOfName(kept.map((name) => `${name}\0`).join('')))
}

// Used if direct system calls are not possible.

function listOneByOne(disk: string): FolderRecords {
  const names: Uint8Array[] = []
  const numbers: number[] = []
  for (const bytes of readdirSync(disk, { encoding: 'buffer' })) {
    const path = diskPath(`${disk}/${nameOfBytes(bytes)}`)
    const stats = lstatSync(path, { throwIfNoEntry: false })
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
