/** The private folder of the served root, with its subfolders. */

import { Fault } from '#wire/fault.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { isFull } from '../attributes/own-folder.ts'
import type { Handle } from '../handles/handle.ts'
import { PrivateFolder } from './private-folder.ts'
import type { Processes } from './processes.ts'
import { Records } from './volume-records.ts'

/** Names in the private folder. */
const UPLOADS = 'uploads'
const RECORDS = 'volumes'

export interface RootVolume {
  folder: PrivateFolder
  /** The folder of unfinished uploads. */
  uploads: Handle
  /** Records of other private folders, and of entries that are hidden outside of them. */
  records: Records
}

/**
 * @param joined as in `PrivateFolder.open`
 * @returns undefined if the root is not writable
 * @throws Fault conflict, noSpace
 */
export function rootVolumeOf(
  root: Handle,
  processes: Processes,
  joined?: string,
): RootVolume | undefined {
  try {
    const folder = PrivateFolder.open(root, processes, joined)
    if (!folder) return undefined
    const [uploads, records] = [folder.openLasting(UPLOADS), folder.openLasting(RECORDS)]
    return { folder, uploads, records: new Records(root, records, folder, processes) }
  } catch (cause) {
    if (!isFull(cause)) throw cause
    throw new Fault(
      'noSpace',
      `The served folder has no space left, but filemgr must create the folder ${PRIVATE_FOLDER} in it. Remove some files and start again.`,
      { cause },
    )
  }
}
