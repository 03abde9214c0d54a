/**
 * A copy that may stop at each file and go on later, also after a kill. It lies in the private folder of its
 * destination's file system under a name that its caller remembers: what it holds is its own checkpoint, since each
 * file gets its name there only when it is whole and forced to the disk. Nobody sees it before all of it is published.
 */
import { type BigIntStats, fstatSync, promises, renameSync, rmSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { childPath, type TreePath } from '#wire/paths.ts'
import { type Staged, statsAt } from './atomic.ts'
import { copyWhole, type FileAttributes } from './copy-file.ts'
import { type DiskPath, type Handle, identityOf } from './handle.ts'
import { isFull, ownFolder } from './own-folder.ts'
import type { PrivateFolder } from './private-folder.ts'
import { mustHaveSameBytes } from './same-bytes.ts'
import { markOf } from './step.ts'
import type { Resumable } from './storage.ts'

/** In the private folder: one folder for each copy that is not published. */
const COPIES = 'jobs'
/** In it: the copy, and the file of it that is not whole yet. */
const TREE = 'tree'
const PART = 'part'
/** Files that are there already, looked at between two turns of the event loop. */
const SLICE = 64
/** Times come back from the disk with another rounding. */
const SAME_MS = 1

/** A copy that may go on, and how paths of its files are told. */
export interface Followed {
  resumable: Resumable
  pathOf(file: Handle): TreePath
}

export class ResumedCopy implements Disposable {
  readonly #home: PrivateFolder
  readonly #copies: Handle
  readonly #folder: Handle
  readonly #flushes: FlushQueue
  readonly #resumable: Resumable
  readonly #pathOf: (file: Handle) => TreePath
  /** Files whose copies were compared by hash, with their mark. */
  readonly #compared = new Map<string, string>()
  #isSecond = false
  #seen = 0

  /** @throws system errors */
  constructor(home: PrivateFolder, flushes: FlushQueue, { resumable, pathOf }: Followed) {
    this.#home = home
    this.#flushes = flushes
    this.#resumable = resumable
    this.#pathOf = pathOf
    this.#copies = home.lasting(COPIES)
    try {
      this.#folder = ownFolder(this.#copies, resumable.name)
    } catch (error) {
      this.#copies.close()
      throw error
    }
  }

  /** Where the copy is made. */
  get staged(): Staged {
    return { parent: this.#folder, name: TREE }
  }

  /** All of it is looked at once more: what is told already is not told again. */
  again(): void {
    this.#isSecond = true
  }

  /**
   * Copies one file, or leaves the copy that is there.
   *
   * @param compare whether the copy is read again and compared by hash
   * @throws what the caller's `next` throws; Fault conflict; system errors
   */
  async file(
    source: Handle,
    to: Staged,
    attributes: FileAttributes,
    compare: boolean,
  ): Promise<void> {
    this.#seen += 1
    if (this.#seen % SLICE === 0) await new Promise(setImmediate)
    const { size } = source.stat()
    if (!this.#isSecond) this.#resumable.next(this.#pathOf(source), size)
    const path = to.parent.at(to.name)
    if (this.#isThere(to, size, attributes)) {
      if (!compare || (await this.#isSame(source, path))) return this.#done(size)
    }
    rmSync(path, { recursive: true, force: true })
    const part = this.#folder.at(PART)
    rmSync(part, { force: true })
    let told = 0
    const copied = (bytes: number) => {
      told += bytes
      if (!this.#isSecond) this.#resumable.copied(bytes)
    }
    await copyWhole(source, part, attributes, this.#flushes, copied)
    if (compare) await this.#mustBeSame(source, part)
    renameSync(part, path)
    this.#done(size - told)
  }

  /** A name in a folder is no part of the copy. */
  leftOut(folder: Handle, name: string): void {
    this.#resumable.leftOut?.(childPath(this.#pathOf(folder), name))
  }

  /** Forgets the copy, published or not. */
  async remove(): Promise<void> {
    await promises.rm(this.#copies.at(this.#resumable.name), { recursive: true, force: true })
    this.#home.dropEmpty(COPIES)
  }

  [Symbol.dispose](): void {
    this.#folder.close()
    this.#copies.close()
  }

  #done(bytes: number): void {
    if (this.#isSecond) return
    this.#resumable.copied(bytes)
    this.#resumable.done()
  }

  #isThere(to: Staged, size: number, { modifiedMs = Number.NaN }: FileAttributes): boolean {
    const found = statsAt(to)
    if (!found?.isFile() || Number(found.size) !== size) return false
    return Math.abs(Number(found.mtimeNs) / 1e6 - modifiedMs) < SAME_MS
  }

  async #isSame(source: Handle, copy: DiskPath): Promise<boolean> {
    try {
      await this.#mustBeSame(source, copy)
      return true
    } catch (error) {
      if (isFull(error)) throw error
      return false
    }
  }

  /** @throws Fault conflict */
  async #mustBeSame(source: Handle, copy: DiskPath): Promise<void> {
    const { identity, mark } = markOfOpen(source)
    if (this.#compared.get(identity) === mark) return
    await mustHaveSameBytes(source, copy, () => this.#resumable.copied(0))
    this.#compared.set(identity, mark)
  }
}

/** The names of all that lie on the file system of a private folder. */
export function copiesIn(home: PrivateFolder): string[] {
  using copies = home.lasting(COPIES)
  const names = copies.names()
  if (names.length === 0) home.dropEmpty(COPIES)
  return names
}

/** Removes what a stopped copy left on the file system of a private folder. */
export async function removeCopy(home: PrivateFolder, name: string): Promise<void> {
  using copies = home.lasting(COPIES)
  await promises.rm(copies.at(name), { recursive: true, force: true })
  home.dropEmpty(COPIES)
}

function markOfOpen({ fd }: Handle): { identity: string; mark: string } {
  const stats: BigIntStats = fstatSync(fd, { bigint: true })
  return { identity: identityOf(stats), mark: markOf(stats) }
}
