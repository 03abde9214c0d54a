/** Jobs, long operations on files, in the API. */
import type { NameEncoding } from '../name-encodings.ts'

/** `sums` writes a file with the checksums of files; `verify` compares files with such a list. */
export const JOB_KINDS = [
  'copy',
  'move',
  'delete',
  'extract',
  'archive',
  'sums',
  'verify',
  'import',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

/**
 * The states of a job.
 * - `waiting`: until other jobs have ended or are interrupted
 * - `paused`: until it is resumed; `reason` says why it paused automatically
 * - `done`: it has ended; items may have failed or been skipped
 * - `failed`: the user lost a right, and `reason` says which; or all items have failed
 */
export const JOB_STATES = ['waiting', 'running', 'paused', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

export const ITEM_STATES = ['waiting', 'running', 'done', 'failed', 'skipped'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/**
 * What happens if a name is taken; `refuse` fails the item. For a deletion, `onlyToTrash` fails an item that the trash
 * cannot keep, and any other decision deletes it permanently.
 */
export const DECISIONS = ['refuse', 'replace', 'keepBoth', 'skip', 'onlyToTrash'] as const
export type Decision = (typeof DECISIONS)[number]

export const JOB_ACTIONS = ['pause', 'resume', 'cancel', 'retry', 'skip'] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

/** Requests of the command line, which the server carries out. */
export const JOB_REQUESTS = ['pause', 'resume', 'cancel'] as const satisfies readonly JobAction[]
export type JobRequestName = (typeof JOB_REQUESTS)[number]

/** A request for a plan or a job. Paths are relative to the scope. */
export interface JobRequest {
  kind: JobKind
  /** `name`: the name of a copied or moved entry at the destination; by default its own. */
  items: { path: string; decision?: Decision | undefined; name?: string | undefined }[]
  /** The destination folder of a copy, move, extraction or import; for an archive the file to create. */
  to?: string | undefined
  /** The URL to import. */
  source?: string | undefined
  /** For an extraction: the encoding of the names in a zip that does not say it. By default it is guessed. */
  encoding?: NameEncoding | undefined
  /** The tag of the confirmed plan; without it the response is the plan. */
  plan?: string | undefined
}

/** An item of a plan, or one entry of an archive. */
export interface PlannedItem {
  path: string
  /** The entry in the archive; empty for the whole item. */
  part: string
  /** The destination; empty if there is none. */
  to: string
  isDir: boolean
  files: number
  bytes: number
  /** The name is taken at the destination. */
  taken: boolean
  /** Why it is refused: the fault as in `X-Fault`, and its message; empty if it is not. */
  fault: string
  problem: string
}

/** The plan of a job. */
export interface JobPlan {
  /** Changes if the requested files, the counts, the conflicts or the refusals change; not with the free space. */
  tag: string
  kind: JobKind
  to: string
  files: number
  folders: number
  bytes: number
  /** There is more than was counted. */
  isPartial: boolean
  /** Large enough for a job; smaller operations are done directly. */
  isLarge: boolean
  /** Each item is one rename, whatever its size. */
  isInstant: boolean
  /** Items whose name is taken, and files in merged folders that would be replaced. */
  taken: number
  replaced: number
  /** Items that would be refused. */
  refused: number
  /** Free bytes at the destination, now and afterwards; negative if there is not enough room. */
  free: number
  freeAfter: number
  /** The first items that are refused, followed by the first that are taken. */
  items: readonly PlannedItem[]
}

export interface JobItem {
  id: number
  path: string
  /** One entry of an archive or checksum list, or one path that a copy left out; empty for the whole item. */
  part: string
  /** The destination. */
  to: string
  state: ItemState
  /** The fault as in `X-Fault`, and its message; empty if there is none. */
  fault: string
  reason: string
  /** The file or folder inside the item at which it failed; empty if it is the item itself. */
  failedPath: string
}

export interface Job {
  id: number
  kind: JobKind
  username: string
  /** In the user's scope: the destination folder, or the archive to create. */
  to: string
  /** The path of the first item, the number of items, and the number of failed items. */
  path: string
  items: number
  failed: number
  state: JobState
  /** Why it paused or failed, as in `X-Fault` and as a sentence; empty if a user paused it, or if all items failed. */
  fault: string
  reason: string
  /** When the job was created and when it ended; RFC 3339. `ended` is empty while the job is unfinished. */
  made: string
  ended: string
  files: number
  bytes: number
  filesDone: number
  bytesDone: number
  isPartial: boolean
  /** Bytes per second; 0 while nothing is copied. */
  speed: number
  /** The current file; empty if there is none. */
  current: string
  /** The first failed items. */
  problems: JobItem[]
  /** The journal entries of its changes, for undo; only for a single job, empty in a list. */
  entries: number[]
}
