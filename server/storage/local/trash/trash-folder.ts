/**
 * A folder of deleted and replaced content, under random names, on the file system that the content was on. Content
 * gets there without a copy: by a rename, or by a hard link right before it is replaced.
 */

import { type BigIntStats, constants, linkSync, readFileSync, renameSync, rmSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { pacer } from '#server/lib/slices.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { type Mark, markOf, ROOT_TRASH, type TrashId } from '#server/storage/step.ts'
import type { TrashSize } from '#server/storage/trash-store.ts'
import { isFault } from '#wire/fault.ts'
import { isFull, randomName } from '../attributes/own-folder.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { DiskPath, Handle } from '../handles/handle.ts'
import { refuseTooDeep } from '../handles/tree-depth.ts'
import type { Doomed } from '../private/beside.ts'
import { bytesOfBlocks } from '../room/disk-usage.ts'
import { NOWHERE, type TrashLocation } from './trash-location.ts'

const RECORD_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
/** A record has two paths, of which JSON may need six bytes for each one. */
const RECORD_MAX_BYTES = 64 * 1024
/** The random part of a name. */
const RANDOM = /^[0-9a-f]{24}/

/** Provides a name for an entry that is removed, on the file system of a folder. */
export type DoomedFor = (folder: Handle) => Promise<Doomed>

/** A name in an open folder; disposing closes the folder. */
export interface HeldName extends Slot, Disposable {}

export class TrashFolder {
  readonly #location: TrashLocation
  readonly #flushes: FlushQueue
  readonly #doomedFor: DoomedFor

  constructor(location: TrashLocation, flushes: FlushQueue, doomedFor: DoomedFor) {
    this.#location = location
    this.#flushes = flushes
    this.#doomedFor = doomedFor
  }

  get id(): TrashId {
    return this.#location.id
  }

  /** Whether content can be kept here now. */
  get isReady(): boolean {
    return this.#location.isReady
  }

  /** @returns a new trash name; its suffix is the id of this trash folder */
  freshName(): string {
    return this.id === ROOT_TRASH ? randomName() : `${randomName()}.${this.id}`
  }

  /**
   * Opens the trash folder, and creates it if it is missing. The caller disposes of the result.
   *
   * @throws system errors
   */
  at(name: string): HeldName {
    this.#requireName(name)
    const parent = this.#location.make()
    return { parent, name, [Symbol.dispose]: () => parent.close() }
  }

  names(): string[] {
    using folder = this.#location.find()
    return folder?.names().filter((name) => this.#isName(name)) ?? []
  }

  stats(name: string): BigIntStats | undefined {
    this.#requireName(name)
    using folder = this.#location.find()
    return folder && lstatAt({ parent: folder, name })
  }

  mark(name: string): Mark | undefined {
    const stats = this.stats(name)
    return stats && markOf(stats)
  }

  /**
   * Gives a file that is about to be replaced a second name in this folder.
   *
   * @param as the trash name
   * @returns false if a hard link is not possible for any reason, or there is no room for a trash folder
   * @throws system errors if the trash folder cannot be used
   */
  link({ parent, name }: Slot, as: string): boolean {
    try {
      using slot = this.at(as)
      return tryLink(parent.at(name), slot.parent.at(as))
    } catch (error) {
      if (!isFull(error)) throw error
      return false
    }
  }

  /** Removes a name that `link` has made. */
  unlink(name: string): void {
    this.#requireName(name)
    using folder = this.#location.find()
    if (folder) rmSync(folder.at(name), { force: true })
    this.removeRecord(name)
  }

  /**
   * Moves an entry to this folder.
   *
   * @param as the trash name
   * @returns false if there is no room for another name
   */
  moveIn({ parent, name }: Slot, as: string): boolean {
    try {
      using slot = this.at(as)
      renameSync(parent.at(name), slot.parent.at(as))
      return true
    } catch (error) {
      if (!isFull(error)) throw error
      return false
    }
  }

  /** Flushes the names in this folder. */
  sync(): Promise<void> {
    return this.#location.sync(this.#flushes)
  }

  /**
   * Deletes content permanently. The name disappears in one step; after a crash the next start removes what is left.
   */
  async discard(name: string): Promise<void> {
    this.removeRecord(name)
    if (!this.stats(name)) return
    {
      using slot = this.at(name)
      using doomedTree = await this.#doomedFor(slot.parent)
      const doomed = tryRename(slot, doomedTree) ? doomedTree : slot
      await fileCalls.rm(doomed.parent.at(doomed.name), { recursive: true, force: true })
    }
    this.#location.removeIfEmpty()
  }

  /**
   * Stores a text for content, under its name in a folder beside the trash, from which its row in the database can be rebuilt.
   *
   * @throws system errors
   */
  async writeRecord(name: string, text: string): Promise<void> {
    this.#requireName(name)
    using folder = this.#location.makeRecords()
    await fileCalls.writeFile(folder.at(name), text, { flag: RECORD_FLAGS, mode: 0o600 })
  }

  /** @returns the text of content; undefined if there is none */
  readRecord(name: string): string | undefined {
    this.#requireName(name)
    try {
      using folder = this.#location.findRecords()
      using record = folder?.child(name, constants.O_RDONLY | constants.O_NONBLOCK)
      const isRecord = record?.stat().isFile() && record.stat().size <= RECORD_MAX_BYTES
      return record && isRecord ? readFileSync(record.fd, 'utf8') : undefined
    } catch {
      return undefined
    }
  }

  removeRecord(name: string): void {
    this.#requireName(name)
    using folder = this.#location.findRecords()
    if (folder) rmSync(folder.at(name), { force: true })
  }

  /** Removes the folder if it is empty. */
  removeIfEmpty(): void {
    this.#location.removeIfEmpty()
  }

  /**
   * @returns the size of content, without following links; of a tree that is too deep only of a part. On the disk, a
   *   file with several names counts if all of them are in this content.
   */
  async sizeOf(name: string): Promise<TrashSize> {
    let sizeBytes = 0
    let diskBytes = 0
    /** How many names were found of each file with several. Key: the inode. */
    const found = new Map<bigint, bigint>()
    try {
      for await (const { stats } of this.walk(name)) {
        const { ino, nlink, blocks, size } = stats
        if (stats.isFile()) sizeBytes += Number(size)
        if (stats.isDirectory() || nlink === 1n) {
          diskBytes += bytesOfBlocks(blocks)
          continue
        }
        const names = (found.get(ino) ?? 0n) + 1n
        found.set(ino, names)
        if (names === nlink) diskBytes += bytesOfBlocks(blocks)
      }
    } catch (error) {
      if (!isFault(error, 'tooLarge')) throw error
    }
    return { sizeBytes, diskBytes }
  }

  /**
   * Walks the content: the top with an empty path, then everything below it, without following links.
   *
   * @throws Fault tooLarge (too many levels of folders)
   */
  async *walk(name: string): AsyncGenerator<{ path: string; stats: BigIntStats }> {
    if (!this.stats(name)) return
    using slot = this.at(name)
    yield* walkOf(slot, '', 0)
  }

  /** The name comes from the database and must not lead a removal outside this folder. */
  #requireName(name: string): void {
    if (!this.#isName(name)) throw new Error('This is no name of content in the trash.')
  }

  #isName(name: string): boolean {
    if (this.#location === NOWHERE) return RANDOM.test(name)
    const rest = name.replace(RANDOM, '')
    return name !== rest && rest === (this.id === ROOT_TRASH ? '' : `.${this.id}`)
  }
}

/** @returns false if the file system refuses hard links, or this one, with any number */
function tryLink(from: DiskPath, to: DiskPath): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}

/** @returns false if the file system cannot rename the entry, as overlayfs cannot rename a folder of a lower layer */
function tryRename(from: Slot, to: Slot): boolean {
  try {
    renameSync(from.parent.at(from.name), to.parent.at(to.name))
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error
    return false
  }
}

async function* walkOf(
  slot: Slot,
  path: string,
  depth: number,
  pace = pacer(),
): AsyncGenerator<{ path: string; stats: BigIntStats }> {
  const stats = lstatAt(slot)
  if (!stats) return
  refuseTooDeep(depth)
  yield { path, stats }
  if (!stats.isDirectory()) return
  using folder = slot.parent.child(slot.name, constants.O_RDONLY | O_DIRECTORY)
  for (const name of folder.names()) {
    await pace()
    yield* walkOf({ parent: folder, name }, `${path}/${name}`, depth + 1, pace)
  }
}
