/** Journal entries and their steps in the database: rows ↔ StoredEntry, StoredStep. */
import type { JournalClient, JournalVerb } from '#wire/api/journal.ts'
import type { TreePath } from '#wire/paths.ts'

export interface StoredEntry {
  id: number
  /** The path of the served folder on the disk; one database may hold several. */
  root: string
  /** The process that makes the change. */
  writer: string
  atMs: number
  userId: number
  username: string
  session: string
  client: JournalClient
  /** The job item that made the change; 0 if there is none. */
  jobItem: number
  verb: JournalVerb
  /** The scope of the user at that time; empty in entries of earlier versions. */
  scope: TreePath | ''
  /** In the served tree, as requested. */
  path: TreePath
  /** The destination of a copy, rename or restore; empty if there is none. */
  to: TreePath | ''
  /** The entry that this one undoes; 0 if there is none. */
  undoOf: number
  /** The entry that undid this one; 0 if there is none. */
  undoneBy: number
}

/** A step of storage/step.ts with paths of the served tree. */
export interface StoredStep {
  kind: 'made' | 'removed' | 'replaced' | 'renamed'
  role: 'trash' | 'version' | 'part'
  path: TreePath
  /** Only for renames; empty otherwise. */
  to: TreePath | ''
  /** Both are empty in steps of earlier versions. */
  parent: string
  toParent: string
  before: string
  after: string
  kept: string
  isFolder: boolean
  completeMs: number
}

export interface EntryRow {
  id: number
  root: string
  writer: string
  at_ms: number
  user_id: number
  username: string
  session: string
  client: string
  job_item: number
  verb: string
  scope: string
  path: string
  target: string
  undo_of: number
  undone_by: number
}

export interface StepRow {
  kind: string
  role: string
  path: string
  target: string
  parent: string
  target_parent: string
  before: string
  after: string
  kept: string
  is_folder: number
  complete_ms: number
}

export function toEntry(row: EntryRow): StoredEntry {
  return {
    id: row.id,
    root: row.root,
    writer: row.writer,
    atMs: row.at_ms,
    userId: row.user_id,
    username: row.username,
    session: row.session,
    // Written only by `begin`, from these types.
    client: row.client as JournalClient,
    jobItem: row.job_item,
    verb: row.verb as JournalVerb,
    scope: row.scope as StoredEntry['scope'],
    path: row.path as TreePath,
    to: row.target as StoredEntry['to'],
    undoOf: row.undo_of,
    undoneBy: row.undone_by,
  }
}

export function toStep(row: StepRow): StoredStep {
  return {
    // Written only from these types.
    kind: row.kind as StoredStep['kind'],
    role: row.role as StoredStep['role'],
    path: row.path as TreePath,
    to: row.target as StoredStep['to'],
    parent: row.parent,
    toParent: row.target_parent,
    before: row.before,
    after: row.after,
    kept: row.kept,
    isFolder: row.is_folder === 1,
    completeMs: row.complete_ms,
  }
}
