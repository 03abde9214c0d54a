/**
 * A copy that can stop after each file and continue later, also after a crash. It is in the private folder of the
 * destination's file system under a name that its caller stores, and is not visible before it is published. No other
 * record of its progress is needed: a file gets its name in the copy only when it is complete and flushed.
 */
import { type BigIntStats, fstatSync, renameSync } from 'node:fs'
import { rmSync } from '#server/os/remove.ts'
import { markOf } from '#server/storage/step.ts'
import type { Resumable } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import { isFull, openOwnFolder } from '../attributes/own-folder.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import { type Handle, identityOf } from '../handles/handle.ts'
import type { PrivateFolder } from '../private/private-folder.ts'
import type { DiskReserve } from '../room/disk-reserve.ts'
import { copyWhole, type FileAttributes } from './copy-file.ts'
import type { FileFlusher } from './copy-pool.ts'
import { mustHaveSameBytes } from './same-bytes.ts'

/** In the private folder: one folder for each unpublished copy. */
const COPIES = 'jobs'
/** In the folder of one copy: the copied tree, and incomplete files with a number (`part1`). */
const TREE = 'tree'
const PART = 'part'
/** Modification times that differ less are equal, since file systems round times differently. */
const SAME_MS = 1

/** The callbacks of a resumable copy, and a function that returns the path of an open file for them. */
export interface ResumeOptions {
  resumable: Resumable
  pathOf(file: Handle): TreePath
  /** What the copy leaves free on the disk. */
  reserve?: DiskReserve
}

export class ResumedCopy implements Disposable {
  readonly #home: PrivateFolder
  readonly #copies: Handle
  readonly #folder: Handle
  readonly #resumable: Resumable
  readonly #pathOf: (file: Handle) => TreePath
  readonly #reserve: DiskReserve | undefined
  /** Files whose copy was compared and is equal. Key: identity of the original; value: its state at that time. */
  readonly #compared: Map<string, string>
  /** Whether the copy is checked a second time; then no progress is reported (`copied` is called only with 0). */
  #isSecondPass = false
  /** The number of incomplete files that were created, which is also the number in the last one's name. */
  #partCount = 0
  #hasFailed = false

  /** @throws system errors */
  constructor(home: PrivateFolder, { resumable, pathOf, reserve }: ResumeOptions) {
    this.#home = home
    this.#resumable = resumable
    this.#compared = resumable.compared ?? new Map()
    this.#pathOf = pathOf
    this.#reserve = reserve
    this.#copies = home.openLasting(COPIES)
    try {
      this.#folder = openOwnFolder(this.#copies, resumable.name)
    } catch (error) {
      this.#copies.close()
      throw error
    }
  }

  /** The staged name of the copy. */
  get staged(): Slot {
    return { parent: this.#folder, name: TREE }
  }

  /** Checks the whole copy again; files that were reported are not reported again. */
  startSecondPass(): void {
    this.#isSecondPass = true
  }

  /**
   * Copies one file, or keeps the existing copy.
   *
   * @param options `compare`: original and copy are read again and compared by hash
   * @throws what the callbacks of `Resumable` throw; Fault conflict (the original changes); system errors
   */
  async file(
    source: Handle,
    to: Slot,
    attributes: FileAttributes,
    options: { compare: boolean; flushes: FileFlusher },
  ): Promise<void> {
    const { size } = source.stat()
    if (!this.#isSecondPass) await this.#resumable.next(this.#pathOf(source), size)
    try {
      const path = to.parent.at(to.name)
      const known = this.#findCopied(to, size, attributes)
      if (known) {
        const mustCompare = options.compare || changedAfter(source, known)
        if (!mustCompare || (await this.#isSame(source, to))) return this.#done(size)
      }
      if (!this.#isSecondPass) this.#resumable.beforeNewFile?.()
      rmSync(path, { recursive: true, force: true })
      const reportedBytes = await this.#copy(source, to, attributes, options)
      this.#done(size - reportedBytes)
    } catch (error) {
      // Of several failures the first one is reported.
      if (!this.#hasFailed) this.#resumable.failed?.(this.#pathOf(source))
      this.#hasFailed = true
      throw error
    }
  }

  /** @returns how many bytes were reported to `Resumable.copied` */
  async #copy(
    source: Handle,
    to: Slot,
    attributes: FileAttributes,
    { compare, flushes }: { compare: boolean; flushes: FileFlusher },
  ): Promise<number> {
    this.#partCount += 1
    const part = this.#folder.at(`${PART}${this.#partCount}`)
    rmSync(part, { force: true })
    let reportedBytes = 0
    const copied = (bytes: number) => {
      this.#reserve?.check()
      reportedBytes += bytes
      if (!this.#isSecondPass) this.#resumable.copied(bytes)
    }
    await copyWhole(source, part, attributes, flushes, copied)
    if (compare) await this.#requireSame(source, to, part)
    renameSync(part, to.parent.at(to.name))
    return reportedBytes
  }

  /** Deletes the folder of the copy, whether the copy was published or not. */
  async remove(): Promise<void> {
    await fileCalls.rm(this.#copies.at(this.#resumable.name), { recursive: true, force: true })
    this.#home.removeIfEmpty(COPIES)
  }

  [Symbol.dispose](): void {
    this.#folder.close()
    this.#copies.close()
  }

  /** @param bytes of the file that were not reported before */
  #done(bytes: number): void {
    if (this.#isSecondPass) return
    this.#resumable.copied(bytes)
    this.#resumable.done()
  }

  /** @returns an existing copy with the size and time of its original */
  #findCopied(
    to: Slot,
    size: number,
    { modifiedMs = Number.NaN }: FileAttributes,
  ): BigIntStats | undefined {
    const existing = lstatAt(to)
    if (!existing?.isFile() || Number(existing.size) !== size) return undefined
    const isSameTime = Math.abs(Number(existing.mtimeNs) / 1e6 - modifiedMs) < SAME_MS
    return isSameTime ? existing : undefined
  }

  async #isSame(source: Handle, to: Slot): Promise<boolean> {
    try {
      await this.#requireSame(source, to)
      return true
    } catch (error) {
      if (isFull(error)) throw error
      return false
    }
  }

  /**
   * @param copy the copy, if it does not have its name yet
   * @throws Fault conflict
   */
  async #requireSame(source: Handle, to: Slot, copy = to.parent.at(to.name)): Promise<void> {
    const { identity, mark, state } = stateOf(source)
    const known = this.#compared.get(identity)
    // The move itself has renamed the top of the tree before the second pass, which is another change of its ctime.
    const isTop = this.#isSecondPass && to.parent === this.#folder
    if (known === state || (isTop && known?.startsWith(`${mark} `))) return
    await mustHaveSameBytes(source, copy, () => this.#resumable.copied(0))
    this.#compared.set(identity, state)
  }
}

/** @returns the names of all unfinished copies in a private folder */
export function copiesIn(home: PrivateFolder): string[] {
  using copies = home.openLasting(COPIES)
  const names = copies.names()
  if (names.length === 0) home.removeIfEmpty(COPIES)
  return names
}

/** Removes an unfinished copy from a private folder. */
export async function removeCopy(home: PrivateFolder, name: string): Promise<void> {
  using copies = home.openLasting(COPIES)
  await fileCalls.rm(copies.at(name), { recursive: true, force: true })
  home.removeIfEmpty(COPIES)
}

/**
 * Whether a file, or only its attributes, may have changed after it was copied. Programs can restore the modification time
 * of a file, but not its ctime.
 */
function changedAfter({ fd }: Handle, copy: BigIntStats): boolean {
  return fstatSync(fd, { bigint: true }).ctimeNs >= copy.ctimeNs
}

/** The state consists of the mark and the ctime. */
function stateOf({ fd }: Handle): { identity: string; mark: string; state: string } {
  const stats: BigIntStats = fstatSync(fd, { bigint: true })
  const mark = markOf(stats)
  return { identity: identityOf(stats), mark, state: `${mark} ${stats.ctimeNs}` }
}
