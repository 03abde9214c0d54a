/**
 * Merging: what a folder holds goes into another one, and files there are replaced one by one. Both are
 * looked at whole before anything is moved. Where some of it goes to another file system, all of that is copied
 * there, out of sight, before the first file is replaced: a refusal leaves everything as it was.
 */
import { accessSync, type BigIntStats, constants, promises, rmdirSync } from 'node:fs'
import { replaceExactly, type Staged, statsAt, syncFolder } from './atomic.ts'
import type { Changes } from './changes.ts'
import { type Handle, withAllAbove } from './handle.ts'
import { refuseSameObject, refuseTaken, taken } from './local-rename.ts'
import { FOLDER_FLAGS } from './local-resolve.ts'
import { isPrivateName } from './private-name.ts'
import { reservedPath } from './refusals.ts'
import { relocate } from './relocate.ts'
import type { ServerFiles } from './server-files.ts'
import { type Mark, markOf, type Step } from './step.ts'
import { mustGo, surveyForRemoval } from './survey.ts'
import { volumeOf } from './volume-id.ts'
import type { Volumes, VolumeUse } from './volumes.ts'

/** Names gone through between two turns of the event loop. */
const SLICE = 128

/** What is done on the way through two folders. */
interface MergeFolder {
  /** A pair of folders. */
  enter?(from: Handle, to: Handle): void
  /** What has no folder on both sides. */
  act(from: Staged, to: Staged, existing: BigIntStats | undefined): Promise<void> | void
  /** A folder of the source, when all in it was visited. */
  leave?(source: Staged): void
}

/** Throws for a slot that nothing is taken from any more. */
export type Check = (slot: Staged) => void

/** Moves one thing to the slot of what is there: nothing, or a file. */
export type Rename = (from: Staged, to: Staged, mayTakeFrom: Check) => Promise<void>

export class Merge {
  readonly #volumes: Volumes
  readonly #own: ServerFiles
  readonly #changes: Changes
  readonly #rename: Rename
  /** What had the names of the target when all was looked at; empty for nothing. */
  readonly #looked = new Map<string, Mark>()
  #seen = 0

  constructor(volumes: Volumes, own: ServerFiles, changes: Changes, rename: Rename) {
    this.#volumes = volumes
    this.#own = own
    this.#changes = changes
    this.#rename = rename
  }

  /**
   * Moves what a folder holds into another; then the empty folder goes.
   *
   * @param mayTakeFrom throws when the source is no slot that things are taken from any more
   * @throws Fault forbidden, locked, isDirectory, notDirectory, conflict, badRequest, unsupported; system errors
   */
  async move(source: Staged, target: Staged, mayTakeFrom: Check): Promise<void> {
    if (!(await this.#crosses(source, target))) {
      await this.#planMove(source, target)
      await this.#near(source, target, mayTakeFrom)
      return this.#changes.endPlan()
    }
    const stats = statsAt(source)
    if (stats) this.#changes.remove(source, stats, false)
    using aside = await this.#volumes.setAside(source, () => {
      mayTakeFrom(source)
      this.#volumes.mustNotBeMounted(source)
    })
    try {
      await this.#across(aside, target)
    } catch (error) {
      aside.putBack()
      throw error
    }
    const doomed = aside.doom()
    await promises.rm(doomed.parent.at(doomed.name), { recursive: true, force: true })
  }

  /**
   * The same for something staged, on the file system of the target. What is left of it stays for the
   * caller to remove.
   *
   * @throws as `move`
   */
  async publish(staged: Staged, target: Staged): Promise<void> {
    if (await this.#crosses(staged, target)) return this.#across(staged, target)
    await this.#planCopy(staged, target)
    await this.#each(staged, target, {
      act: (from, to, existing) => this.#publishOne(from, to, existing),
    })
    this.#changes.endPlan()
  }

  /** Tells of all that a move of one folder into another does. */
  async #planMove(source: Staged, target: Staged): Promise<void> {
    if (!this.#changes.isRecorded) return
    const steps: Step[] = []
    await this.#each(source, target, {
      act: (from, to, existing) => {
        const stats = statsAt(from)
        if (stats) steps.push(...this.#changes.steps.renaming(from, to, stats, existing))
      },
      leave: (folder) => {
        const stats = statsAt(folder)
        if (stats) steps.push(this.#changes.steps.removing(folder, stats, 'part'))
      },
    })
    await this.#changes.plan(steps)
  }

  /** Tells of all that a staged folder brings into another. */
  async #planCopy(staged: Staged, target: Staged): Promise<void> {
    if (!this.#changes.isRecorded) return
    const steps: Step[] = []
    await this.#each(staged, target, {
      act: (from, to, existing) => {
        steps.push(this.#changes.steps.putting(from, to, existing))
      },
    })
    await this.#changes.plan(steps)
  }

  #publishOne(from: Staged, to: Staged, existing: BigIntStats | undefined): void {
    this.#volumes.mustBeVisible(to.parent)
    this.#mustBeAsLooked(to, existing)
    const step = this.#changes.put(from, to, existing)
    if (!replaceExactly(from, to, existing)) {
      this.#changes.undone([step])
      throw taken()
    }
    this.#changes.landed(step, from)
  }

  /** Looks at all. @returns whether some of it goes to another file system */
  async #crosses(source: Staged, target: Staged): Promise<boolean> {
    {
      using folder = target.parent.child(target.name, FOLDER_FLAGS)
      await surveyForRemoval(source, withAllAbove(folder))
    }
    let crosses = false
    await this.#each(source, target, {
      enter: (from, to) => {
        crosses ||= volumeOf(from) !== volumeOf(to)
      },
      act: (_, to, existing) => {
        this.#looked.set(keyOf(to), existing ? markOf(existing) : '')
        if (existing) mustGo(to.parent, to.name, existing)
        else accessSync(to.parent.disk, constants.W_OK | constants.X_OK)
      },
    })
    return crosses
  }

  async #near(source: Staged, target: Staged, mayTakeFrom: Check): Promise<void> {
    await this.#each(source, target, {
      act: (from, to, existing) => {
        this.#mustBeAsLooked(to, existing)
        return this.#rename(from, to, mayTakeFrom)
      },
      leave: (folder) => this.#leave(folder),
    })
  }

  /** What came meanwhile is replaced only where it is kept. @throws Fault conflict */
  #mustBeAsLooked(to: Staged, existing: BigIntStats | undefined): void {
    if (!existing || this.#changes.keeps(to.parent)) return
    if (this.#looked.get(keyOf(to)) !== markOf(existing)) throw taken()
  }

  /** An emptied folder goes. @throws system errors for one that is not empty */
  #leave(folder: Staged): void {
    {
      using emptied = folder.parent.child(folder.name, FOLDER_FLAGS)
      if (emptied.names().length === 0 && this.#changes.takePlanned(folder)) return
    }
    rmdirSync(folder.parent.at(folder.name))
  }

  /** @param source out of sight; what goes to another file system stays in it as well */
  async #across(source: Staged, target: Staged): Promise<void> {
    const copies = new Copies(this.#volumes)
    try {
      await this.#each(source, target, { act: (from, to) => copies.make(from, to) })
      await this.#each(source, target, {
        act: (from, to, existing) => this.#publishOne(copies.of(from) ?? from, to, existing),
      })
    } finally {
      await copies.remove()
    }
  }

  async #each(source: Staged, target: Staged, folder: MergeFolder): Promise<void> {
    {
      using from = source.parent.child(source.name, FOLDER_FLAGS)
      using to = target.parent.child(target.name, FOLDER_FLAGS)
      folder.enter?.(from, to)
      for (const name of from.names()) {
        this.#seen += 1
        if (this.#seen % SLICE === 0) await new Promise(setImmediate)
        if (isPrivateName(name) || this.#own.holds(from, name) || this.#own.holds(to, name)) {
          throw reservedPath()
        }
        const [child, counterpart] = [
          { parent: from, name },
          { parent: to, name },
        ]
        const [stats, existing] = [statsAt(child), statsAt(counterpart)]
        if (!stats) continue
        refuseTaken(stats, existing, true)
        refuseSameObject(child, counterpart, stats, existing)
        if (existing?.isDirectory()) await this.#each(child, counterpart, folder)
        else await folder.act(child, counterpart, existing)
      }
      await syncFolder(to, this.#volumes.flushes)
    }
    folder.leave?.(source)
  }
}

/** Copies of what goes to another file system, each staged there. */
class Copies {
  readonly #volumes: Volumes
  readonly #made = new Map<string, Staged>()
  readonly #uses: VolumeUse[] = []

  constructor(volumes: Volumes) {
    this.#volumes = volumes
  }

  /** @throws as `relocate`, and as `Volumes.use` */
  async make(from: Staged, to: Staged): Promise<void> {
    if (volumeOf(from.parent) === volumeOf(to.parent)) return
    const use = await this.#volumes.use(to.parent)
    this.#uses.push(use)
    const staged = use.folder.staged()
    this.#made.set(keyOf(from), staged)
    await relocate(from, staged, this.#volumes.flushes)
  }

  of(from: Staged): Staged | undefined {
    return this.#made.get(keyOf(from))
  }

  /** Removes what is left: copies that were not published, and files that were replaced. */
  async remove(): Promise<void> {
    for (const { parent, name } of this.#made.values()) {
      await promises.rm(parent.at(name), { recursive: true, force: true })
    }
    for (const use of this.#uses) use[Symbol.dispose]()
  }
}

function keyOf({ parent, name }: Staged): string {
  return `${parent.identity()}/${name}`
}
