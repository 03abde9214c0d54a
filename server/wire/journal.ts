/** The journal, the trash and versions in the API. */

/** The kinds of changes. `undo` and `redo` reverse another entry. */
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
  session: string
  client: JournalClient
  verb: JournalVerb
  /** In the served tree for administrators, in the scope for others. */
  path: string
  /** The destination of a copy, rename or restore; empty if there is none. */
  to: string
  /** The entry that this one undoes; 0 if there is none. */
  undoOf: number
  /** The entry that undid this one; 0 if there is none. */
  undoneBy: number
}

/** An item in the trash, or an earlier version of a file. */
export interface KeptItem {
  id: number
  /** The time of the deletion or replacement; RFC 3339. */
  time: string
  /** The user who did it. */
  username: string
  /** The original path; of a version, the present path of its file. */
  path: string
  isDir: boolean
  /** Bytes; -1 for a folder that was not measured yet. */
  size: number
  /** The modification time; RFC 3339. */
  modified: string
  /** The file system snapshot that contains it; absent for content in the trash. */
  snapshot?: string | undefined
}

/** The result for one entry of an undo. */
export interface UndoResult {
  id: number
  /** The id of the undo entry; 0 if there is none. */
  undoneBy: number
  /** Why it was not undone, as in `X-Fault` and as a sentence; empty if it was, or would be. */
  fault: string
  problem: string
}

/** The result for one item of a restore. */
export interface Restored {
  id: number
  /** The present path; empty if it stays in the trash. */
  path: string
  /** Why it was not restored, as in `X-Fault` and as a sentence; empty if it was. */
  fault: string
  problem: string
}
