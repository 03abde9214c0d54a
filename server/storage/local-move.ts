/**
 * Moving: one rename where one will do; file by file where a folder meets a folder; and where the
 * destination is another file system, out of sight at the source first, then a complete copy, then the
 * copy's name, and only then the removal of the source. At each moment all of it is at one of the two.
 */
import { type BigIntStats, promises, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { replaceExactly, type Staged, statsAt, syncFolder, takeName } from './atomic.ts'
import { errnoOf } from './errno.ts'
import { identityOf, withAllAbove } from './handle.ts'
import { nothingHere, serversOwn } from './local-jail.ts'
import { intoItself, isCaseChange, isSame, refuseSamePlace, refuseTaken } from './local-rename.ts'
import { FOLDER_FLAGS } from './local-resolve.ts'
import { isPrivateName } from './private-folder.ts'
import { relocate } from './relocate.ts'
import type { ServerFiles } from './server-files.ts'
import { surveyForRemoval } from './survey.ts'
import type { Volumes } from './volumes.ts'

/** Names moved one by one between two turns of the event loop. */
const SLICE = 128

export interface MoveOptions {
  overwrite: boolean
  /** Called with whether the name is taken, at the moment of the move. Throwing refuses it. */
  accept?: ((taken: boolean) => void) | undefined
}

/** Throws for a place that nothing is taken from any more. */
type Check = (place: Staged) => void
const unasked: Check = () => undefined

export class Mover {
  readonly #volumes: Volumes
  readonly #own: ServerFiles
  #moved = 0

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
    if (!from) throw nothingHere()
    if (to && isCaseChange(source, target, from, to)) {
      renameSync(source.parent.at(source.name), target.parent.at(target.name))
      return syncFolder(target.parent)
    }
    options.accept?.(to !== undefined)
    refuseTaken(from, to, options.overwrite)
    refuseSamePlace(source, target, from, to)
    if (from.isDirectory() && withAllAbove(target.parent).has(identityOf(from))) throw intoItself()
    const mayTakeFrom: Check = ({ parent, where }) => this.#volumes.mustBeInSight(parent, where)
    if (to?.isDirectory()) await this.#merge(source, target, mayTakeFrom)
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
    this.#volumes.mustBeInSight(target.parent, target.where)
    const [from, to] = [statsAt(staged), statsAt(target)]
    if (!from) throw nothingHere()
    options.accept?.(to !== undefined)
    refuseTaken(from, to, options.overwrite)
    if (to?.isDirectory()) await this.#merge(staged, target, unasked)
    else if (!replaceExactly(staged, target, to)) throw taken()
    await syncFolder(target.parent)
  }

  /**
   * Moves what a folder holds into another, replacing files one by one; then the empty folder goes.
   * Both are looked at whole before anything is moved.
   *
   * @param mayTakeFrom throws when a folder is none that things are taken out of any more
   * @throws as `move`
   */
  async #merge(source: Staged, target: Staged, mayTakeFrom: Check): Promise<void> {
    {
      using folder = target.parent.child(target.name, FOLDER_FLAGS)
      await surveyForRemoval(source, withAllAbove(folder))
    }
    await this.#each(
      source,
      target,
      () => undefined,
      () => undefined,
    )
    const leave = (folder: Staged) => rmdirSync(folder.parent.at(folder.name))
    const rename = (from: Staged, to: Staged) =>
      this.#rename(from, to, statsAt(to), { overwrite: true }, mayTakeFrom)
    await this.#each(source, target, rename, leave)
  }

  /** Goes through two folders together. `act` gets what has no folder on both sides. */
  async #each(
    source: Staged,
    target: Staged,
    act: (from: Staged, to: Staged) => Promise<void> | undefined,
    leave: (source: Staged) => void,
  ): Promise<void> {
    {
      using from = source.parent.child(source.name, FOLDER_FLAGS)
      using to = target.parent.child(target.name, FOLDER_FLAGS)
      for (const name of from.names()) {
        this.#moved += 1
        if (this.#moved % SLICE === 0) await new Promise(setImmediate)
        if (isPrivateName(name) || this.#own.holds(from, name) || this.#own.holds(to, name)) {
          throw serversOwn()
        }
        const [child, counterpart] = [
          { parent: from, name },
          { parent: to, name },
        ]
        const [stats, existing] = [statsAt(child), statsAt(counterpart)]
        if (!stats) continue
        refuseTaken(stats, existing, true)
        refuseSamePlace(child, counterpart, stats, existing)
        if (existing?.isDirectory()) await this.#each(child, counterpart, act, leave)
        else await act(child, counterpart)
      }
      await syncFolder(to)
    }
    leave(source)
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
    this.#volumes.mustBeInSight(target.parent, target.where)
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
    mayTakeFrom(source)
    using sourceVolume = this.#volumes.use(source.parent)
    using targetVolume = this.#volumes.use(target.parent)
    using aside = sourceVolume.folder.setAside(source)
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

function taken(): Fault {
  return new Fault('conflict', 'The name is already taken.')
}
