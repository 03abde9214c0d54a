/**
 * The interface to the journal: an entry for each change, started before the change and finished after it. A change
 * consists of steps: changes of single names (`Step`).
 */
import type { Step } from '#server/storage/step.ts'
import type { JournalClient, JournalVerb } from '#wire/api/journal.ts'
import type { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Actor } from './actor.ts'

/** Where a change comes from. */
export interface Origin {
  session: string
  client: JournalClient
  /** The id of the job item that makes the changes. */
  jobItem?: number
  /** The name that this process had when it took the job: under another one it makes no changes of the job. */
  writer?: string
}

/** A requested change. */
export interface Change {
  verb: JournalVerb
  /** In the actor's scope. */
  path: TreePath
  to?: TreePath | undefined
  /** The id of the entry that it undoes. */
  undoOf?: number | undefined
  /** Whether the change may happen without an entry if the disk is full, so that users can free space. */
  isLastResort?: boolean
}

/** The journal entry of one change. */
export interface RecordedChange {
  /** The id; undefined before the first step, and without a journal. */
  readonly id: number | undefined
  /** Whether deleted and replaced content is kept. */
  readonly keepRemoved: boolean
  /**
   * Writes the steps that are about to happen, with paths in the actor's scope, in one commit with entries of other
   * changes. When this resolves, the steps are on the disk. The storage may change the steps afterwards (`after`, `kept`,
   * `happened`); `done` writes their final state.
   *
   * @throws Fault noSpace; then the change must not happen
   */
  record(steps: Step[]): Promise<void>
  /**
   * Called right before names change.
   *
   * @throws Fault unavailable if another server may have taken the change over
   */
  requireOwn(): void
  /** Marks the entry as finished: all steps happened. @throws Fault unavailable as `requireOwn` */
  done(): Promise<void>
  /** Finishes the entry of a change that failed: the disk is checked for the steps that happened. */
  failed(): Promise<void>
}

export interface Recorder {
  open(actor: Actor, origin: Origin, change: Change): RecordedChange
  /**
   * Whether what is deleted at a path goes to the trash.
   *
   * @param path in the actor's scope
   * @throws Fault notFound, forbidden
   */
  keeps(actor: Actor, path: TreePath): Promise<boolean>
  /**
   * Deletes content from the trash when the disk of a path is full.
   *
   * @param path in the actor's scope
   * @returns false if nothing is left to delete
   */
  makeRoom(actor: Actor, path: TreePath): Promise<boolean>
  /**
   * @param fault noSpace, of a change at the path
   * @param path in the actor's scope; undefined for the served folder itself
   * @returns the fault with the disk that is full, and what the actor's trash occupies there
   */
  describeFull(fault: Fault, actor: Actor, path: TreePath | undefined): Promise<Fault>
}

/** For a tree without a journal. */
export const NO_RECORDER: Recorder = {
  open: () => ({
    id: undefined,
    keepRemoved: false,
    record: async () => undefined,
    requireOwn: () => undefined,
    done: async () => undefined,
    failed: async () => undefined,
  }),
  keeps: async () => false,
  makeRoom: async () => false,
  describeFull: async (fault) => fault,
}

/** The recorder, and the origin of the changes. */
export interface RecordingContext {
  recorder: Recorder
  origin: Origin
}

export const UNRECORDED: RecordingContext = {
  recorder: NO_RECORDER,
  origin: { session: '', client: 'api' },
}
