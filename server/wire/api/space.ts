/** What takes up the space in a folder (docs/api.md 33). */
import type { Entry, EntryType } from './entry.ts'

/** An entry of the folder, with all that is inside it. */
export interface SpacePart {
  entry: Entry
  bytes: number
  files: number
  /** The extension that takes up the most of it; null if there are no files. */
  mainKind: Pick<SpaceKind, 'extension' | 'type'> | null
}

/** Files of one extension. */
export interface SpaceKind {
  /** With its dot, in lower case; empty for files without one. */
  extension: string
  type: EntryType
  bytes: number
  files: number
}

export interface SpaceReport {
  bytes: number
  files: number
  folders: number
  /** The largest entries of the folder, the largest first. */
  parts: SpacePart[]
  /** The extensions with the most bytes, the first with the most. */
  kinds: SpaceKind[]
  /** The largest files, the largest first. */
  largest: Entry[]
  /** The files that were modified first, the oldest first. */
  oldest: Entry[]
  /** Whether files are missing: the time was over, a disk does not respond, or folders are too deep. */
  isPartial: boolean
}

/** A line of the response: files with the same content, or how far the comparison is. */
export type SameContentLine =
  | { same: Entry[] }
  | {
      /** Bytes of the files that were compared, and of all that have to be. */
      done: number
      total: number
      /** Whether not all files are compared, because there are too many. */
      isPartial: boolean
    }

/** So many rows of each list of a report are sent. */
export const SPACE_ROWS = 50
