/** Jobs and their items in the database: rows ↔ StoredJob, StoredItem. */
import type { Decision, ItemState, JobKind, JobRequestName, JobState } from '#wire/api/jobs.ts'
import type { JournalClient } from '#wire/api/journal.ts'
import type { TreePath } from '#wire/paths.ts'

export interface StoredJob {
  id: number
  /** The path of the served folder on the disk; one database may hold several. */
  root: string
  /** The process that runs it. */
  writer: string
  userId: number
  username: string
  session: string
  client: JournalClient
  /** The user's folder when the job was created; all paths are relative to it. */
  scope: TreePath
  kind: JobKind
  /** The destination folder, or the archive to create; empty if there is none. */
  to: TreePath | ''
  /** The URL to import, or the encoding of the names in a zip to extract; empty if there is none. */
  source: string
  state: JobState
  /** Why it is paused or has failed, as in `X-Fault` and as a sentence; empty if a user paused or cancelled it. */
  fault: string
  reason: string
  madeMs: number
  endedMs: number
  /** Whether there are more files than were counted. */
  isPartial: boolean
  /** The request of the command line that the server has not read yet; empty if there is none. */
  request: JobRequestName | ''
}

export interface StoredItem {
  id: number
  job: number
  path: TreePath
  /** One entry of an archive or checksum list, or one path that a copy left out; empty for the whole. */
  part: string
  /** The destination; empty if there is none. */
  to: TreePath | ''
  decision: Decision
  /** Names its partial copy. */
  copyName: string
  state: ItemState
  /** Whether the item is a folder that is merged into an existing one. */
  mergesFolders: boolean
  /** `Node.version` of the archive that is being extracted; empty before, and for other kinds of jobs. */
  sourceVersion: string
  /** The resulting path, written before the change; empty before. */
  resultPath: TreePath | ''
  /** The journal entry; 0 if there is none. */
  entry: number
  /** The fault as in `X-Fault`, and its message; empty if there is none. */
  fault: string
  reason: string
  /** The file or folder inside the item at which it failed; empty if it is the item itself. */
  failedPath: string
  files: number
  bytes: number
}

/** Why a job paused or failed; see StoredJob. */
export type Failure = Pick<StoredJob, 'fault' | 'reason'>
export const NO_FAILURE: Failure = { fault: '', reason: '' }

/** Totals of a job's items. */
export interface ItemSums {
  items: number
  failed: number
  files: number
  bytes: number
  filesDone: number
  bytesDone: number
}

export type NewJob = Omit<StoredJob, 'id' | 'username' | 'fault' | 'reason' | 'endedMs' | 'request'>
export type NewItem = Pick<StoredItem, 'path' | 'part' | 'to' | 'decision' | 'copyName' | 'state'> &
  Pick<StoredItem, 'fault' | 'reason' | 'files' | 'bytes'>

export interface JobColumns {
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
  source: string
  state: string
  fault: string
  reason: string
  made_ms: number
  ended_ms: number
  is_partial: number
  request: string
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
  source_version: string
  landed: string
  entry: number
  fault: string
  reason: string
  failed_path: string
  files: number
  bytes: number
}

export function toJob(row: JobColumns): StoredJob {
  return {
    id: row.id,
    root: row.root,
    writer: row.writer,
    userId: row.user_id,
    username: row.username,
    session: row.session,
    // Written only by `insert` and `setState`, from these types.
    client: row.client as JournalClient,
    scope: row.scope as TreePath,
    kind: row.kind as JobKind,
    to: row.target as StoredJob['to'],
    source: row.source,
    state: row.state as JobState,
    fault: row.fault,
    reason: row.reason,
    madeMs: row.made_ms,
    endedMs: row.ended_ms,
    isPartial: row.is_partial === 1,
    request: row.request as StoredJob['request'],
  }
}

export function toItem(row: ItemRow): StoredItem {
  return {
    id: row.id,
    job: row.job,
    // Written only from these types.
    path: row.path as TreePath,
    part: row.part,
    to: row.target as StoredItem['to'],
    decision: row.decision as Decision,
    copyName: row.copy_name,
    state: row.state as ItemState,
    mergesFolders: row.merges === 1,
    sourceVersion: row.source_version,
    resultPath: row.landed as StoredItem['resultPath'],
    entry: row.entry,
    fault: row.fault,
    reason: row.reason,
    failedPath: row.failed_path,
    files: row.files,
    bytes: row.bytes,
  }
}
