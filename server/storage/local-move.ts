/**
 * Moving: one rename where one will do; a merge where a folder meets a folder; and where the
 * destination is another file system, out of sight at the source first, then a complete copy, then the
 * copy's name, and only then the removal of the source. At each moment all of it is at one of the two.
 */
import { type BigIntStats, promises, renameSync, unlinkSync } from 'node:fs'
import { replaceExactly, type Staged, statsAt, syncFolder, takeName } from './atomic.ts'
import { notFound } from './confined-folder.ts'
import { errnoOf } from './errno.ts'
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
import { relocate } from './relocate.ts'
import type { ServerFiles } from './server-files.ts'
import { surveyForRemoval } from './survey.ts'
import type { Volumes } from './volumes.ts'

export interface MoveOptions {
  overwrite: boolean
  /** Called with whether the name is taken, at the moment of the move. Throwing refuses it. */
  accept?: ((taken: boolean) => void) | undefined
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
    if (to && isCaseChange(source, target, from, to)) {
      renameSync(source.parent.at(source.name), target.parent.at(target.name))
      return syncFolder(target.parent)
    }
    options.accept?.(to !== undefined)
    refuseTaken(from, to, options.overwrite)
    refuseSameObject(source, target, from, to)
    if (from.isDirectory() && withAllAbove(target.parent).has(identityOf(from))) throw intoItself()
    const mayTakeFrom: Check = ({ parent, where }) => this.#volumes.mustBeVisible(parent, where)
    if (to?.isDirectory()) await this.#merge().move(source, target, mayTakeFrom)
    else await this.#rename(source, target, to, options, mayTakeFrom)
    await syncFolder(target.parent)
    await syncFolder(source.parent)
  }

  /**
   * Gives something complete and staged, on the file system of its destination, its name.
   *
   * @throws as `move`
   */
  async publish(staged: Staged, target: Staged, options: MoveOptions): Promise<void> {
    this.#volumes.mustBeVisible(target.parent, target.where)
    const [from, to] = [statsAt(staged), statsAt(target)]
    if (!from) throw notFound()
    options.accept?.(to !== undefined)
    refuseTaken(from, to, options.overwrite)
    if (to?.isDirectory()) await this.#merge().publish(staged, target)
    else if (!replaceExactly(staged, target, to)) throw taken()
    await syncFolder(target.parent)
  }

  #merge(): Merge {
    return new Merge(this.#volumes, this.#own, (from, to, mayTakeFrom) =>
      this.#rename(from, to, statsAt(to), { overwrite: true }, mayTakeFrom),
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
    try {
      if (!to) takeName(source, target)
      // Two names of one file: rename(2) would leave both standing.
      else if (from && isSame(from, to)) unlinkSync(source.parent.at(source.name))
      else renameSync(source.parent.at(source.name), target.parent.at(target.name))
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
    using targetVolume = await this.#volumes.use(target.parent)
    using aside = await this.#volumes.setAside(source, () => {
      mayTakeFrom(source)
      this.#volumes.mustNotBeMounted(source)
    })
    const staged = targetVolume.folder.staged()
    try {
      await relocate(aside, staged)
      await this.publish(staged, target, options)
    } catch (error) {
      aside.putBack()
      throw error
    } finally {
      await promises.rm(staged.parent.at(staged.name), { recursive: true, force: true })
    }
    const doomed = aside.doom()
    await promises.rm(doomed.parent.at(doomed.name), { recursive: true, force: true })
  }
}
