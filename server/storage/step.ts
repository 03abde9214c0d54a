/**
 * What a verb does to single names, told right before it does: each step has an inverse, and the disk alone says
 * later whether it happened. Whoever is told writes it down.
 */
import type { BigIntStats } from 'node:fs'
import type { TreePath } from '#wire/paths.ts'

/**
 * What happens to a name.
 *
 * - `made`: it was free, and has something now
 * - `removed`: it had something, and is free now
 * - `replaced`: it had a file, and has another one now
 * - `renamed`: what it had is found under another name
 */
export type StepKind = 'made' | 'removed' | 'replaced' | 'renamed'

/**
 * What the content that goes is for people: something in the trash, an earlier version of a file, or only a part
 * of a larger change, such as a folder that was merged into another one.
 */
export type StepRole = 'trash' | 'version' | 'part'

export interface Step {
  kind: StepKind
  role: StepRole
  /** The name, links resolved; of a renamed thing its old one. */
  path: TreePath
  /** The new name of a renamed thing. */
  to?: TreePath
  /** What had the name before; empty for nothing. */
  before: Mark
  /** What has the name afterwards, the new one of a renamed thing; empty for nothing, or while nobody knows. */
  after: Mark
  /** The name in the trash of what goes; empty where it is not kept. The storage empties it when it cannot be. */
  kept: string
  isFolder: boolean
  /** Of what goes; -1 for a folder, which nobody has measured. */
  sizeBytes: number
  modifiedMs: number
  /** The storage says false of what it has told and then not done. */
  happened: boolean
}

/** Names a trash folder among those of a served tree; empty for the one of the root. */
export type TrashId = string

/** The trash folder of the served root. */
export const ROOT_TRASH: TrashId = ''

/** The trash folder that a name of kept content says. */
export function trashOf(name: string): TrashId {
  return name.split('.')[1] ?? ROOT_TRASH
}

/** Which object stands under a name, and with which content: another file, or another content, has another mark. */
export type Mark = string

/** Neither the change time, nor the names of a folder: both change when a thing or its parts are renamed. */
export function markOf(stats: BigIntStats): Mark {
  const { ino, size, mtimeNs } = stats
  if (!stats.isFile()) return ino.toString(16)
  return [ino, size, mtimeNs].map((part) => part.toString(16)).join('-')
}

/** What a caller wants to be told, and to be kept. */
export interface ChangeOptions {
  /** What goes is kept in the trash, where it can be. */
  keep?: boolean
  /** Called right before names change; throwing refuses. Nothing waits between the call and the change. */
  record?: ((steps: Step[]) => void) | undefined
  /**
   * The same for a verb that may wait, and looks again afterwards: what is told is on the disk when this resolves,
   * together with what others told meanwhile.
   */
  recordTogether?: ((steps: Step[]) => Promise<void>) | undefined
  /** The one thing that is removed, replaced or renamed has this mark, or the verb is refused with `precondition`. */
  expect?: Mark | undefined
}
