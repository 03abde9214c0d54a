/**
 * Records what a verb is about to do to names, as steps of the journal, and keeps what is removed or replaced. A verb
 * records a step right before the change, with no wait in between. A merge records all of its steps before the first, and
 * again those that have changed by their turn. A step that was recorded and then not done is marked so (`undone`).
 */
import type { BigIntStats } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { type Staged, statsAt } from './atomic.ts'
import { ChangeSteps, isSame, type PathOf } from './change-steps.ts'
import type { Handle } from './handle.ts'
import { type ChangeOptions, type Mark, markOf, type Step } from './step.ts'
import type { TrashFolder } from './trash-folder.ts'
import type { TrashFolders } from './trash-folders.ts'

/** Steps recorded between two turns of the event loop. */
const SLICE = 500

/** Where something was before it was moved to another file system. */
export interface MovedFrom {
  path: TreePath
  before: Mark
}

export class Changes {
  readonly #trashes: TrashFolders | undefined
  readonly #pathOf: PathOf
  readonly #options: ChangeOptions
  /** Makes the steps that are recorded. */
  readonly steps: ChangeSteps
  /** Trash folders that may have taken something. */
  readonly #usedTrashes = new Set<TrashFolder>()
  /** Names in the trash for files that cannot have a second name: they get it after they are replaced. */
  readonly #keptAfter = new Map<Step, string>()
  /** Steps of a merge that were not done yet, by the name that they change. */
  readonly #planned = new Map<TreePath, Step>()

  constructor(trashes: TrashFolders | undefined, pathOf: PathOf, options: ChangeOptions) {
    this.#trashes = trashes
    this.#pathOf = pathOf
    this.#options = options
    this.steps = new ChangeSteps(pathOf, (folder) => this.#trashFor(folder))
  }

  /** Whether somebody records the steps. */
  get isRecorded(): boolean {
    return this.#options.record !== undefined
  }

  /** Whether what lies in a folder is kept when it goes. */
  keeps(folder: Handle): boolean {
    return this.#trashFor(folder) !== undefined
  }

  /** Records all steps of a merge before its first: they are recorded again only where something has changed. */
  async plan(steps: Step[]): Promise<void> {
    const { record, recordTogether } = this.#options
    for (let first = 0; first < steps.length; first += SLICE) {
      const slice = steps.slice(first, first + SLICE)
      if (recordTogether) await recordTogether(slice)
      else record?.(slice)
    }
    for (const step of steps) this.#planned.set(step.path, step)
  }

  /** A merge is over: what is left of its plan does not happen. */
  endPlan(): void {
    this.undone([...this.#planned.values()])
    this.#planned.clear()
  }

  /** A complete staged file gets a name: a free one, or that of a file, which is kept. @throws Fault precondition */
  put(staged: Staged, slot: Staged, existing: BigIntStats | undefined): Step | undefined {
    if (!this.isRecorded) return undefined
    const wanted = this.steps.putting(staged, slot, existing)
    const [step = wanted] = this.#asPlanned([wanted.path], [wanted]) ?? []
    if (step === wanted) {
      this.#mustBeExpected(existing)
      this.#record([step])
    }
    this.#keepOld(step, slot)
    return step
  }

  /**
   * Records `put` and waits until that is on the disk. Others were at work meanwhile: the caller looks at the name
   * again, and then either calls `keepReplaced` and changes it, or calls `undone`.
   *
   * @throws Fault precondition
   */
  async announcePut(
    staged: Staged,
    slot: Staged,
    existing: BigIntStats | undefined,
  ): Promise<Step | undefined> {
    const { record, recordTogether } = this.#options
    if (!this.isRecorded) return undefined
    const step = this.steps.putting(staged, slot, existing)
    this.#mustBeExpected(existing)
    if (recordTogether) await recordTogether([step])
    else record?.([step])
    return step
  }

  /** What a step replaces gets its name in the trash, right before it loses its own. */
  keepReplaced(step: Step | undefined, slot: Staged): void {
    if (step) this.#keepOld(step, slot)
  }

  /**
   * Content got its name. Where a file cannot have a second name, what it replaced is taken in only now: a kill in
   * between loses that.
   *
   * @param staged where an exchange has left what was replaced
   */
  landed(step: Step | undefined, staged: Staged): void {
    const name = step && this.#keptAfter.get(step)
    const old = name && statsAt(staged)
    if (!old || markOf(old) !== step.before) return
    if (this.#trashes?.named(name).take(staged, name)) step.kept = name
  }

  /** A copy from another file system gets its name, and what was copied is removed. @returns the steps, recorded */
  arrive(
    staged: Staged,
    slot: Staged,
    existing: BigIntStats | undefined,
    movedFrom: MovedFrom,
  ): Step[] {
    const content = statsAt(staged)
    if (!this.isRecorded || !content) return []
    const { path, before } = movedFrom
    const steps = this.steps
      .renaming(staged, slot, content, existing)
      .map((step) => (step.kind === 'renamed' ? { ...step, path, before } : step))
    this.#record(steps)
    for (const step of steps) if (step.kind === 'removed') this.#keepOld(step, slot)
    return steps
  }

  /** What is about to be copied to another file system, and then goes. @throws Fault precondition */
  leave(source: Staged): MovedFrom {
    const stats = statsAt(source)
    this.#mustBeExpected(stats)
    return { path: this.#pathOf(source), before: stats ? markOf(stats) : '' }
  }

  /** A folder is made; what it is nobody knows before. Its inverse goes only while it is empty. */
  makeFolder(slot: Staged): Step | undefined {
    if (!this.isRecorded) return undefined
    const step = this.steps.makingFolder(slot)
    this.#record([step])
    return step
  }

  /** A thing gets another name, and takes it from a file, which is kept. @throws Fault precondition */
  rename(source: Staged, target: Staged, from: BigIntStats, to: BigIntStats | undefined): Step[] {
    if (!this.isRecorded) return []
    const wanted = this.steps.renaming(source, target, from, to)
    const steps = this.#asPlanned([this.#pathOf(target), this.#pathOf(source)], wanted) ?? wanted
    if (steps === wanted) {
      this.#mustBeExpected(from)
      this.#record(steps)
    }
    for (const step of steps) if (step.kind === 'removed') this.#keepOld(step, target)
    return steps
  }

  /** One of two names of a file goes: the other one has it still. */
  dropName(source: Staged, from: BigIntStats): void {
    if (!this.isRecorded) return
    this.#mustBeExpected(from)
    const step = this.steps.removing(source, from, 'part')
    this.#record([step])
    this.#keepOld(step, source)
  }

  /** A thing goes. @param kept whether the caller takes it into the trash. @throws Fault precondition */
  remove(slot: Staged, stats: BigIntStats, kept: boolean): Step | undefined {
    if (!this.isRecorded) return undefined
    this.#mustBeExpected(stats)
    const step = this.steps.removing(slot, stats, 'trash')
    if (!kept) step.kept = ''
    this.#record([step])
    return step
  }

  /** Takes a thing into the trash whose removal was recorded. @returns false when it has no room, or is not kept */
  take(step: Step | undefined, slot: Staged): boolean {
    if (!step?.kept || !this.#trashes) return false
    const trash = this.#trashes.named(step.kept)
    this.#usedTrashes.add(trash)
    if (trash.take(slot, step.kept)) return true
    step.kept = ''
    return false
  }

  /** An emptied folder of a merge, by the plan. @returns whether it is in the trash now */
  takePlanned(slot: Staged): boolean {
    if (!this.isRecorded) return false
    const path = this.#pathOf(slot)
    const step = this.#planned.get(path)
    if (step?.kind !== 'removed') return false
    this.#planned.delete(path)
    return this.take(step, slot)
  }

  /** Recorded steps did not happen: what has a second name in the trash loses that again. */
  undone(steps: readonly (Step | undefined)[]): void {
    for (const step of steps) {
      if (!step) continue
      step.happened = false
      if (!step.kept) continue
      const trash = this.#trashes?.named(step.kept)
      trash?.unlink(step.kept)
      trash?.tidy()
    }
  }

  /** Flushes what came into the trash to the disk. */
  async sync(): Promise<void> {
    for (const trash of this.#usedTrashes) await trash.sync()
  }

  /**
   * The steps of the plan for these names, which are done now, where they are still those that are wanted. Otherwise
   * somebody else was there meanwhile, and what was planned does not happen.
   */
  #asPlanned(names: TreePath[], wanted: Step[]): Step[] | undefined {
    const planned = names.flatMap((name) => this.#planned.get(name) ?? [])
    for (const name of names) this.#planned.delete(name)
    if (planned.length === wanted.length && planned.every((step, at) => isSame(step, wanted[at]))) {
      return planned
    }
    this.undone(planned)
    return undefined
  }

  #keepOld(step: Step, slot: Staged): void {
    if (!step.kept || !this.#trashes) return
    const trash = this.#trashes.named(step.kept)
    this.#usedTrashes.add(trash)
    if (trash.link(slot, step.kept)) return
    this.#keptAfter.set(step, step.kept)
    step.kept = ''
  }

  /** The trash that takes what lies in a folder; undefined where nothing is to be kept, or can be. */
  #trashFor(folder: Handle): TrashFolder | undefined {
    if (!this.isRecorded || this.#options.keep !== true) return undefined
    const trash = this.#trashes?.of(folder)
    return trash?.isReady ? trash : undefined
  }

  #record(steps: Step[]): void {
    if (steps.length > 0) this.#options.record?.(steps)
  }

  #mustBeExpected(stats: BigIntStats | undefined): void {
    const { expect } = this.#options
    if (!this.isRecorded || expect === undefined || (stats && markOf(stats) === expect)) return
    throw new Fault('precondition', 'It has changed since.')
  }
}
