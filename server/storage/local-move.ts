/**
 * Moving: one rename where one will do; a merge where a folder meets a folder; and where the
 * destination is another file system, out of sight at the source first, then a complete copy, then the
 * copy's name, and only then the removal of the source. At each moment all of it is at one of the two.
 */
import { type BigIntStats, promises, renameSync, unlinkSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { replaceExactly, type Staged, statsAt, syncFolder, takeName } from './atomic.ts'
import type { Changes, MovedFrom } from './changes.ts'
import { identityOf, withAllAbove } from './handle.ts'
import { type Check, Merge } from './local-merge.ts'
import {
  intoItself,
  isCaseChange,
  isSame,
  refuseSameObject,
  refuseTaken,
  taken,
} from './local-rename.ts'
import { notFound } from './refusals.ts'
import { relocate, relocateAhead } from './relocate.ts'
import { type Followed, ResumedCopy } from './resumed-copy.ts'
import type { ServerFiles } from './server-files.ts'
import type { Step } from './step.ts'
import { surveyForRemoval } from './survey.ts'
import { volumeOf } from './volume-id.ts'
import type { Volumes } from './volumes.ts'

export interface MoveOptions {
  overwrite: boolean
  changes: Changes
  /** Called with whether the name is taken, at the moment of the move. Throwing refuses it. */
  accept?: ((taken: boolean) => void) | undefined
  /** The copy to another file system may stop and go on; with how paths of its files are told. */
  across?: Followed | undefined
}

export class Mover {
  readonly #volumes: Volumes
  readonly #own: ServerFiles

  constructor(volumes: Volumes, own: ServerFiles) {
    this.#volumes = volumes
    this.#own = own
  }

  /**
   * Moves one thing to a name.
   *
   * @throws Fault notFound, conflict, isDirectory, notDirectory, forbidden, locked, unsupported; system
   *   errors. What could not be moved is where it was.
   */
  async move(source: Staged, target: Staged, options: MoveOptions): Promise<void> {
    const [from, to] = [statsAt(source), statsAt(target)]
    if (!from) throw notFound()
    const { changes } = options
    if (to && isCaseChange(source, target, from, to)) {
      const steps = changes.rename(source, target, from, undefined)
      orUndone(changes, steps, () =>
        renameSync(source.parent.at(source.name), target.parent.at(target.name)),
      )
      return syncFolder(target.parent, this.#volumes.flushes)
    }
    options.accept?.(to !== undefined)
    refuseTaken(from, to, options.overwrite)
    refuseSameObject(source, target, from, to)
    if (from.isDirectory() && withAllAbove(target.parent).has(identityOf(from))) throw intoItself()
    const mayTakeFrom: Check = ({ parent, where }) => this.#volumes.mustBeVisible(parent, where)
    if (to?.isDirectory()) await this.#merge(changes).move(source, target, mayTakeFrom)
    else await this.#rename(source, target, to, options, mayTakeFrom)
    await syncFolder(target.parent, this.#volumes.flushes)
    await syncFolder(source.parent, this.#volumes.flushes)
    await changes.sync()
  }

  /**
   * Gives something complete and staged, on the file system of its destination, its name.
   *
   * @param movedFrom where it was copied from, and is removed then
   * @throws as `move`
   */
  async publish(
    staged: Staged,
    target: Staged,
    options: MoveOptions,
    movedFrom?: MovedFrom,
  ): Promise<void> {
    this.#volumes.mustBeVisible(target.parent, target.where)
    const [from, to] = [statsAt(staged), statsAt(target)]
    if (!from) throw notFound()
    options.accept?.(to !== undefined)
    refuseTaken(from, to, options.overwrite)
    const { changes } = options
    if (to?.isDirectory()) await this.#merge(changes).publish(staged, target)
    else {
      const steps = movedFrom
        ? changes.arrive(staged, target, to, movedFrom)
        : [changes.put(staged, target, to)]
      orUndone(changes, steps, () => {
        if (!replaceExactly(staged, target, to)) throw taken()
      })
      for (const step of steps) changes.landed(step, staged)
    }
    await syncFolder(target.parent, this.#volumes.flushes)
    await changes.sync()
  }

  #merge(changes: Changes): Merge {
    return new Merge(this.#volumes, this.#own, changes, (from, to, mayTakeFrom) =>
      this.#rename(from, to, statsAt(to), { overwrite: true, changes }, mayTakeFrom),
    )
  }

  /** @param to what has the name by the caller's knowledge: nothing, or a file that goes */
  async #rename(
    source: Staged,
    target: Staged,
    to: BigIntStats | undefined,
    options: MoveOptions,
    mayTakeFrom: Check,
  ): Promise<void> {
    mayTakeFrom(source)
    this.#volumes.mustBeVisible(target.parent, target.where)
    const from = statsAt(source)
    if (!from) throw notFound()
    const { changes } = options
    try {
      // Two names of one file: rename(2) would leave both standing.
      if (to && isSame(from, to)) {
        changes.dropName(source, from)
        return unlinkSync(source.parent.at(source.name))
      }
      const isNear = volumeOf(source.parent) === volumeOf(target.parent)
      const steps = isNear ? changes.rename(source, target, from, to) : []
      orUndone(changes, steps, () => {
        if (!to) takeName(source, target)
        else renameSync(source.parent.at(source.name), target.parent.at(target.name))
      })
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw error
      await this.#across(source, target, options, mayTakeFrom)
    }
  }

  async #across(
    source: Staged,
    target: Staged,
    options: MoveOptions,
    mayTakeFrom: Check,
  ): Promise<void> {
    if (statsAt(source)?.isDirectory()) {
      await surveyForRemoval(source, withAllAbove(target.parent))
    }
    const movedFrom = options.changes.leave(source)
    using targetVolume = await this.#volumes.use(target.parent)
    const { across } = options
    const { flushes } = this.#volumes
    using resumed = across && new ResumedCopy(targetVolume.folder, flushes, across)
    if (resumed) await relocateAhead(source, resumed.staged, flushes, resumed)
    using aside = await this.#volumes.setAside(source, () => {
      mayTakeFrom(source)
      this.#volumes.mustNotBeMounted(source)
    })
    const staged = resumed?.staged ?? targetVolume.folder.staged()
    try {
      await relocate(aside, staged, flushes, resumed)
      await this.publish(staged, target, options, movedFrom)
    } catch (error) {
      aside.putBack()
      throw error
    } finally {
      if (!resumed)
        await promises.rm(staged.parent.at(staged.name), { recursive: true, force: true })
    }
    await resumed?.remove()
    const doomed = aside.doom()
    await promises.rm(doomed.parent.at(doomed.name), { recursive: true, force: true })
  }
}

/** Says of what was told and then failed that it did not happen. */
function orUndone(changes: Changes, steps: readonly (Step | undefined)[], act: () => void): void {
  try {
    act()
  } catch (error) {
    changes.undone(steps)
    throw error
  }
}
