/**
 * Moves files and folders: by one rename if possible; by a merge if source and target are folders. For a move to
 * another file system the source is first hidden and copied completely. Then the copy is published, and only then the
 * source is removed. At each moment the source or the copy is complete. Some file systems cannot rename everything:
 * overlayfs reports EXDEV for a folder of a lower layer. Such a source is copied in the same way, without being hidden.
 */
import { type BigIntStats, renameSync, unlinkSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import type { Step } from '#server/storage/step.ts'
import { ctimeMsOf } from '../changes/changed-since.ts'
import type { Changes, MovedFrom } from '../changes/changes.ts'
import { markUndoneOnError } from '../changes/undone-on-error.ts'
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
  /** Called at the moment of the move; `taken`: the new name exists. Throwing refuses the move. */
  accept?: ((taken: boolean) => void) | undefined
  /** If given, a copy to another file system is resumable. */
  resume?: ResumeOptions | undefined
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
    const [from, to] = [lstatAt(source), lstatAt(target)]
    if (!from) throw notFound()
    const { changes } = options
    if (to && isCaseChange(source, target, from, to)) {
      const steps = changes.rename(source, target, from, undefined)
      try {
        await this.#changeCase(source, target)
      } catch (error) {
        changes.markUndone(steps)
        throw error
      }
      return syncFolder(target.parent, this.#volumes.flushes)
    }
    options.accept?.(to !== undefined)
    refuseTaken(from, to, options.overwrite)
    refuseSameObject(source, target, from, to)
    if (from.isDirectory() && withAllAbove(target.parent).has(identityOf(from))) throw intoItself()
    const mayTakeFrom: SlotCheck = ({ parent, pathWhenChecked }) =>
      this.#volumes.requireVisible(parent, pathWhenChecked)
    if (to?.isDirectory()) await this.#merge(changes).move(source, target, mayTakeFrom)
    else await this.#rename(source, target, to, options, mayTakeFrom)
    await syncFolder(target.parent, this.#volumes.flushes)
    await syncFolder(source.parent, this.#volumes.flushes)
    await changes.sync()
  }

  /**
   * Publishes a complete staged entry on the file system of its destination.
   *
   * @param movedFrom for a move to another file system: the original, which the caller removes afterwards
   * @throws as `move`
   */
  async publish(
    staged: Slot,
    target: Slot,
    options: MoveOptions,
    movedFrom?: MovedFrom,
  ): Promise<void> {
    this.#volumes.requireVisible(target.parent, target.pathWhenChecked)
    const [from, to] = [lstatAt(staged), lstatAt(target)]
    if (!from) throw notFound()
    options.accept?.(to !== undefined)
    refuseTaken(from, to, options.overwrite)
    const { changes } = options
    if (to?.isDirectory()) await this.#merge(changes).publish(staged, target)
    else {
      const steps = movedFrom
        ? changes.putCopied(staged, target, to, movedFrom)
        : [changes.put(staged, target, to)]
      markUndoneOnError(changes, steps, () => {
        if (!replaceExactly(staged, target, to)) throw nameTaken()
      })
      for (const step of steps) {
        changes.afterPut(step, staged)
        noteComplete(step, target)
      }
    }
    await syncFolder(target.parent, this.#volumes.flushes)
    await changes.sync()
  }

  #merge(changes: Changes): Merge {
    return new Merge(this.#volumes, this.#serverFiles, changes, (from, to, mayTakeFrom) =>
      this.#rename(from, to, lstatAt(to), { overwrite: true, changes }, mayTakeFrom),
    )
  }

  /** @param to the file that the caller expects at the target and that is replaced; undefined for a free name */
  async #rename(
    source: Slot,
    target: Slot,
    to: BigIntStats | undefined,
    options: MoveOptions,
    mayTakeFrom: SlotCheck,
  ): Promise<void> {
    mayTakeFrom(source)
    this.#volumes.requireVisible(target.parent, target.pathWhenChecked)
    const from = lstatAt(source)
    if (!from) throw notFound()
    const { changes } = options
    try {
      // Both names are links to one file: rename(2) would do nothing.
      if (to && isSameObject(from, to)) {
        changes.dropName(source, from)
        return unlinkSync(source.parent.at(source.name))
      }
      const isSameVolume = volumeOf(source.parent) === volumeOf(target.parent)
      const steps = isSameVolume ? changes.rename(source, target, from, to) : []
      markUndoneOnError(changes, steps, () => {
        if (!to) renameToFree(source, target)
        else renameSync(source.parent.at(source.name), target.parent.at(target.name))
      })
    } catch (error) {
      if (errnoOf(error) === 'EBUSY' && [source, target].some(isMountAt)) throw holdsMount()
      if (errnoOf(error) !== 'EXDEV') throw error
      await this.#moveThroughCopy(source, target, options, mayTakeFrom)
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
      if (!hidden) {
        await requireUnchanged(source, copied)
        mayTakeFrom(source)
      }
      await this.publish(staged, target, options, movedFrom)
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

  /** Some systems report such a rename as done and keep the old name. Then the entry is hidden for a moment. */
  async #changeCase(source: Slot, target: Slot): Promise<void> {
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
