/** Jobs and their items as they are stored: rows ↔ StoredJob, StoredItem. */
import type { Decision, ItemState, JobKind, JobState } from '#wire/jobs.ts'
import type { JournalClient } from '#wire/journal.ts'
import type { TreePath } from '#wire/paths.ts'

export interface StoredJob {
  id: number
  /** The served folder on the disk: one database may see several. */
  root: string
  /** The process that runs it. */
  writer: string
  userId: number
  username: string
  session: string
  client: JournalClient
  /** The user's folder when the job was made: all paths are in it. */
  scope: TreePath
  kind: JobKind
  /** The folder that things go to; empty for none. */
  to: TreePath | ''
  state: JobState
  /** Why it is paused or has failed; empty when a user paused or cancelled it. */
  reason: string
  madeMs: number
  endedMs: number
  /** More is in it than was counted. */
  isPartial: boolean
}

export interface StoredItem {
  id: number
  job: number
  path: TreePath
  /** The entry in the archive that is meant alone; empty for the thing itself. */
  part: string
  /** Where it goes; empty for nowhere. */
  to: TreePath | ''
  decision: Decision
  /** Names what is copied of it so far. */
  copyName: string
  state: ItemState
  /** A folder goes into a folder that is there. */
  merges: boolean
  /** Where it went, or was about to go; empty before. */
  landed: TreePath | ''
  /** The entry of the journal; 0 for none. */
  entry: number
  /** The code of the refusal, and why; empty for none. */
  fault: string
  reason: string
  files: number
  bytes: number
}

/** What a job's items come to. */
export interface ItemSums {
  items: number
  failed: number
  files: number
  bytes: number
  filesDone: number
  bytesDone: number
}

export type NewJob = Omit<StoredJob, 'id' | 'username' | 'reason' | 'endedMs'>
export type NewItem = Pick<StoredItem, 'path' | 'part' | 'to' | 'decision' | 'copyName' | 'state'> &
  Pick<StoredItem, 'fault' | 'reason' | 'files' | 'bytes'>

export interface JobRow {
  id: number
  root: string
  writer: string
  user_id: number
  username: string
  session: string
  client: string
  scope: string
  kind: string
  target: string
  state: string
  reason: string
  made_ms: number
  ended_ms: number
  is_partial: number
}

export interface ItemRow {
  id: number
  job: number
  path: string
  part: string
  target: string
  decision: string
  copy_name: string
  state: string
  merges: number
  landed: string
  entry: number
  fault: string
  reason: string
  files: number
  bytes: number
}

export function toJob(row: JobRow): StoredJob {
  return {
    id: row.id,
    root: row.root,
    writer: row.writer,
    userId: row.user_id,
    username: row.username,
    session: row.session,
    // Written by `insert` and `setState` alone, from these types.
    client: row.client as JournalClient,
    scope: row.scope as TreePath,
    kind: row.kind as JobKind,
    to: row.target as StoredJob['to'],
    state: row.state as JobState,
    reason: row.reason,
    madeMs: row.made_ms,
    endedMs: row.ended_ms,
    isPartial: row.is_partial === 1,
  }
}

export function toItem(row: ItemRow): StoredItem {
  return {
    id: row.id,
    job: row.job,
    path: row.path as TreePath,
    part: row.part,
    to: row.target as StoredItem['to'],
    decision: row.decision as Decision,
    copyName: row.copy_name,
    state: row.state as ItemState,
    merges: row.merges === 1,
    landed: row.landed as StoredItem['landed'],
    entry: row.entry,
    fault: row.fault,
    reason: row.reason,
    files: row.files,
    bytes: row.bytes,
  }
}
