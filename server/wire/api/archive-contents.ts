/** The content of an archive in the API (docs/api.md 31). */

import type { TreePath } from '../paths.ts'
import type { Entry } from './entry.ts'

/** A file or folder in an archive. Its path begins at the root of the archive. */
export interface ArchiveItem extends Pick<Entry, 'path' | 'name' | 'size' | 'isDir' | 'type'> {
  /** RFC 3339; empty if the archive does not store it. */
  modified: string
}

/** A folder in an archive. */
export interface ArchiveFolder {
  /** The name of the archive. */
  name: string
  path: TreePath
  /** In the order of the archive. */
  items: ArchiveItem[]
  /** Entries of the whole archive that an extraction leaves out: links, devices, invalid names. */
  leftOut: number
  /** Whether only the first part of the archive was read. */
  isPartial: boolean
}
