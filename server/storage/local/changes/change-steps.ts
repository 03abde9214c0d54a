/**
 * Builds the steps that are recorded: the object that a name has before, the object that it has afterwards, and the
 * name of the old content in the trash.
 */
import type { BigIntStats } from 'node:fs'
import { type Mark, markOf, type Step, type StepRole } from '#server/storage/step.ts'
import { clampTime } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Slot } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'
import { occupiedBytes } from '../room/disk-usage.ts'
import type { TrashFolder } from '../trash/trash-folder.ts'
import { folderMark } from './folder-mark.ts'

/** @returns the tree path of a name in an open folder */
export type PathOf = (slot: Slot) => TreePath

/** @returns the trash for the content of a folder; undefined if content is not, or cannot be, kept */
type TrashFor = (folder: Handle) => TrashFolder | undefined

/** The original location of something that is moved to another file system. */
export interface MovedFrom {
  path: TreePath
  /** The mark of its folder, as in `Step`. */
  parent: Mark
  before: Mark
}

export class ChangeSteps {
  readonly #pathOf: PathOf
  readonly #trashFor: TrashFor

  constructor(pathOf: PathOf, trashFor: TrashFor) {
    this.#pathOf = pathOf
    this.#trashFor = trashFor
  }

  /**
   * @param content the staged content
   * @returns the step for content that gets a name, which a file may have
   */
  putStep(content: BigIntStats | undefined, slot: Slot, existing: BigIntStats | undefined): Step {
    const after = content ? markOf(content) : ''
    if (existing) return this.#stepWithOldContent('replaced', 'version', slot, existing, after)
    return {
      ...WITHOUT_OLD_CONTENT,
      ...this.#nameOf(slot),
      kind: 'made',
      after,
      isFolder: !!content?.isDirectory(),
    }
  }

  /** @returns the step for a new folder. An undo removes it only while it is empty. */
  makeFolderStep(slot: Slot): Step {
    const name = this.#nameOf(slot)
    return { ...WITHOUT_OLD_CONTENT, ...name, kind: 'made', role: 'part', isFolder: true }
  }

  /** @returns the steps for a rename, and for the file that it replaces */
  renameSteps(source: Slot, target: Slot, from: BigIntStats, to: BigIntStats | undefined): Step[] {
    const mark = markOf(from)
    const renamed: Step = {
      ...WITHOUT_OLD_CONTENT,
      ...this.#nameOf(source),
      kind: 'renamed',
      to: this.#pathOf(target),
      toParent: folderMark(target.parent),
      before: mark,
      after: mark,
      isFolder: from.isDirectory(),
    }
    return to
      ? [this.#stepWithOldContent('removed', 'version', target, to, ''), renamed]
      : [renamed]
  }

  /** @returns the steps for a copy that gets its name, and whose original is removed afterwards */
  moveCopySteps(
    staged: Slot,
    target: Slot,
    { from, to }: { from: BigIntStats; to: BigIntStats | undefined },
    movedFrom: MovedFrom,
  ): Step[] {
    return this.renameSteps(staged, target, from, to).map((step) =>
      step.kind === 'renamed' ? { ...step, ...movedFrom } : step,
    )
  }

  /** @returns the step for a removal */
  removeStep(slot: Slot, stats: BigIntStats, role: StepRole): Step {
    return this.#stepWithOldContent('removed', role, slot, stats, '')
  }

  /** @returns a step that removes or replaces the object at a slot, with a new name for it in the trash */
  #stepWithOldContent(
    kind: 'removed' | 'replaced',
    role: StepRole,
    slot: Slot,
    stats: BigIntStats,
    after: Mark,
  ): Step {
    const isFolder = stats.isDirectory()
    return {
      ...WITHOUT_OLD_CONTENT,
      ...this.#nameOf(slot),
      kind,
      role,
      before: markOf(stats),
      after,
      kept: this.#trashFor(slot.parent)?.freshName() ?? '',
      isFolder,
      sizeBytes: isFolder ? -1 : Number(stats.size),
      diskBytes: isFolder ? -1 : occupiedBytes(stats),
      modifiedMs: clampTime(Number(stats.mtimeMs)),
    }
  }

  /** @returns the path of a slot, and the mark of its folder */
  #nameOf(slot: Slot): Pick<Step, 'path' | 'parent'> {
    return { path: this.#pathOf(slot), parent: folderMark(slot.parent) }
  }
}

/** Whether two steps are the same change of the same object. */
export function isSameStep(a: Step, b: Step | undefined): boolean {
  return (
    a.kind === b?.kind &&
    a.path === b.path &&
    a.to === b.to &&
    a.before === b.before &&
    a.after === b.after
  )
}

/** Whether two steps are the same change of the same object, of which only the content may be another. */
export function isSameObjectIn(a: Step, b: Step | undefined): boolean {
  const inodeOf = (mark: Mark) => mark.split('-')[0]
  return (
    a.kind === b?.kind &&
    a.path === b.path &&
    a.to === b.to &&
    inodeOf(a.before) === inodeOf(b.before) &&
    inodeOf(a.after) === inodeOf(b.after)
  )
}

/** The fields of a step that neither removes nor replaces an object. */
const WITHOUT_OLD_CONTENT = {
  role: 'trash',
  toParent: '',
  before: '',
  after: '',
  kept: '',
  isFolder: false,
  completeMs: 0,
  sizeBytes: 0,
  diskBytes: 0,
  modifiedMs: 0,
  happened: true,
} as const satisfies Partial<Step>
