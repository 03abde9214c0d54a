/**
 * Merging: what a folder holds goes into another one, and files there are replaced one by one. Both are
 * looked at whole before anything is moved. Where some of it goes to another file system, all of that is copied
 * there, out of sight, before the first file is replaced: a refusal leaves everything as it was.
 */
import { accessSync, type BigIntStats, constants, promises, rmdirSync } from 'node:fs'
import { replaceExactly, type Staged, statsAt, syncFolder } from './atomic.ts'
import { reservedPath } from './confined-folder.ts'
import { type Handle, withAllAbove } from './handle.ts'
import { refuseSameObject, refuseTaken, taken } from './local-rename.ts'
import { FOLDER_FLAGS } from './local-resolve.ts'
import { isPrivateName } from './private-name.ts'
import { relocate } from './relocate.ts'
import type { ServerFiles } from './server-files.ts'
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

/** Throws for a place that nothing is taken from any more. */
export type Check = (slot: Staged) => void
const unasked: Check = () => undefined

/** Moves one thing to the place of what is there: nothing, or a file. */
export type Rename = (from: Staged, to: Staged, mayTakeFrom: Check) => Promise<void>

export class Merge {
  readonly #volumes: Volumes
  readonly #own: ServerFiles
  readonly #rename: Rename
  #seen = 0

  constructor(volumes: Volumes, own: ServerFiles, rename: Rename) {
    this.#volumes = volumes
    this.#own = own
    this.#rename = rename
  }

  /**
   * Moves what a folder holds into another; then the empty folder goes.
   *
   * @param mayTakeFrom throws when the source is no place that things are taken from any more
   * @throws Fault forbidden, locked, isDirectory, notDirectory, conflict, badRequest, unsupported; system errors
   */
  async move(source: Staged, target: Staged, mayTakeFrom: Check): Promise<void> {
    if (!(await this.#crosses(source, target))) return this.#near(source, target, mayTakeFrom)
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
    if (await this.#crosses(staged, target)) await this.#across(staged, target)
    else await this.#near(staged, target, unasked)
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
        if (existing) mustGo(to.parent, to.name, existing)
        else accessSync(to.parent.disk, constants.W_OK | constants.X_OK)
      },
    })
    return crosses
  }

  async #near(source: Staged, target: Staged, mayTakeFrom: Check): Promise<void> {
    await this.#each(source, target, {
      act: (from, to) => this.#rename(from, to, mayTakeFrom),
      leave: (folder) => rmdirSync(folder.parent.at(folder.name)),
    })
  }

  /** @param source out of sight; what goes to another file system stays in it as well */
  async #across(source: Staged, target: Staged): Promise<void> {
    const copies = new Copies(this.#volumes)
    try {
      await this.#each(source, target, { act: (from, to) => copies.make(from, to) })
      await this.#each(source, target, {
        act: async (from, to, existing) => {
          this.#volumes.mustBeVisible(to.parent)
          const copy = copies.of(from)
          if (!copy) return this.#rename(from, to, unasked)
          if (!replaceExactly(copy, to, existing)) throw taken()
        },
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
      await syncFolder(to)
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
    await relocate(from, staged)
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
