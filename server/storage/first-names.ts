/** The names that a listing in the order of names begins with, found before the metadata of all entries is read. */

import { sortNames } from '#server/name-order.ts'
import { bytesOfName } from '#wire/names.ts'
import { namesOf } from './folder-records.ts'
import { DT_DIR, type FolderNames } from './read-folder.ts'

/** How many names are found. */
const COUNT = 256
/** The metadata of fewer names is read at once. */
const FOLDER_MIN = 5000

/**
 * Folders come before files. A link counts as a file, because what it leads to is not known yet.
 *
 * @param ascending the order of the names
 * @returns the first names, each with a NUL at the end; undefined for a folder that is not large
 */
export function firstNames(
  folder: FolderNames,
  ascending: boolean,
): Uint8Array<ArrayBuffer> | undefined {
  const { types } = folder
  if (types.length < FOLDER_MIN) return undefined
  const names = namesOf(folder)
  const order = resultOf(sortNames(names, (index) => [types[index] === DT_DIR ? 0 : 1]))
  const folders = types.filter((type) => type === DT_DIR).length
  const groups = [order.subarray(0, folders), order.subarray(folders)]
  if (!ascending) for (const group of groups) group.reverse()
  const first = groups.flatMap((group) => [...group.subarray(0, COUNT)]).slice(0, COUNT)
  return new Uint8Array(Buffer.concat(first.map((index) => bytesOfName(`${names[index] ?? ''}\0`))))
}

function resultOf<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
