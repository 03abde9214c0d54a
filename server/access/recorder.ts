/** Who writes changes of files down: an entry for each verb, begun before the change and done after it. */
import type { Step } from '#server/storage/step.ts'
import type { JournalClient, JournalVerb } from '#wire/journal.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Actor } from './actor.ts'

/** Through which client, and in which session, an actor came. */
export interface Origin {
  session: string
  client: JournalClient
  /** The part of a job that the changes are of: its row. */
  jobItem?: number
}

/** One change, as it was asked for. */
export interface Change {
  verb: JournalVerb
  /** In the actor's scope. */
  path: TreePath
  to?: TreePath | undefined
  /** The entry that it undoes. */
  undoOf?: number | undefined
  /** It goes on where there is no room to write it down: that is how people make room. */
  lastResort?: boolean
}

/** The entry of one change. */
export interface RecordedChange {
  /** Its number; undefined while nothing was told, and where nothing is written. */
  readonly id: number | undefined
  /** Deleted and replaced content is kept. */
  readonly keep: boolean
  /**
   * Writes down what is about to happen, in the terms of the actor's scope, and forces it to the disk. The storage
   * may correct the same steps afterwards: `done` writes what became of them.
   *
   * @throws Fault noSpace: what cannot be written down does not happen
   */
  record(steps: Step[]): void
  /** The same, together with what others tell meanwhile: it is on the disk when this resolves. @throws as `record` */
  recordTogether(steps: Step[]): Promise<void>
  /** All of it happened: whoever asks from now on is told so. */
  done(): Promise<void>
  /** It failed somewhere: the disk says which steps happened. */
  failed(): Promise<void>
}

export interface Recorder {
  open(actor: Actor, origin: Origin, change: Change): RecordedChange
  /**
   * Removes something of the trash when the disk of a path is full.
   *
   * @param path in the actor's scope
   * @returns false when nothing is left to remove
   */
  makeRoom(actor: Actor, path: TreePath): Promise<boolean>
}

/** For a tree whose changes nobody writes down. */
export const NO_RECORDER: Recorder = {
  open: () => ({
    id: undefined,
    keep: false,
    record: () => undefined,
    recordTogether: async () => undefined,
    done: async () => undefined,
    failed: async () => undefined,
  }),
  makeRoom: async () => false,
}

/** Who writes changes down, and where they come from. */
export interface Journalled {
  recorder: Recorder
  origin: Origin
}

export const UNRECORDED: Journalled = {
  recorder: NO_RECORDER,
  origin: { session: '', client: 'api' },
}
