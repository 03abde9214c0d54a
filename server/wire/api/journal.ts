/**
 * The journal, the trash and versions in the API. The journal has an entry for each change of files, with what is
 * needed to undo it. The audit record (wire/api/audit.ts) says who did what, also what changes nothing, and undoes nothing.
 */
import type { EntryType } from './entry.ts'

/**
 * The kinds of changes, as journal entries name them; not the operations of Scope or the storage. `folder`: a new folder.
 * `sums`: a file of checksums (job `sums`). `save`: new content of a file. `restore`: an item of the trash or a
 * version. `undo` reverses an earlier entry; `redo` reverses an `undo` entry.
 */
export const JOURNAL_VERBS = [
  'upload',
  'folder',
  'save',
  'rename',
  'copy',
  'extract',
  'archive',
  'sums',
  'delete',
  'restore',
  'undo',
  'redo',
] as const
export type JournalVerb = (typeof JOURNAL_VERBS)[number]

/** The client of a change: a browser, a program, or the command line. */
export const JOURNAL_CLIENTS = ['web', 'api', 'cli'] as const
export type JournalClient = (typeof JOURNAL_CLIENTS)[number]

/** Response header: the id of the journal entry of the change. */
export const JOURNAL_HEADER = 'X-Journal-Id'

export interface JournalEntry {
  /** Increasing; a later change has a higher id. */
  id: number
  /** RFC 3339. */
  time: string
  username: string
  /** The id of the session; empty on the command line. */
  session: string
  client: JournalClient
  verb: JournalVerb
  /** In the served tree for administrators, in the scope for others. */
  path: string
  /** The destination of a copy, rename or restore; empty if there is none. */
  to: string
  /** The id of the entry that this one reverses; for a `redo` that of the `undo`. 0 for other changes. */
  undoOf: number
  /** The id of the entry that reversed this one; for an `undo` that of the `redo`. 0 if there is none. */
  undoneBy: number
}

/** An item in the trash, or an earlier version of a file. */
export interface TrashItemInfo {
  id: number
  /** The time of the deletion or replacement; RFC 3339. */
  time: string
  /** The user who did it. */
  username: string
  /** The original path; of a version, the current path of its file. */
  path: string
  isDir: boolean
  /** Bytes; -1 for a folder that was not measured yet. */
  size: number
  /** The modification time; RFC 3339. */
  modified: string
  /** The type by its name; absent for versions. */
  type?: EntryType | undefined
  /** When the trash deletes it permanently, if it has not deleted it before for lack of space; RFC 3339. Absent for versions. */
  expires?: string | undefined
  /** The name of the file system snapshot with this version; absent for content that the server keeps itself. */
  snapshot?: string | undefined
}

/**
 * The result of an undo or redo for one entry. With `preview` nothing is changed, and the result is the expected one.
 */
export interface UndoResult {
  /** The id of the entry. */
  id: number
  /** The id of the `undo` or `redo` entry; 0 if there is none. */
  undoneBy: number
  /** Why the entry is not reversed, as in `X-Fault`; empty if it is. */
  fault: string
  /** The same as an English sentence; empty if it is reversed. */
  problem: string
}

/** The result for one item of a restore. */
export interface Restored {
  /** The id of the item. */
  id: number
  /** The current path; empty if it stays in the trash. */
  path: string
  /** Why it was not restored, as in `X-Fault`; empty if it was. */
  fault: string
  /** The same as an English sentence; empty if it was restored. */
  problem: string
  /** The number of public shares that are open again. */
  shares: number
}
