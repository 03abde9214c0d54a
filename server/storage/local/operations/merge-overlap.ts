/**
 * A merge of a folder into one above it, if the folder contains the path that leads to it: `T/NF/NF` is merged into
 * `T/NF`, and `T/NF/NF/NF` exists. The walk then meets folders of the source again as targets: `T/NF/NF/NF` is merged into
 * `T/NF/NF`. By then the entries that were there must have been moved, and the folders must stay.
 */
import type { BigIntStats } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import type { Slot } from '../handles/atomic.ts'
import { type Handle, type Identity, identityOf, withAllAbove } from '../handles/handle.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'

/** What all pairs of folders of a walk share. */
interface Walk {
  /** The source and all folders above it. */
  above: ReadonlySet<Identity>
  /** Whether nothing is moved yet. */
  isPlan: boolean
  /** The folders of the source that the walk has entered. */
  sources: Set<Identity>
  /** Those that it has not left. */
  open: Set<Identity>
}

/** The overlap at one pair of folders of a walk. The caller disposes of it. */
export class MergeOverlap implements Disposable {
  readonly #walk: Walk
  /** The folder that is merged into the source folder of this pair; undefined if there is none. */
  readonly #merged: Handle | undefined

  private constructor(walk: Walk, merged: Handle | undefined) {
    this.#walk = walk
    this.#merged = merged
  }

  /**
   * @param isPlan whether the walk is made before anything is moved
   * @returns undefined if no folder of the source is a target
   */
  static open(source: Slot, target: Slot, isPlan: boolean): MergeOverlap | undefined {
    using from = source.parent.child(source.name, FOLDER_FLAGS)
    using to = target.parent.child(target.name, FOLDER_FLAGS)
    const above = withAllAbove(from)
    if (!above.has(to.identity())) return undefined
    const names = from.realPath().slice(to.realPath().length).split('/').filter(Boolean)
    const merged = folderBelow(from, names)
    if (!merged) return undefined
    return new MergeOverlap({ above, isPlan, sources: new Set(), open: new Set() }, merged)
  }

  /** The overlap at the folders of this name in both folders of the pair. */
  below(name: string): MergeOverlap {
    return new MergeOverlap(this.#walk, this.#merged && folderBelow(this.#merged, [name]))
  }

  [Symbol.dispose](): void {
    this.#merged?.close()
  }

  /** Begins the walk of the pair. */
  enter(from: Handle): void {
    this.#walk.sources.add(from.identity())
    this.#walk.open.add(from.identity())
  }

  /**
   * Ends the walk of the pair.
   *
   * @returns whether the source folder stays, because it is also a target
   */
  leave(from: Handle): boolean {
    this.#walk.open.delete(from.identity())
    return this.#merged !== undefined
  }

  /** Whether an entry of a target is, or contains, a folder that the walk is in. Its turn comes last. */
  isAroundWalk(entry: BigIntStats): boolean {
    const identity = identityOf(entry)
    return this.#walk.above.has(identity) || this.#walk.open.has(identity)
  }

  /**
   * @param child the entry of the source
   * @param entry the present entry of this name in `to`
   * @returns the entry that will have the name when its turn comes: none if it is moved or removed before
   */
  entryThen(child: BigIntStats, to: Handle, entry: BigIntStats | undefined) {
    const { isPlan, sources } = this.#walk
    if (!entry || !isPlan || !sources.has(to.identity()) || this.isAroundWalk(entry)) return entry
    return child.isDirectory() && sources.has(identityOf(entry)) ? entry : undefined
  }
}

/** Opens a folder below another, without following a link; undefined if there is none. */
function folderBelow(top: Handle, names: readonly string[]): Handle | undefined {
  let folder = top.duplicate()
  for (const name of names) {
    using above = folder
    try {
      folder = above.child(name, FOLDER_FLAGS)
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined
      throw error
    }
  }
  return folder
}
