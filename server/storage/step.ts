/**
 * A step is one change of a name. The storage reports it before the change, and the journal stores it. A step can
 * be reversed, and the disk later shows whether it happened.
 */
import type { BigIntStats } from 'node:fs'
import type { TreePath } from '#wire/paths.ts'

/**
 * What happens to a name.
 * - `made`: the name was free and gets an object
 * - `removed`: the name is free afterwards
 * - `replaced`: the file of this name is replaced by another one
 * - `renamed`: the object of this name gets another name
 */
export type StepKind = 'made' | 'removed' | 'replaced' | 'renamed'

/**
 * How users see the removed content: as an item of the trash, as an earlier version of a file, or only as part of a
 * larger change such as a merge.
 */
export type StepRole = 'trash' | 'version' | 'part'

export interface Step {
  kind: StepKind
  role: StepRole
  /** The path with links resolved; of a rename the old one. */
  path: TreePath
  /** The new path of a rename. */
  to?: TreePath
  /** The mark of the folder that holds `path` (`folderMark`); empty if it is not known. */
  parent: Mark
  /** The mark of the folder that holds `to`; empty if it is not known, or the step is no rename. */
  toParent: Mark
  /** The mark of the object at `path` before the step; empty if the name was free. */
  before: Mark
  /**
   * The mark of the object at `path` (of a rename: at `to`) after the step; empty if there is none, or it is not known
   * yet.
   */
  after: Mark
  /**
   * The name of the removed content in the trash; empty if it is not kept. The storage clears it if the content
   * cannot be kept.
   */
  kept: string
  isFolder: boolean
  /**
   * For a folder that was made with its content: the time when it was complete, in milliseconds since the epoch by the
   * clock of its file system. 0 if it is not known.
   */
  completeMs: number
  /** The size of the removed content; -1 for a folder, which is not measured. 0 if nothing is removed. */
  sizeBytes: number
  /** The bytes on the disk that the removed content occupies; -1 for a folder. 0 if nothing is removed. */
  diskBytes: number
  /** The modification time of the removed content; 0 if nothing is removed. */
  modifiedMs: number
  /** The storage sets this to false if the step was recorded but failed. */
  happened: boolean
}

/** Identifies a trash folder of a served tree; empty for the trash folder of the root. */
export type TrashId = string

/** The trash folder of the served root. */
export const ROOT_TRASH: TrashId = ''

/** @returns the trash folder that a trash name belongs to */
export function trashOf(name: string): TrashId {
  return name.split('.')[1] ?? ROOT_TRASH
}

/** Identifies an object and its content: it changes if the file or its content is replaced. */
export type Mark = string

/** The mark leaves out the ctime, which a rename changes, and for a folder size and time, which new names change. */
export function markOf(stats: BigIntStats): Mark {
  const { ino, size, mtimeNs } = stats
  if (!stats.isFile()) return ino.toString(16)
  return [ino, size, mtimeNs].map((part) => part.toString(16)).join('-')
}

/** How an operation records its changes and keeps removed content. */
export interface ChangeOptions {
  /** Keep removed content in the trash, if possible. */
  keepRemoved?: boolean
  /**
   * Called before names change. When this resolves, the steps are on the disk, in one commit with the steps of other
   * requests; the operation looks at the names again before it changes them. Rejecting refuses the change.
   */
  record?: ((steps: Step[]) => Promise<void>) | undefined
  /**
   * Called right before names change, without a wait in between. Throwing refuses the change: another process has taken
   * over what this one was doing.
   */
  beforeChange?: (() => void) | undefined
  /** The user who makes the change. On a full disk it may delete other content of the trash than that of others. */
  userId?: number | undefined
  /** The operation fails with `precondition` unless the object that it changes has this mark. */
  expect?: Mark | undefined
  /**
   * A removal, a move and a restore from the trash fail with `precondition` unless this is the mark of the folder that
   * holds the name; of a move, the old name. Empty: the folder is not known, and is not compared.
   */
  expectParent?: Mark | undefined
  /** As `expectParent`, for the new name of a move. */
  expectTargetParent?: Mark | undefined
}
