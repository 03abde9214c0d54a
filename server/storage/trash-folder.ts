/**
 * A folder of deleted and replaced content, under random names, on the file system that the content was on. Content
 * gets there without a copy: by a rename, or by a hard link right before it is replaced.
 */
import { type BigIntStats, constants, linkSync, promises, renameSync, rmSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { isFault } from '#wire/fault.ts'
import { lstatAt, type Slot } from './atomic.ts'
import type { Doomed } from './beside.ts'
import type { Handle } from './handle.ts'
import { isFull, randomName } from './own-folder.ts'
import { type Mark, markOf, ROOT_TRASH, type TrashId } from './step.ts'
import { NOWHERE, type TrashLocation } from './trash-location.ts'
import { refuseTooDeep } from './tree-depth.ts'

/** The random part of a name. */
const RANDOM = /^[0-9a-f]{24}/
/** Errors if a hard link is not possible: no support, no permission, too many links, no room, or the file is gone. */
const NO_LINK = ['EPERM', 'EMLINK', 'EOPNOTSUPP', 'ENOSYS', 'ENOSPC', 'EDQUOT', 'EXDEV', 'ENOENT']

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
   * @returns false if a hard link is not possible
   */
  link({ parent, name }: Slot, as: string): boolean {
    try {
      using slot = this.at(as)
      linkSync(parent.at(name), slot.parent.at(as))
      return true
    } catch (error) {
      if (!NO_LINK.includes(errnoOf(error) ?? '')) throw error
      return false
    }
  }

  /** Removes a name that `link` has made. */
  unlink(name: string): void {
    this.#requireName(name)
    using folder = this.#location.find()
    if (folder) rmSync(folder.at(name), { force: true })
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
    if (!this.stats(name)) return
    {
      using slot = this.at(name)
      using doomedTree = await this.#doomedFor(slot.parent)
      renameSync(slot.parent.at(name), doomedTree.parent.at(doomedTree.name))
      await promises.rm(doomedTree.parent.at(doomedTree.name), { recursive: true, force: true })
    }
    this.#location.removeIfEmpty()
  }

  /** Removes the folder if it is empty. */
  removeIfEmpty(): void {
    this.#location.removeIfEmpty()
  }

  /** @returns the size on the disk in bytes, without following links; of a tree that is too deep only a part */
  async sizeOf(name: string): Promise<number> {
    let bytes = 0
    try {
      for await (const { stats } of this.walk(name)) bytes += Number(stats.blocks) * BLOCK_BYTES
    } catch (error) {
      if (!isFault(error, 'tooLarge')) throw error
    }
    return bytes
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

/** Unit of st_blocks (stat(2)). */
const BLOCK_BYTES = 512
/** The event loop gets a turn after so many entries. */
const YIELD_EVERY = 256

async function* walkOf(
  slot: Slot,
  path: string,
  depth: number,
): AsyncGenerator<{ path: string; stats: BigIntStats }> {
  const stats = lstatAt(slot)
  if (!stats) return
  refuseTooDeep(depth)
  yield { path, stats }
  if (!stats.isDirectory()) return
  using folder = slot.parent.child(slot.name, constants.O_RDONLY | constants.O_DIRECTORY)
  for (const [index, name] of folder.names().entries()) {
    if (index % YIELD_EVERY === 0) await new Promise(setImmediate)
    yield* walkOf({ parent: folder, name }, `${path}/${name}`, depth + 1)
  }
}
