/**
 * Records the changes of names that an operation is about to make, as steps for the journal, and keeps removed or
 * replaced content in the trash. A step is recorded right before its change, without a wait in between. A merge records
 * all its steps first; if an entry has changed by the time of its step, a new step is recorded. A step that was recorded
 * but whose change failed is marked with `markUndone`.
 */
import type { BigIntStats } from 'node:fs'
import { type ChangeOptions, type Mark, markOf, type Step } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'
import type { TrashFolder } from '../trash/trash-folder.ts'
import type { TrashFolders } from '../trash/trash-folders.ts'
import { ChangeSteps, isSameStep, type PathOf } from './change-steps.ts'
import { folderMark } from './folder-mark.ts'

/** The event loop gets a turn after so many steps. */
const YIELD_EVERY = 500

/** The original location of something that is moved to another file system. */
export interface MovedFrom {
  path: TreePath
  /** The mark of its folder, as in `Step`. */
  parent: Mark
  before: Mark
}

export class Changes {
  readonly #trashes: TrashFolders | undefined
  readonly #pathOf: PathOf
  readonly #options: ChangeOptions
  /** Builds the steps that are recorded. */
  readonly steps: ChangeSteps
  /** Trash folders that may have received content, to be flushed by `sync`. */
  readonly #usedTrashes = new Set<TrashFolder>()
  /**
   * Trash names for replaced files on a file system without hard links, by the step that replaces the file. These
   * files are moved to the trash after they are replaced.
   */
  readonly #keptAfter = new Map<Step, string>()
  /** Steps of a merge that are still to be done, by the path that they change. */
  readonly #planned = new Map<TreePath, Step>()

  constructor(trashes: TrashFolders | undefined, pathOf: PathOf, options: ChangeOptions) {
    this.#trashes = trashes
    this.#pathOf = pathOf
    this.#options = options
    this.steps = new ChangeSteps(pathOf, (folder) => this.#trashFor(folder))
  }

  /** Whether there is a journal entry that steps are recorded in. */
  get isRecorded(): boolean {
    return this.#options.record !== undefined
  }

  /** Whether content that is removed from a folder is kept in the trash. */
  keeps(folder: Handle): boolean {
    return this.#trashFor(folder) !== undefined
  }

  /** Records all steps of a merge before the first change. */
  async plan(steps: Step[]): Promise<void> {
    const { record, recordTogether } = this.#options
    for (let first = 0; first < steps.length; first += YIELD_EVERY) {
      const slice = steps.slice(first, first + YIELD_EVERY)
      if (recordTogether) await recordTogether(slice)
      else record?.(slice)
    }
    for (const step of steps) this.#planned.set(step.path, step)
  }

  /** Marks the planned steps that the merge has not done as undone. */
  endPlan(): void {
    this.markUndone([...this.#planned.values()])
    this.#planned.clear()
  }

  /**
   * Records that a complete staged file gets a name. If a file has this name, it is kept in the trash.
   * @throws Fault precondition (the file does not have the expected mark)
   */
  put(staged: Slot, slot: Slot, existing: BigIntStats | undefined): Step | undefined {
    if (!this.isRecorded) return undefined
    const newStep = this.steps.putStep(lstatAt(staged), slot, existing)
    const [step = newStep] = this.#takeFromPlan([newStep.path], [newStep]) ?? []
    if (step === newStep) {
      this.#throwIfChanged(existing)
      this.#record([step])
    }
    this.#keepOld(step, slot)
    return step
  }

  /**
   * As `put`, and waits until the record is on the disk. Others may change files until then, so the caller checks the
   * name again. If it is unchanged, the caller calls `keepReplaced` and replaces the file; otherwise `markUndone`.
   * @param content the staged file
   * @throws as `put`
   */
  async recordPut(
    content: Handle,
    slot: Slot,
    existing: BigIntStats | undefined,
  ): Promise<Step | undefined> {
    const { record, recordTogether } = this.#options
    if (!this.isRecorded) return undefined
    const step = this.steps.putStep(content.exactStat(), slot, existing)
    this.#throwIfChanged(existing)
    if (recordTogether) await recordTogether([step])
    else record?.([step])
    return step
  }

  /** Gives a file its name in the trash, right before it is replaced. */
  keepReplaced(step: Step | undefined, slot: Slot): void {
    if (step) this.#keepOld(step, slot)
  }

  /**
   * Called after content got its name. On a file system without hard links the replaced file is moved to the trash
   * only now; a crash before that loses it.
   * @param staged the slot that holds the replaced file after the exchange of the two names
   */
  afterPut(step: Step | undefined, staged: Slot): void {
    const name = step && this.#keptAfter.get(step)
    const old = name && lstatAt(staged)
    if (!old || markOf(old) !== step.before) return
    if (this.#trashes?.named(name).moveIn(staged, name)) step.kept = name
  }

  /**
   * Records that a copy from another file system gets its name and the original is removed.
   * @returns the recorded steps
   */
  putCopied(
    staged: Slot,
    slot: Slot,
    existing: BigIntStats | undefined,
    movedFrom: MovedFrom,
  ): Step[] {
    const content = lstatAt(staged)
    if (!this.isRecorded || !content) return []
    const steps = this.steps
      .renameSteps(staged, slot, content, existing)
      .map((step) => (step.kind === 'renamed' ? { ...step, ...movedFrom } : step))
    this.#record(steps)
    for (const step of steps) if (step.kind === 'removed') this.#keepOld(step, slot)
    return steps
  }

  /**
   * Describes an entry that is about to be copied to another file system and then removed.
   * @throws Fault precondition (it does not have the expected mark)
   */
  beforeCopy(source: Slot): MovedFrom {
    const stats = lstatAt(source)
    this.#throwIfChanged(stats)
    const parent = folderMark(source.parent)
    return { path: this.#pathOf(source), parent, before: stats ? markOf(stats) : '' }
  }

  /** Records a new folder. An undo removes it only while it is empty. */
  makeFolder(slot: Slot): Step | undefined {
    if (!this.isRecorded) return undefined
    const step = this.steps.makeFolderStep(slot)
    this.#record([step])
    return step
  }

  /**
   * Records a rename. A file that it replaces is kept in the trash.
   * @param from the entry to rename
   * @param to the file that it replaces, if there is one
   * @throws Fault precondition (the entry does not have the expected mark)
   */
  rename(source: Slot, target: Slot, from: BigIntStats, to: BigIntStats | undefined): Step[] {
    if (!this.isRecorded) return []
    const newSteps = this.steps.renameSteps(source, target, from, to)
    const steps =
      this.#takeFromPlan([this.#pathOf(target), this.#pathOf(source)], newSteps) ?? newSteps
    if (steps === newSteps) {
      this.#throwIfChanged(from)
      this.#record(steps)
    }
    for (const step of steps) if (step.kind === 'removed') this.#keepOld(step, target)
    return steps
  }

  /** Records the removal of one of two names of a file. */
  dropName(source: Slot, from: BigIntStats): void {
    if (!this.isRecorded) return
    this.#throwIfChanged(from)
    const step = this.steps.removeStep(source, from, 'part')
    this.#record([step])
    this.#keepOld(step, source)
  }

  /**
   * Records a removal.
   * @param toTrash whether the caller moves the entry to the trash next
   * @throws Fault precondition (the entry does not have the expected mark)
   */
  remove(slot: Slot, stats: BigIntStats, toTrash: boolean): Step | undefined {
    if (!this.isRecorded) return undefined
    this.#throwIfChanged(stats)
    const step = this.steps.removeStep(slot, stats, 'trash')
    if (!toTrash) step.kept = ''
    this.#record([step])
    return step
  }

  /**
   * Moves an entry whose removal was recorded to the trash.
   * @returns false if the trash has no room, or the entry is not to be kept
   */
  moveToTrash(step: Step | undefined, slot: Slot): boolean {
    if (!step?.kept || !this.#trashes) return false
    const trash = this.#trashes.named(step.kept)
    this.#usedTrashes.add(trash)
    if (trash.moveIn(slot, step.kept)) return true
    step.kept = ''
    return false
  }

  /**
   * Moves an emptied folder of a merge to the trash, as planned.
   * @param content what is moved there: the folder, or a copy of it
   * @returns whether it is in the trash now
   * @throws system errors; then it may be called again
   */
  movePlannedToTrash(slot: Slot, content = slot): boolean {
    if (!this.isRecorded) return false
    const path = this.#pathOf(slot)
    const step = this.#planned.get(path)
    if (step?.kind !== 'removed') return false
    const isMoved = this.moveToTrash(step, content)
    this.#planned.delete(path)
    return isMoved
  }

  /** Marks recorded steps as not done, and removes their second names from the trash. */
  markUndone(steps: readonly (Step | undefined)[]): void {
    for (const step of steps) {
      if (!step) continue
      step.happened = false
      if (!step.kept) continue
      const trash = this.#trashes?.named(step.kept)
      trash?.unlink(step.kept)
      trash?.removeIfEmpty()
    }
  }

  /** Flushes the trash folders that received content. */
  async sync(): Promise<void> {
    for (const trash of this.#usedTrashes) await trash.sync()
  }

  /**
   * @param newSteps the steps for the present state of the files
   * @returns the planned steps for these names if they equal `newSteps`. Otherwise something has changed since, the
   *   planned steps are marked as undone, and the result is undefined.
   */
  #takeFromPlan(names: TreePath[], newSteps: Step[]): Step[] | undefined {
    const planned = names.flatMap((name) => this.#planned.get(name) ?? [])
    for (const name of names) this.#planned.delete(name)
    const areSame = planned.every((step, index) => isSameStep(step, newSteps[index]))
    if (areSame && planned.length === newSteps.length) return planned
    this.markUndone(planned)
    return undefined
  }

  /** Links the file at a slot into the trash, or notes that `afterPut` has to move it there. */
  #keepOld(step: Step, slot: Slot): void {
    if (!step.kept || !this.#trashes) return
    const trash = this.#trashes.named(step.kept)
    this.#usedTrashes.add(trash)
    if (trash.link(slot, step.kept)) return
    this.#keptAfter.set(step, step.kept)
    step.kept = ''
  }

  /** @returns the trash for the content of a folder; undefined if content is not, or cannot be, kept */
  #trashFor(folder: Handle): TrashFolder | undefined {
    if (!this.isRecorded || this.#options.keepRemoved !== true) return undefined
    const trash = this.#trashes?.of(folder)
    return trash?.isReady ? trash : undefined
  }

  #record(steps: Step[]): void {
    if (steps.length > 0) this.#options.record?.(steps)
  }

  #throwIfChanged(stats: BigIntStats | undefined): void {
    const { expect } = this.#options
    if (!this.isRecorded || expect === undefined || (stats && markOf(stats) === expect)) return
    throw new Fault('precondition', 'The file or folder has changed since. Load the folder again.')
  }
}
