/**
 * Records the changes of names that an operation is about to make, as steps for the journal, and keeps removed or
 * replaced content in the trash. A step is on the disk before its change. While it is flushed, other requests and programs
 * may change the same names. So the names are looked at twice: to describe the change, and again after the flush, right
 * before it, without a wait in between. If they are not the same any more, the step is marked with `markUndone` and the
 * change is decided and recorded again. A merge records all its steps first; only an entry that has changed by the time of
 * its step is recorded again. A step that was recorded but whose change failed is marked with `markUndone` too.
 */
import type { BigIntStats } from 'node:fs'
import { type ChangeOptions, markOf, type Step } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'
import type { TrashFolder } from '../trash/trash-folder.ts'
import type { TrashFolders } from '../trash/trash-folders.ts'
import {
  ChangeSteps,
  isSameObjectIn,
  isSameStep,
  type MovedFrom,
  type PathOf,
} from './change-steps.ts'
import { folderMark } from './folder-mark.ts'

/** So many steps at most are recorded together. */
const STEPS_AT_ONCE = 500

/** The state of names, and the steps of the change that is to be made of it. */
export interface Look {
  steps: Step[]
}

/** A change of names, which is recorded before it is made. */
export interface NameChange<Seen extends Look> {
  /**
   * Checks the names and describes the change. It is called before the record and again after it, right before `act`.
   *
   * @returns undefined if the names ask for a change of another kind, on which the caller decides
   * @throws what refuses the change
   */
  look(): Seen | undefined
  /** A check that takes time: after the record, before the last look. */
  confirm?: (() => Promise<void>) | undefined
  /**
   * Makes the change. The names change before it waits for anything.
   *
   * @param steps the recorded steps
   * @param seen the result of the last look
   */
  act(steps: readonly Step[], seen: Seen): void | Promise<void>
  /** Whether a file that was only written to since the record is the same: at the last try (`untilMade`). */
  isLastTry: boolean
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
    for (let first = 0; first < steps.length; first += STEPS_AT_ONCE) {
      await this.#record(steps.slice(first, first + STEPS_AT_ONCE))
    }
    for (const step of steps) this.#planned.set(step.path, step)
  }

  /** Marks the planned steps that the merge has not done as undone. */
  endPlan(): void {
    this.markUndone([...this.#planned.values()])
    this.#planned.clear()
  }

  /** @returns what `describe` returns; no steps if there is no journal entry */
  described(describe: () => Step[]): Step[] {
    return this.isRecorded ? describe() : []
  }

  /**
   * Records a change and makes it. If it is planned as it is, or is not recorded, it is made at once.
   *
   * @returns false if the names have changed while it was recorded, or ask for a change of another kind. The caller tries
   *   again (`untilMade`).
   * @throws what `look`, `confirm` and `act` throw; then the steps are marked as undone
   */
  async tryMake<Seen extends Look>(change: NameChange<Seen>): Promise<boolean> {
    const { look, confirm, act, isLastTry } = change
    const first = look()
    if (!first) return false
    const planned = this.#takeFromPlan(first.steps)
    const steps = planned ?? first.steps
    const isRecordedNow = !planned && steps.length > 0
    if (isRecordedNow) await this.#record(steps)
    try {
      if (confirm) await confirm()
      const last = isRecordedNow || confirm ? look() : first
      if (!last || !isStillSo(steps, last.steps, isLastTry)) {
        this.markUndone(steps)
        return false
      }
      // There is no wait from the last look to here.
      this.requireOwn()
      await act(steps, last)
      return true
    } catch (error) {
      this.markUndone(steps)
      throw error
    }
  }

  /**
   * Records that complete staged content gets a name, and waits until the record is on the disk. If a file has this name,
   * it is kept in the trash. The caller looks at the name again. If it is unchanged, it calls `keepReplaced` and replaces
   * the file; otherwise `markUndone`.
   *
   * @param content the staged file
   * @throws Fault precondition (the file does not have the expected mark)
   */
  async recordPut(
    content: Handle,
    slot: Slot,
    existing: BigIntStats | undefined,
  ): Promise<Step | undefined> {
    if (!this.isRecorded) return undefined
    const step = this.steps.putStep(content.exactStat(), slot, existing)
    this.requireExpected(existing)
    await this.#record([step])
    return step
  }

  /**
   * Links the file at a slot into the trash, right before it is replaced, or notes that `afterPut` has to move it there.
   */
  keepReplaced(step: Step | undefined, slot: Slot): void {
    if (!step?.kept || !this.#trashes) return
    const trash = this.#trashes.named(step.kept)
    this.#usedTrashes.add(trash)
    if (trash.link(slot, step.kept)) return
    this.#keptAfter.set(step, step.kept)
    step.kept = ''
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
   * Describes an entry that is about to be copied to another file system and then removed.
   * @throws Fault precondition (it does not have the expected mark)
   */
  beforeCopy(source: Slot): MovedFrom {
    const stats = lstatAt(source)
    this.requireExpected(stats)
    const parent = folderMark(source.parent)
    return { path: this.#pathOf(source), parent, before: stats ? markOf(stats) : '' }
  }

  /**
   * Refuses a change of another object than the expected one.
   *
   * @throws Fault precondition
   */
  requireExpected(stats: BigIntStats | undefined): void {
    const { expect } = this.#options
    if (!this.isRecorded || expect === undefined || (stats && markOf(stats) === expect)) return
    throw new Fault('precondition', 'The file or folder has changed since. Load the folder again.')
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

  /**
   * Refuses a change that this process may not make any more. Called right before it.
   *
   * @throws what `beforeChange` throws
   */
  requireOwn(): void {
    this.#options.beforeChange?.()
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
   * @returns the steps that were planned for their names, and are planned no longer; undefined if there are none
   */
  #takeFromPlan(newSteps: Step[]): Step[] | undefined {
    const names = new Set(newSteps.flatMap(({ path, to }) => (to ? [to, path] : [path])))
    const planned = [...names].flatMap((name) => this.#planned.get(name) ?? [])
    for (const name of names) this.#planned.delete(name)
    return planned.length > 0 ? planned : undefined
  }

  /** @returns the trash for the content of a folder; undefined if content is not, or cannot be, kept */
  #trashFor(folder: Handle): TrashFolder | undefined {
    if (!this.isRecorded || this.#options.keepRemoved !== true) return undefined
    const trash = this.#trashes?.of(folder)
    return trash?.isReady ? trash : undefined
  }

  /** Records steps. When this resolves, they are on the disk. */
  async #record(steps: Step[]): Promise<void> {
    await this.#options.record?.(steps)
  }
}

/**
 * Whether the names are as the recorded steps say.
 *
 * @param now the steps for their present state
 * @param isLastTry if true, a file that is being written all the time is the same; its steps get its present mark
 */
function isStillSo(steps: readonly Step[], now: readonly Step[], isLastTry: boolean): boolean {
  if (steps.length !== now.length) return false
  if (steps.every((step, index) => isSameStep(step, now[index]))) return true
  if (!isLastTry || !steps.every((step, index) => isSameObjectIn(step, now[index]))) return false
  for (const [index, step] of steps.entries()) {
    step.before = now[index]?.before ?? step.before
    step.after = now[index]?.after ?? step.after
  }
  return true
}
