/**
 * The first names of a large folder: those with which its listing in the order of names begins. They are found before
 * the metadata of all entries is read, so that the listing can begin early.
 */

import { sortNames } from '#server/lib/name-order.ts'
import { bytesOfName } from '#wire/names.ts'
import { namesOf } from './folder-records.ts'
import { DT_DIR, DT_LNK, DT_UNKNOWN, type FolderNames } from './read-folder.ts'

/** How many entries a listing begins with. */
export const FIRST_COUNT = 256
/** The metadata of fewer names is read at once. */
const FOLDER_MIN = 5000
/** The maximum number of entries whose type is unclear: with more, all metadata is read at once. */
export const UNCLEAR_MAX = 1000

/**
 * Folders come before files. Whether a link leads to a folder is not known yet: all links that may be among the first
 * entries are included. On some file systems this applies to every entry.
 *
 * @param ascending whether the listing is in ascending order of the names, or in descending
 * @returns the names in order, each with a NUL at the end. The first `FIRST_COUNT` folders and, after them, files of
 *   these are the first entries of the listing. Undefined for a folder that is not large, or with too many links.
 */
export function firstNames(
  folder: FolderNames,
  ascending: boolean,
): Uint8Array<ArrayBuffer> | undefined {
  const { types } = folder
  if (types.length < FOLDER_MIN) return undefined
  let foldersLeft = FIRST_COUNT
  let filesLeft = FIRST_COUNT - types.filter((type) => type === DT_DIR).length
  let unclearLeft = UNCLEAR_MAX
  // Saves the sort. With enough other folders, links behind them do not count.
  if (filesLeft > 0 && types.filter(isUnclear).length > UNCLEAR_MAX) return undefined
  const names = namesOf(folder)
  const order = resultOf(sortNames(names, () => []))
  if (!ascending) order.reverse()
  const first: string[] = []
  for (let next = 0; next < order.length && foldersLeft > 0; next += 1) {
    const index = order[next] ?? 0
    const type = types[index]
    if (type === DT_DIR) foldersLeft -= 1
    else if (isUnclear(type)) unclearLeft -= 1
    else if (filesLeft > 0) filesLeft -= 1
    else continue
    if (unclearLeft < 0) return undefined
    first.push(`${names[index] ?? ''}\0`)
  }
  return new Uint8Array(Buffer.concat(first.map(bytesOfName)))
}

/** Whether an entry of this type may be a folder, or a link to one. */
function isUnclear(type: number | undefined): boolean {
  return type === DT_LNK || type === DT_UNKNOWN
}

/** @returns the result of a generator, which it runs to the end */
function resultOf<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
