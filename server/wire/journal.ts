/** The journal of changes, the trash and earlier versions, as they travel. */

/** What was done to files. `undo` and `redo` take another entry back. */
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

/** Through which client a change came: a browser, a program, or the command line. */
export const JOURNAL_CLIENTS = ['web', 'api', 'cli'] as const
export type JournalClient = (typeof JOURNAL_CLIENTS)[number]

/** In an answer: the number of the journal's entry of the change that was made. */
export const JOURNAL_HEADER = 'X-Journal-Id'

export interface JournalEntry {
  /** Counts up; a later change has a higher number. */
  id: number
  /** RFC 3339. */
  time: string
  username: string
  session: string
  client: JournalClient
  verb: JournalVerb
  /** In the served tree for administrators, in the own folder for others. */
  path: string
  /** Where a copied, renamed or restored thing went; empty for none. */
  to: string
  /** The entry that this one undoes; 0 for none. */
  undoOf: number
  /** The entry that undid this one; 0 for none. */
  undoneBy: number
}

/** Something in the trash, or an earlier version of a file. */
export interface KeptItem {
  id: number
  /** When it was deleted or replaced; RFC 3339. */
  time: string
  /** Who did that. */
  username: string
  /** Where it was; of a version, where its file is. */
  path: string
  isDir: boolean
  /** Bytes; -1 for a folder that is not measured yet. */
  size: number
  /** Of the content; RFC 3339. */
  modified: string
}

/** What became of one entry that was to be undone, or would become of it. */
export interface UndoResult {
  id: number
  /** The entry of the undo; 0 where there is none. */
  undoneBy: number
  /** Why it was not undone; empty when it was, or would be. */
  problem: string
}

/** What became of one thing that was to be restored. */
export interface Restored {
  id: number
  /** Where it is now; empty where it stays in the trash. */
  path: string
  /** The code of the refusal; empty where it is restored. */
  fault: string
  /** Why it stays. */
  problem: string
}
