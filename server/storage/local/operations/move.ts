/**
 * Moves files and folders: by one rename if possible; by a merge if source and target are folders. For a move to
 * another file system the source is first hidden and copied completely. Then the copy is published, and only then the
 * source is removed. At each moment the source or the copy is complete. Some file systems cannot rename everything:
 * overlayfs reports EXDEV for a folder of a lower layer. Such a source is copied in the same way, without being hidden.
 */
import { type BigIntStats, renameSync, unlinkSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import type { Step } from '#server/storage/step.ts'
import type { MovedFrom } from '../changes/change-steps.ts'
import { ctimeMsOf } from '../changes/changed-since.ts'
import type { Changes } from '../changes/changes.ts'
import { untilMade } from '../changes/until-made.ts'
import type { ServerFiles } from '../confine/server-files.ts'
import { relocate, relocateAhead, requireUnchanged } from '../copy/relocate.ts'
import { ResumedCopy, type ResumeOptions } from '../copy/resumed-copy.ts'
import { surveyForRemoval } from '../copy/survey.ts'
import { lstatAt, renameToFree, replaceExactly, type Slot, syncFolder } from '../handles/atomic.ts'
import { notFound } from '../handles/faults.ts'
import { fileCalls } from '../handles/file-calls.ts'
import { identityOf, withAllAbove } from '../handles/handle.ts'
import {
  intoItself,
  isCaseChange,
  isSameObject,
  nameTaken,
  refuseSameObject,
  refuseTaken,
} from '../handles/rename-rules.ts'
import { holdsMount, isMountAt, volumeOf } from '../mounts/mounts.ts'
import type { Aside } from '../private/aside.ts'
import type { Volumes } from '../volumes/volumes.ts'
import { Merge, type SlotCheck } from './merge.ts'

export interface MoveOptions {
  overwrite: boolean
  changes: Changes
  /**
   * Called at the moment of the move, and before it is recorded; `taken`: the new name exists. Throwing refuses the move.
   */
  accept?: ((taken: boolean) => void) | undefined
  /** If given, a copy to another file system is resumable. */
  resume?: ResumeOptions | undefined
}

/** The original of a copy on another file system, which the caller removes when the copy is published. */
interface Original {
  movedFrom: MovedFrom
  /** Throws if the original has changed since it was copied; undefined if it is hidden. */
  confirm: (() => Promise<void>) | undefined
  /** Throws if nothing may be removed from its folder any more. */
  mayTake(): void
}

/** The objects of two names. */
interface Seen {
  from: BigIntStats
  /** Undefined if the name is free. */
  to: BigIntStats | undefined
}

export class Mover {
  readonly #volumes: Volumes
  readonly #serverFiles: ServerFiles

  constructor(volumes: Volumes, serverFiles: ServerFiles) {
    this.#volumes = volumes
    this.#serverFiles = serverFiles
  }

  /**
   * Moves one entry to a name.
   *
   * @throws Fault notFound, conflict (the name is taken, or is another name of the source), isDirectory, notDirectory,
   *   badRequest (into itself), forbidden, locked (a mount in the source), unsupported (the other file system cannot
   *   store all of it); system errors. If it throws, the source is unchanged, except after
   *   a merge that something else disturbed, or if a flush failed after the move.
   */
  async move(source: Slot, target: Slot, options: MoveOptions): Promise<void> {
    const { changes, accept } = options
    const mayTakeFrom: SlotCheck = ({ parent, pathWhenChecked }) =>
      this.#volumes.requireVisible(parent, pathWhenChecked)
    await untilMade(async (isLastTry) => {
      const [from, to] = [lstatAt(source), lstatAt(target)]
      const changesCase = from && to && isCaseChange(source, target, from, to)
      if (changesCase) return this.#changeCase(source, target, { ...options, isLastTry })
      if (to?.isDirectory()) {
        this.#requireMovable(source, target, options)
        const acceptMerge = () => accept?.(true)
        await this.#merge(changes).move(source, target, { mayTakeFrom, accept: acceptMerge })
        return true
      }
      const look = () => {
        const seen = this.#requireMovable(source, target, options)
        changes.requireExpected(seen.from)
        return seen
      }
      return this.#rename(source, target, look, { ...options, mayTakeFrom, isLastTry })
    })
    await syncFolder(target.parent, this.#volumes.flushes)
    await syncFolder(source.parent, this.#volumes.flushes)
    await changes.sync()
  }

  /**
   * Publishes a complete staged entry on the file system of its destination.
   *
   * @param original for a move to another file system
   * @throws as `move`
   */
  async publish(
    staged: Slot,
    target: Slot,
    options: MoveOptions,
    original?: Original,
  ): Promise<void> {
    const { changes, accept } = options
    let made: readonly Step[] = []
    const look = () => {
      this.#volumes.requireVisible(target.parent, target.pathWhenChecked)
      const [from, to] = [lstatAt(staged), lstatAt(target)]
      if (!from) throw notFound()
      accept?.(to !== undefined)
      refuseTaken(from, to, options.overwrite)
      original?.mayTake()
      return { from, to }
    }
    await untilMade(async (isLastTry) => {
      if (lstatAt(target)?.isDirectory()) {
        await original?.confirm?.()
        look()
        await this.#merge(changes).publish(staged, target, () => accept?.(true))
        return true
      }
      return changes.tryMake({
        isLastTry,
        confirm: original?.confirm,
        look: () => {
          const { from, to } = look()
          if (to?.isDirectory()) return undefined
          if (!original) changes.requireExpected(to)
          const steps = changes.described(() =>
            original
              ? changes.steps.moveCopySteps(staged, target, { from, to }, original.movedFrom)
              : [changes.steps.putStep(from, target, to)],
          )
          return { steps, to }
        },
        act: (steps, { to }) => {
          for (const step of steps) changes.keepReplaced(step, target)
          if (!replaceExactly(staged, target, to)) throw nameTaken()
          made = steps
        },
      })
    })
    for (const step of made) {
      changes.afterPut(step, staged)
      noteComplete(step, target)
    }
    await syncFolder(target.parent, this.#volumes.flushes)
    await changes.sync()
  }

  /** @throws as `move` */
  #requireMovable(source: Slot, target: Slot, { accept, overwrite }: MoveOptions): Seen {
    const [from, to] = [lstatAt(source), lstatAt(target)]
    if (!from) throw notFound()
    accept?.(to !== undefined)
    refuseTaken(from, to, overwrite)
    refuseSameObject(source, target, from, to)
    if (from.isDirectory() && withAllAbove(target.parent).has(identityOf(from))) throw intoItself()
    return { from, to }
  }

  #merge(changes: Changes): Merge {
    const options = { overwrite: true, changes }
    return new Merge(this.#volumes, this.#serverFiles, changes, (source, target, mayTakeFrom) =>
      untilMade((isLastTry) => {
        const look = () => {
          const [from, to] = [lstatAt(source), lstatAt(target)]
          if (!from) throw notFound()
          if (to?.isDirectory()) throw nameTaken()
          return { from, to }
        }
        return this.#rename(source, target, look, { ...options, mayTakeFrom, isLastTry })
      }),
    )
  }

  /**
   * @param look the objects of the names; it throws what refuses the move
   * @returns false if it must be tried again, because the names have changed
   */
  async #rename(
    source: Slot,
    target: Slot,
    look: () => Seen,
    options: MoveOptions & { mayTakeFrom: SlotCheck; isLastTry: boolean },
  ): Promise<boolean> {
    const { changes, mayTakeFrom, isLastTry } = options
    const stepsOf = ({ from, to }: Seen) => {
      // Both names are links to one file: rename(2) would do nothing.
      if (to && isSameObject(from, to)) return [changes.steps.removeStep(source, from, 'part')]
      return changes.steps.renameSteps(source, target, from, to)
    }
    try {
      return await changes.tryMake({
        isLastTry,
        look: () => {
          const seen = look()
          mayTakeFrom(source)
          this.#volumes.requireVisible(target.parent, target.pathWhenChecked)
          if (seen.to?.isDirectory()) return undefined
          const isSameVolume = volumeOf(source.parent) === volumeOf(target.parent)
          // Otherwise the rename fails, and the entry is copied.
          const steps = isSameVolume ? changes.described(() => stepsOf(seen)) : []
          return { ...seen, steps }
        },
        act: (steps, { from, to }) => {
          const isSame = to && isSameObject(from, to)
          const replaced = steps.find(({ kind }) => kind === 'removed')
          changes.keepReplaced(replaced, isSame ? source : target)
          if (isSame) unlinkSync(source.parent.at(source.name))
          else if (!to) renameToFree(source, target)
          else renameSync(source.parent.at(source.name), target.parent.at(target.name))
        },
      })
    } catch (error) {
      if (errnoOf(error) === 'EBUSY' && [source, target].some(isMountAt)) throw holdsMount()
      if (errnoOf(error) !== 'EXDEV') throw error
      await this.#moveThroughCopy(source, target, options, mayTakeFrom)
      return true
    }
  }

  /** Moves an entry to another file system, or on one that cannot rename it. */
  async #moveThroughCopy(
    source: Slot,
    target: Slot,
    options: MoveOptions,
    mayTakeFrom: SlotCheck,
  ): Promise<void> {
    if (lstatAt(source)?.isDirectory()) {
      await surveyForRemoval(source, withAllAbove(target.parent))
    }
    const movedFrom = options.changes.beforeCopy(source)
    using targetVolume = await this.#volumes.use(target.parent)
    const { resume } = options
    const { flushes } = this.#volumes
    const reserve = this.#volumes.reserveOn(target.parent)
    reserve.check()
    using resumed = resume && new ResumedCopy(targetVolume.folder, { ...resume, reserve })
    if (resumed) await relocateAhead(source, resumed.staged, flushes, resumed)
    using hidden = await this.#hide(source, mayTakeFrom)
    const staged = resumed?.staged ?? targetVolume.folder.staged()
    try {
      const copied = await relocate(hidden ?? source, staged, flushes, resumed)
      await this.publish(staged, target, options, {
        movedFrom,
        confirm: hidden ? undefined : () => requireUnchanged(source, copied),
        mayTake: () => {
          if (!hidden) mayTakeFrom(source)
        },
      })
    } catch (error) {
      hidden?.putBack()
      throw error
    } finally {
      if (!resumed)
        await fileCalls.rm(staged.parent.at(staged.name), { recursive: true, force: true })
    }
    await resumed?.remove()
    const original = hidden?.doom() ?? source
    await fileCalls.rm(original.parent.at(original.name), { recursive: true, force: true })
  }

  /** Gives an entry another spelling of its name. */
  #changeCase(
    source: Slot,
    target: Slot,
    { changes, accept, isLastTry }: MoveOptions & { isLastTry: boolean },
  ): Promise<boolean> {
    return changes.tryMake({
      isLastTry,
      look: () => {
        this.#volumes.requireVisible(source.parent, source.pathWhenChecked)
        const [from, to] = [lstatAt(source), lstatAt(target)]
        if (!from || !to || !isCaseChange(source, target, from, to)) return undefined
        accept?.(false)
        changes.requireExpected(from)
        const steps = () => changes.steps.renameSteps(source, target, from, undefined)
        return { steps: changes.described(steps) }
      },
      act: () => this.#renameInFolder(source, target),
    })
  }

  /** Some systems report such a rename as done and keep the old name. Then the entry is hidden for a moment. */
  async #renameInFolder(source: Slot, target: Slot): Promise<void> {
    renameSync(source.parent.at(source.name), target.parent.at(target.name))
    if (target.parent.names().includes(target.name)) return
    using hidden = await this.#volumes.setAside(source, () =>
      this.#volumes.requireVisible(source.parent, source.pathWhenChecked),
    )
    try {
      renameToFree(hidden, target)
    } catch (error) {
      hidden.putBack()
      throw error
    }
  }

  /**
   * Hides an entry while it is copied.
   *
   * @returns undefined if the file system cannot rename it
   */
  async #hide(source: Slot, mayTakeFrom: SlotCheck): Promise<Aside | undefined> {
    try {
      return await this.#volumes.setAside(source, () => {
        mayTakeFrom(source)
        this.#volumes.requireNotMounted(source)
      })
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw error
      return undefined
    }
  }
}

/** Sets `completeMs` of a step that gave a new folder, complete with its content, its name. */
function noteComplete(step: Step | undefined, target: Slot): void {
  const created = step?.kind === 'made' && step.isFolder ? lstatAt(target) : undefined
  if (step && created) step.completeMs = ctimeMsOf(created)
}
