/** Makes the steps that changes record: what a name was, what it becomes, and under which name the old content is kept. */
import type { BigIntStats } from 'node:fs'
import type { TreePath } from '#wire/paths.ts'
import { type Staged, statsAt } from './atomic.ts'
import type { Handle } from './handle.ts'
import { type Mark, markOf, type Step, type StepRole } from './step.ts'
import type { TrashFolder } from './trash-folder.ts'

/** Says which path of the tree a name in an open folder is. */
export type PathOf = (slot: Staged) => TreePath

/** The trash that takes what lies in a folder; undefined where nothing is to be kept, or can be. */
type TrashFor = (folder: Handle) => TrashFolder | undefined

export class ChangeSteps {
  readonly #pathOf: PathOf
  readonly #trashFor: TrashFor

  constructor(pathOf: PathOf, trashFor: TrashFor) {
    this.#pathOf = pathOf
    this.#trashFor = trashFor
  }

  /** The step that `Changes.put` records. */
  putting(staged: Staged, slot: Staged, existing: BigIntStats | undefined): Step {
    const content = statsAt(staged)
    const after = content ? markOf(content) : ''
    if (existing) return this.#going('replaced', 'version', slot, existing, after)
    return {
      ...NOTHING_GOES,
      kind: 'made',
      path: this.#pathOf(slot),
      after,
      isFolder: !!content?.isDirectory(),
    }
  }

  /** The step that `Changes.makeFolder` records. */
  makingFolder(slot: Staged): Step {
    const path = this.#pathOf(slot)
    return { ...NOTHING_GOES, kind: 'made', role: 'part', path, isFolder: true }
  }

  /** The steps that `Changes.rename` records. */
  renaming(source: Staged, target: Staged, from: BigIntStats, to: BigIntStats | undefined): Step[] {
    const mark = markOf(from)
    const renamed: Step = {
      ...NOTHING_GOES,
      kind: 'renamed',
      path: this.#pathOf(source),
      to: this.#pathOf(target),
      before: mark,
      after: mark,
      isFolder: from.isDirectory(),
    }
    return to ? [this.#going('removed', 'version', target, to, ''), renamed] : [renamed]
  }

  /** The step that `Changes.remove` records. */
  removing(slot: Staged, stats: BigIntStats, role: StepRole): Step {
    return this.#going('removed', role, slot, stats, '')
  }

  #going(
    kind: 'removed' | 'replaced',
    role: StepRole,
    slot: Staged,
    stats: BigIntStats,
    after: Mark,
  ): Step {
    const isFolder = stats.isDirectory()
    return {
      ...NOTHING_GOES,
      kind,
      role,
      path: this.#pathOf(slot),
      before: markOf(stats),
      after,
      kept: this.#trashFor(slot.parent)?.freshName() ?? '',
      isFolder,
      sizeBytes: isFolder ? -1 : Number(stats.size),
      modifiedMs: Number(stats.mtimeMs),
    }
  }
}

/** Whether two steps are the same change of the same thing. */
export function isSame(one: Step, other: Step | undefined): boolean {
  return (
    one.kind === other?.kind &&
    one.path === other.path &&
    one.to === other.to &&
    one.before === other.before &&
    one.after === other.after
  )
}

const NOTHING_GOES = {
  role: 'trash',
  before: '',
  after: '',
  kept: '',
  isFolder: false,
  sizeBytes: 0,
  modifiedMs: 0,
  happened: true,
} as const satisfies Partial<Step>
