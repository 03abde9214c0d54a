/** Jobs: long work on files that goes on by itself, as it travels. */

export const JOB_KINDS = ['copy', 'move', 'delete', 'extract', 'archive', 'sums', 'verify'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/**
 * - `waiting`: for its turn
 * - `paused`: until somebody resumes it; `reason` says why it paused by itself
 * - `done`: it is over; items may have failed or been skipped
 * - `failed`: its user may not go on, and `reason` says why; or all items have failed
 */
export const JOB_STATES = ['waiting', 'running', 'paused', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

export const ITEM_STATES = ['waiting', 'running', 'done', 'failed', 'skipped'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/** What is done where a name is taken; `refuse` lets the item fail. */
export const DECISIONS = ['refuse', 'replace', 'keepBoth', 'skip'] as const
export type Decision = (typeof DECISIONS)[number]

export const JOB_ACTIONS = ['pause', 'resume', 'cancel', 'retry', 'skip'] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

/** What the command line asks of a job; a server takes it up. */
export const JOB_REQUESTS = ['pause', 'resume', 'cancel'] as const satisfies readonly JobAction[]
export type JobRequestName = (typeof JOB_REQUESTS)[number]

/** What is asked of a job before it exists. Paths are of the own folder. */
export interface JobRequest {
  kind: JobKind
  items: { path: string; decision?: Decision | undefined }[]
  /** The folder that things are copied, moved or extracted to; the file of an archive that is made. */
  to?: string | undefined
  /** The tag of the plan that is confirmed; without one the plan is the answer. */
  plan?: string | undefined
}

/** One thing that a job would copy, move, delete or extract, or one entry of an archive. */
export interface PlannedItem {
  path: string
  /** The entry in the archive; empty for the thing itself. */
  part: string
  /** Where it would go; empty for nowhere. */
  to: string
  isDir: boolean
  files: number
  bytes: number
  /** The name is taken there. */
  taken: boolean
  /** Why it would be refused, and is left out; empty when it would not. */
  problem: string
}

/** What a job would do. */
export interface JobPlan {
  /** Stands for exactly this plan. */
  tag: string
  kind: JobKind
  to: string
  files: number
  folders: number
  bytes: number
  /** There is more; counting stopped. */
  isPartial: boolean
  /** It is worth a job: smaller ones are better done at once. */
  isLarge: boolean
  /** Each thing is one rename, whatever its size. */
  isInstant: boolean
  /** Things whose name is taken, and files in folders that would be merged which would be replaced. */
  taken: number
  replaced: number
  /** Things that would be refused. */
  refused: number
  /** Bytes free at the destination, and afterwards; negative when it does not fit. */
  free: number
  freeAfter: number
  /** What is taken or refused first. */
  items: readonly PlannedItem[]
}

export interface JobItem {
  id: number
  path: string
  /** The entry in the archive; empty for the thing itself. */
  part: string
  /** Where it went, or goes. */
  to: string
  state: ItemState
  /** The code of the refusal, and why; empty for none. */
  fault: string
  reason: string
}

export interface Job {
  id: number
  kind: JobKind
  username: string
  /** In the own folder of its user: a folder, or the file of an archive that is made. */
  to: string
  /** The first thing, and how many there are. */
  path: string
  items: number
  failed: number
  state: JobState
  reason: string
  /** RFC 3339; `ended` is empty while it is not over. */
  made: string
  ended: string
  files: number
  bytes: number
  filesDone: number
  bytesDone: number
  isPartial: boolean
  /** Bytes in a second; 0 while nothing is copied. */
  speed: number
  /** The file that is copied at this moment; empty for none. */
  current: string
  /** Items that failed, the first of them. */
  problems: JobItem[]
  /** The journal's entries of what it changed, for an undo; of one job that is asked for, empty in a list. */
  entries: number[]
}
