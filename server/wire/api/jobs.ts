/** Jobs, long operations on files, in the API. */
import { z } from 'zod'
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
const JOB_STATES = ['waiting', 'running', 'paused', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

const ITEM_STATES = ['waiting', 'running', 'done', 'failed', 'skipped'] as const
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
const plannedItemShape = z.object({
  path: z.string(),
  part: z.string().meta({ description: 'the entry in the archive; empty for the whole item' }),
  to: z.string().meta({ description: 'the destination; empty if there is none' }),
  isDir: z.boolean(),
  files: z.number(),
  bytes: z.number(),
  taken: z.boolean().meta({ description: 'the name is taken at the destination' }),
  fault: z.string().meta({ description: 'why it is refused, as in X-Fault; empty if it is not' }),
  problem: z.string().meta({ description: 'the same as a sentence' }),
})

/** The plan of a job. */
export const jobPlanShape = z.object({
  tag: z.string().meta({
    description:
      'changes if the requested files, the counts, the conflicts or the refusals change; not with the free space',
  }),
  kind: z.enum(JOB_KINDS),
  to: z.string(),
  files: z.number(),
  folders: z.number(),
  bytes: z.number(),
  isPartial: z.boolean().meta({ description: 'there is more than was counted' }),
  isLarge: z.boolean().meta({
    description: 'large enough for a job; smaller operations are done directly',
  }),
  isInstant: z.boolean().meta({ description: 'each item is one rename, whatever its size' }),
  taken: z.number().meta({ description: 'items whose name is taken' }),
  replaced: z.number().meta({ description: 'files in merged folders that would be replaced' }),
  refused: z.number().meta({ description: 'items that would be refused' }),
  free: z.number().meta({ description: 'free bytes at the destination' }),
  freeAfter: z.number().meta({
    description: 'free bytes afterwards; negative if there is not enough room',
  }),
  items: z.array(plannedItemShape).readonly().meta({
    description: 'the first items that are refused, followed by the first that are taken',
  }),
})

const jobItemShape = z.object({
  id: z.number(),
  path: z.string(),
  part: z.string().meta({
    description:
      'one entry of an archive or checksum list, or one path that a copy left out; empty for the whole item',
  }),
  to: z.string().meta({ description: 'the destination' }),
  state: z.enum(ITEM_STATES),
  fault: z.string().meta({ description: 'the fault as in X-Fault; empty if there is none' }),
  reason: z.string().meta({ description: 'its message' }),
  failedPath: z.string().meta({
    description:
      'the file or folder inside the item at which it failed; empty if it is the item itself',
  }),
})

export const jobShape = z.object({
  id: z.number(),
  kind: z.enum(JOB_KINDS),
  username: z.string(),
  to: z.string().meta({
    description: 'in the scope of the user: the destination folder, or the archive to create',
  }),
  path: z.string().meta({ description: 'the path of the first item' }),
  items: z.number(),
  failed: z.number(),
  state: z.enum(JOB_STATES),
  fault: z.string().meta({
    description:
      'why it paused or failed, as in X-Fault; empty if a user paused it, or if all items failed',
  }),
  reason: z.string().meta({ description: 'the same as a sentence' }),
  made: z.string().meta({ description: 'RFC 3339' }),
  ended: z.string().meta({ description: 'RFC 3339; empty while the job is unfinished' }),
  files: z.number(),
  bytes: z.number(),
  filesDone: z.number(),
  bytesDone: z.number(),
  isPartial: z.boolean(),
  speed: z.number().meta({ description: 'bytes per second; 0 while nothing is copied' }),
  current: z.string().meta({ description: 'the current file; empty if there is none' }),
  problems: z.array(jobItemShape).meta({ description: 'the first failed items' }),
  entries: z.array(z.number()).meta({
    description:
      'the journal entries of its changes, for undo; only for a single job, empty in a list',
  }),
})

export type PlannedItem = z.infer<typeof plannedItemShape>
export type JobPlan = z.infer<typeof jobPlanShape>
export type JobItem = z.infer<typeof jobItemShape>
export type Job = z.infer<typeof jobShape>
