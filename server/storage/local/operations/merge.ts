/**
 * Merges a folder into another; existing files are replaced one by one. Both folders are checked completely first. If
 * some entries go to another file system, they are all copied there before the first file is replaced. So a refusal
 * changes nothing.
 */

import { accessSync, type BigIntStats, constants, rmdirSync } from 'node:fs'
import { pacer } from '#server/lib/slices.ts'
import { errnoOf } from '#server/os/errno.ts'
import { type Mark, markOf, type Step } from '#server/storage/step.ts'
import { isReservedName } from '#wire/reserved-names.ts'
import type { Changes } from '../changes/changes.ts'
import { untilMade } from '../changes/until-made.ts'
import type { ServerFiles } from '../confine/server-files.ts'
import { changedSinceCheck, relocate } from '../copy/relocate.ts'
import { requireRemovable, surveyForRemoval } from '../copy/survey.ts'
import { lstatAt, replaceExactly, type Slot, syncFolder } from '../handles/atomic.ts'
import { notFound, reservedPath } from '../handles/faults.ts'
import { fileCalls } from '../handles/file-calls.ts'
import { type Handle, withAllAbove } from '../handles/handle.ts'
import { nameTaken, refuseSameObject, refuseTaken } from '../handles/rename-rules.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'
import { volumeOf } from '../mounts/mounts.ts'
import type { Aside } from '../private/aside.ts'
import type { Volumes } from '../volumes/volumes.ts'
import { keyOf, MergeCopies } from './merge-copies.ts'
import { MergeOverlap } from './merge-overlap.ts'

/** Callbacks of the walk through the source and, at the same relative paths, the target. */
interface MergeCallbacks {
  /** Called for a pair of folders. */
  enter?(from: Handle, to: Handle): void
  /** Called for an entry that is not a folder on both sides. */
  act(from: Slot, to: Slot, existing: BigIntStats | undefined): Promise<void> | void
  /** Called for a folder of the source after all its entries, unless it is also a folder of the target. */
  leave?(source: Slot): Promise<void> | void
}

/** Throws if nothing may be removed from the slot any more. */
export type SlotCheck = (slot: Slot) => void

/** The checks right before a merge and during it. */
export interface MergeChecks {
  /** Throws if nothing may be removed from the source any more. */
  mayTakeFrom: SlotCheck
  /** Called when all steps are recorded. Throwing refuses the merge. */
  accept(): void
}

/** Moves one entry to a slot that is free or holds a file. */
export type RenameSlot = (from: Slot, to: Slot, mayTakeFrom: SlotCheck) => Promise<void>

export class Merge {
  readonly #volumes: Volumes
  readonly #serverFiles: ServerFiles
  readonly #changes: Changes
  readonly #rename: RenameSlot
  /** Key: slot of the target (`keyOf`); value: the mark of its file at the time of the check, empty if it was free. */
  readonly #markWhenChecked = new Map<string, Mark>()
  readonly #pace = pacer()

  constructor(volumes: Volumes, serverFiles: ServerFiles, changes: Changes, rename: RenameSlot) {
    this.#volumes = volumes
    this.#serverFiles = serverFiles
    this.#changes = changes
    this.#rename = rename
  }

  /**
   * Moves the content of a folder into another and removes the empty folder.
   *
   * @throws what the checks throw; Fault forbidden, locked (a mount inside the source), isDirectory and notDirectory (a file has the name of
   *   a folder, or the reverse), conflict (a file appeared there since the check), badRequest (into itself),
   *   unsupported (the other file system cannot store all of it); system errors
   */
  async move(source: Slot, target: Slot, checks: MergeChecks): Promise<void> {
    const before = lstatAt(source)
    if (!(await this.#crosses(source, target))) {
      await this.#planMove(source, target)
      checks.accept()
      await this.#moveByRenames(source, target, checks.mayTakeFrom)
      return this.#changes.endPlan()
    }
    using hidden = await this.#hide(source, before, checks)
    try {
      await this.#moveThroughCopies(hidden, target)
    } catch (error) {
      hidden.putBack()
      throw error
    }
    const doomedTree = hidden.doom()
    await fileCalls.rm(doomedTree.parent.at(doomedTree.name), { recursive: true, force: true })
  }

  /**
   * Merges a staged folder, which is on the file system of the target. The caller removes the entries that remain in it.
   *
   * @param accept as of `MergeChecks`
   * @throws as `move`
   */
  async publish(staged: Slot, target: Slot, accept: MergeChecks['accept']): Promise<void> {
    if (await this.#crosses(staged, target)) return this.#moveThroughCopies(staged, target)
    await this.#planCopy(staged, target)
    accept()
    await this.#mergeEntries(staged, target, {
      act: (from, to) => this.#publishOne(from, to),
    })
    this.#changes.endPlan()
  }

  /**
   * Hides the source while it is copied. For the journal it is removed.
   *
   * @param before the folder that was checked
   */
  async #hide(
    source: Slot,
    before: BigIntStats | undefined,
    { mayTakeFrom, accept }: MergeChecks,
  ): Promise<Aside> {
    let hidden: Aside | undefined
    const look = () => {
      accept()
      mayTakeFrom(source)
      this.#volumes.requireNotMounted(source)
      const stats = lstatAt(source)
      if (!stats) throw notFound()
      if (!before || markOf(stats) !== markOf(before)) throw changedSinceCheck()
      return stats
    }
    await untilMade((isLastTry) =>
      this.#changes.tryMake({
        isLastTry,
        look: () => {
          const stats = look()
          const steps = () => [
            { ...this.#changes.steps.removeStep(source, stats, 'trash'), kept: '' },
          ]
          return { steps: this.#changes.described(steps) }
        },
        act: async () => {
          hidden = await this.#volumes.setAside(source, look)
        },
      }),
    )
    if (!hidden) throw notFound()
    return hidden
  }

  /** Records all steps of a move of one folder into another. */
  async #planMove(source: Slot, target: Slot): Promise<void> {
    if (!this.#changes.isRecorded) return
    const steps: Step[] = []
    const callbacks: MergeCallbacks = {
      act: (from, to, existing) => {
        const stats = lstatAt(from)
        if (stats) steps.push(...this.#changes.steps.renameSteps(from, to, stats, existing))
      },
      leave: (folder) => {
        const stats = lstatAt(folder)
        if (stats) steps.push(this.#changes.steps.removeStep(folder, stats, 'part'))
      },
    }
    using overlap = MergeOverlap.open(source, target, true)
    await this.#mergeEntries(source, target, callbacks, overlap)
    await this.#changes.plan(steps)
  }

  /** Records all steps of the merge of a staged folder. */
  async #planCopy(staged: Slot, target: Slot): Promise<void> {
    if (!this.#changes.isRecorded) return
    const steps: Step[] = []
    await this.#mergeEntries(staged, target, {
      act: (from, to, existing) => {
        steps.push(this.#changes.steps.putStep(lstatAt(from), to, existing))
      },
    })
    await this.#changes.plan(steps)
  }

  async #publishOne(from: Slot, to: Slot): Promise<void> {
    const changes = this.#changes
    let made: Step | undefined
    await untilMade((isLastTry) =>
      changes.tryMake({
        isLastTry,
        look: () => {
          this.#volumes.requireVisible(to.parent)
          const existing = lstatAt(to)
          if (existing?.isDirectory()) throw nameTaken()
          this.#requireAsChecked(to, existing)
          const steps = () => [changes.steps.putStep(lstatAt(from), to, existing)]
          return { steps: changes.described(steps), existing }
        },
        act: ([step], { existing }) => {
          changes.keepReplaced(step, to)
          if (!replaceExactly(from, to, existing)) throw nameTaken()
          made = step
        },
      }),
    )
    changes.afterPut(made, from)
  }

  /**
   * Checks both trees.
   *
   * @returns whether some entries go to another file system
   */
  async #crosses(source: Slot, target: Slot): Promise<boolean> {
    {
      using folder = target.parent.child(target.name, FOLDER_FLAGS)
      await surveyForRemoval(source, withAllAbove(folder))
    }
    let crosses = false
    const callbacks: MergeCallbacks = {
      enter: (from, to) => {
        crosses ||= volumeOf(from) !== volumeOf(to)
      },
      act: (_, to, existing) => {
        this.#markWhenChecked.set(keyOf(to), existing ? markOf(existing) : '')
        if (existing) requireRemovable(to.parent, to.name, existing)
        else accessSync(to.parent.disk, constants.W_OK | constants.X_OK)
      },
    }
    using overlap = MergeOverlap.open(source, target, true)
    await this.#mergeEntries(source, target, callbacks, overlap)
    return crosses
  }

  async #moveByRenames(source: Slot, target: Slot, mayTakeFrom: SlotCheck): Promise<void> {
    const callbacks: MergeCallbacks = {
      act: (from, to, existing) => {
        this.#requireAsChecked(to, existing)
        return this.#rename(from, to, mayTakeFrom)
      },
      leave: (folder) => this.#leave(folder),
    }
    using overlap = MergeOverlap.open(source, target, false)
    await this.#mergeEntries(source, target, callbacks, overlap)
  }

  /**
   * Refuses to replace a file that appeared or changed after the check, unless the trash keeps it.
   *
   * @throws Fault conflict
   */
  #requireAsChecked(to: Slot, existing: BigIntStats | undefined): void {
    if (!existing || this.#changes.keeps(to.parent)) return
    if (this.#markWhenChecked.get(keyOf(to)) !== markOf(existing)) throw nameTaken()
  }

  /**
   * Removes a folder whose entries were all moved.
   *
   * @throws system errors (it is not empty)
   */
  async #leave(folder: Slot): Promise<void> {
    {
      using emptied = folder.parent.child(folder.name, FOLDER_FLAGS)
      if (emptied.names().length === 0 && (await this.#moveToTrash(folder))) return
    }
    rmdirSync(folder.parent.at(folder.name))
  }

  /** @returns false if the emptied folder is still there; the trash may have a copy of it */
  async #moveToTrash(emptied: Slot): Promise<boolean> {
    try {
      return this.#changes.movePlannedToTrash(emptied)
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw error
    }
    using volume = await this.#volumes.use(emptied.parent)
    const staged = volume.folder.staged()
    try {
      await relocate(emptied, staged, this.#volumes.flushes)
      this.#changes.movePlannedToTrash(emptied, staged)
    } finally {
      await fileCalls.rm(staged.parent.at(staged.name), { recursive: true, force: true })
    }
    return false
  }

  /**
   * Copies the entries that go to another file system, then publishes all.
   *
   * @param source is hidden; the originals of copied entries stay in it, and the caller removes them
   */
  async #moveThroughCopies(source: Slot, target: Slot): Promise<void> {
    const copies = new MergeCopies(this.#volumes)
    try {
      await this.#mergeEntries(source, target, { act: (from, to) => copies.make(from, to) })
      await this.#mergeEntries(source, target, {
        act: (from, to) => this.#publishOne(copies.of(from) ?? from, to),
      })
    } finally {
      await copies.remove()
    }
  }

  /**
   * Walks through both folders and calls the callbacks.
   *
   * @param overlap if folders of the source are also targets
   */
  async #mergeEntries(
    source: Slot,
    target: Slot,
    callbacks: MergeCallbacks,
    overlap?: MergeOverlap,
  ): Promise<void> {
    let stays = false
    {
      using from = source.parent.child(source.name, FOLDER_FLAGS)
      using to = target.parent.child(target.name, FOLDER_FLAGS)
      callbacks.enter?.(from, to)
      overlap?.enter(from)
      const last: string[] = []
      for (const name of from.names()) {
        await this.#pace()
        const existing = overlap && lstatAt({ parent: to, name })
        if (existing && overlap?.isAroundWalk(existing)) last.push(name)
        else await this.#mergeEntry(from, to, name, callbacks, overlap)
      }
      for (const name of last) await this.#mergeEntry(from, to, name, callbacks, overlap)
      stays = overlap?.leave(from) ?? false
      await syncFolder(to, this.#volumes.flushes)
    }
    if (!stays) await callbacks.leave?.(source)
  }

  async #mergeEntry(
    from: Handle,
    to: Handle,
    name: string,
    callbacks: MergeCallbacks,
    overlap: MergeOverlap | undefined,
  ): Promise<void> {
    const [child, counterpart] = [
      { parent: from, name },
      { parent: to, name },
    ]
    const [stats, present] = [lstatAt(child), lstatAt(counterpart)]
    const isReserved =
      isReservedName(name) ||
      this.#serverFiles.holds(from, name, stats) ||
      this.#serverFiles.holds(to, name, present)
    if (isReserved) throw reservedPath()
    if (!stats) return
    const existing = overlap ? overlap.entryThen(stats, to, present) : present
    refuseTaken(stats, existing, true)
    refuseSameObject(child, counterpart, stats, existing)
    if (!existing?.isDirectory()) return callbacks.act(child, counterpart, existing)
    using below = overlap?.below(name)
    await this.#mergeEntries(child, counterpart, callbacks, below)
  }
}
