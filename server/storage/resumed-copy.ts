/**
 * A copy that can stop after each file and continue later, also after a crash. It is in the private folder of the
 * destination's file system under a name that its caller stores. The copy is its own checkpoint: a file gets its name
 * there only when it is complete and flushed. It is not visible before it is published.
 */
import { type BigIntStats, fstatSync, promises, renameSync, rmSync } from 'node:fs'
import { childPath, type TreePath } from '#wire/paths.ts'
import { lstatAt, type Staged } from './atomic.ts'
import { copyWhole, type FileAttributes } from './copy-file.ts'
import type { FileFlusher } from './copy-pool.ts'
import { type DiskPath, type Handle, identityOf } from './handle.ts'
import { isFull, openOwnFolder } from './own-folder.ts'
import type { PrivateFolder } from './private-folder.ts'
import { mustHaveSameBytes } from './same-bytes.ts'
import { markOf } from './step.ts'
import type { Resumable } from './storage.ts'

/** In the private folder: one folder for each unpublished copy. */
const COPIES = 'jobs'
/** In that folder: the copy, and numbered files that are incomplete. */
const TREE = 'tree'
const PART = 'part'
/** File systems round times differently. */
const SAME_MS = 1

/** A resumable copy, and how the paths of its files are reported. */
export interface Followed {
  resumable: Resumable
  pathOf(file: Handle): TreePath
}

export class ResumedCopy implements Disposable {
  readonly #home: PrivateFolder
  readonly #copies: Handle
  readonly #folder: Handle
  readonly #resumable: Resumable
  readonly #pathOf: (file: Handle) => TreePath
  /** Hashes of the files that were compared, by their mark. */
  readonly #compared: Map<string, string>
  #isSecond = false
  #parts = 0
  #hasFailed = false

  /** @throws system errors */
  constructor(home: PrivateFolder, { resumable, pathOf }: Followed) {
    this.#home = home
    this.#resumable = resumable
    this.#compared = resumable.compared ?? new Map()
    this.#pathOf = pathOf
    this.#copies = home.lasting(COPIES)
    try {
      this.#folder = openOwnFolder(this.#copies, resumable.name)
    } catch (error) {
      this.#copies.close()
      throw error
    }
  }

  /** The staged name of the copy. */
  get staged(): Staged {
    return { parent: this.#folder, name: TREE }
  }

  /** Checks the whole copy again; files that were reported are not reported again. */
  startSecondPass(): void {
    this.#isSecond = true
  }

  /**
   * Copies one file, or keeps the existing copy.
   *
   * @param how.compare whether the existing copy is read again and compared by hash
   * @throws what the caller's `next` throws; Fault conflict; system errors
   */
  async file(
    source: Handle,
    to: Staged,
    attributes: FileAttributes,
    how: { compare: boolean; flushes: FileFlusher },
  ): Promise<void> {
    const { size } = source.stat()
    if (!this.#isSecond) this.#resumable.next(this.#pathOf(source), size)
    try {
      const path = to.parent.at(to.name)
      if (this.#isThere(to, size, attributes)) {
        if (!how.compare || (await this.#isSame(source, path))) return this.#done(size)
      }
      if (!this.#isSecond) this.#resumable.mayStop?.()
      rmSync(path, { recursive: true, force: true })
      const reported = await this.#copied(source, path, attributes, how)
      this.#done(size - reported)
    } catch (error) {
      // Of several failures the first one is reported.
      if (!this.#hasFailed) this.#resumable.failed?.(this.#pathOf(source))
      this.#hasFailed = true
      throw error
    }
  }

  /** @returns how many bytes were reported to the caller */
  async #copied(
    source: Handle,
    path: DiskPath,
    attributes: FileAttributes,
    { compare, flushes }: { compare: boolean; flushes: FileFlusher },
  ): Promise<number> {
    this.#parts += 1
    const part = this.#folder.at(`${PART}${this.#parts}`)
    rmSync(part, { force: true })
    let reported = 0
    const copied = (bytes: number) => {
      reported += bytes
      if (!this.#isSecond) this.#resumable.copied(bytes)
    }
    await copyWhole(source, part, attributes, flushes, copied)
    if (compare) await this.#mustBeSame(source, part)
    renameSync(part, path)
    return reported
  }

  /** Reports a name that the copy leaves out. */
  leftOut(folder: Handle, name: string): void {
    this.#resumable.leftOut?.(childPath(this.#pathOf(folder), name))
  }

  /** Deletes the checkpoint, whether the copy was published or not. */
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
    const existing = lstatAt(to)
    if (!existing?.isFile() || Number(existing.size) !== size) return false
    return Math.abs(Number(existing.mtimeNs) / 1e6 - modifiedMs) < SAME_MS
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

/** @returns the names of all unfinished copies in a private folder */
export function copiesIn(home: PrivateFolder): string[] {
  using copies = home.lasting(COPIES)
  const names = copies.names()
  if (names.length === 0) home.dropEmpty(COPIES)
  return names
}

/** Removes an unfinished copy from a private folder. */
export async function removeCopy(home: PrivateFolder, name: string): Promise<void> {
  using copies = home.lasting(COPIES)
  await promises.rm(copies.at(name), { recursive: true, force: true })
  home.dropEmpty(COPIES)
}

function markOfOpen({ fd }: Handle): { identity: string; mark: string } {
  const stats: BigIntStats = fstatSync(fd, { bigint: true })
  return { identity: identityOf(stats), mark: markOf(stats) }
}
