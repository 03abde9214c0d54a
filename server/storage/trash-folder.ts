/**
 * Content that was deleted or replaced, on the file system that it was on, under names that nobody guesses. It comes
 * there by a rename, or by a second name right before it loses its own, so that nothing is ever copied.
 */
import { type BigIntStats, constants, linkSync, promises, renameSync, rmSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { isFault } from '#wire/fault.ts'
import { type Staged, statsAt } from './atomic.ts'
import type { Doomed } from './beside.ts'
import type { Handle } from './handle.ts'
import { isFull, randomName } from './own-folder.ts'
import { type Mark, markOf, ROOT_TRASH, type TrashId } from './step.ts'
import { NOWHERE, type TrashLocation } from './trash-location.ts'
import { refuseTooDeep } from './tree-depth.ts'

/** What is random of a name. */
const RANDOM = /^[0-9a-f]{24}/
/** Why a second name cannot be given: no such call, no right to, too many names, no room. */
const NO_LINK = ['EPERM', 'EMLINK', 'EOPNOTSUPP', 'ENOSYS', 'ENOSPC', 'EDQUOT', 'EXDEV', 'ENOENT']

/** What lends a name for something that is removed (volumes.ts). */
export type DoomedFor = (folder: Handle) => Promise<Doomed>

/** A name in an open folder, which closes with it. */
export interface HeldName extends Staged, Disposable {}

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

  /** Whether something can be kept here now. */
  get isReady(): boolean {
    return this.#location.isReady
  }

  /** A name for something that comes here. The end of it says which trash folder that is. */
  freshName(): string {
    return this.id === ROOT_TRASH ? randomName() : `${randomName()}.${this.id}`
  }

  /** Something kept, or a name for it. The caller disposes of it. @throws system errors */
  at(name: string): HeldName {
    this.#mustBeName(name)
    const parent = this.#location.make()
    return { parent, name, [Symbol.dispose]: () => parent.close() }
  }

  names(): string[] {
    using folder = this.#location.find()
    return folder?.names().filter((name) => this.#isName(name)) ?? []
  }

  stats(name: string): BigIntStats | undefined {
    this.#mustBeName(name)
    using folder = this.#location.find()
    return folder && statsAt({ parent: folder, name })
  }

  mark(name: string): Mark | undefined {
    const stats = this.stats(name)
    return stats && markOf(stats)
  }

  /** Gives what is about to be replaced a second name here. @returns whether that could be done */
  link({ parent, name }: Staged, as: string): boolean {
    try {
      using kept = this.at(as)
      linkSync(parent.at(name), kept.parent.at(as))
      return true
    } catch (error) {
      if (!NO_LINK.includes(errnoOf(error) ?? '')) throw error
      return false
    }
  }

  /** Takes the second name away again. */
  unlink(name: string): void {
    this.#mustBeName(name)
    using folder = this.#location.find()
    if (folder) rmSync(folder.at(name), { force: true })
  }

  /** Takes a thing in. @returns false when there is no room for another name */
  take({ parent, name }: Staged, as: string): boolean {
    try {
      using kept = this.at(as)
      renameSync(parent.at(name), kept.parent.at(as))
      return true
    } catch (error) {
      if (!isFull(error)) throw error
      return false
    }
  }

  /** Forces the names here to the disk. */
  sync(): Promise<void> {
    return this.#location.sync(this.#flushes)
  }

  /** Removes for ever. The name goes in one step; what a kill leaves of it is cleared at the next start. */
  async discard(name: string): Promise<void> {
    if (!this.stats(name)) return
    {
      using kept = this.at(name)
      using doomed = await this.#doomedFor(kept.parent)
      renameSync(kept.parent.at(name), doomed.parent.at(doomed.name))
      await promises.rm(doomed.parent.at(doomed.name), { recursive: true, force: true })
    }
    this.#location.tidy()
  }

  /** What came back is not kept any more: an empty folder goes. */
  tidy(): void {
    this.#location.tidy()
  }

  /** How much room it takes on the disk, as far as it is not too deep. Walks a folder without following links. */
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
   * Everything of kept content: itself under an empty path, then what it holds, without following links.
   *
   * @throws Fault tooLarge
   */
  async *walk(name: string): AsyncGenerator<{ path: string; stats: BigIntStats }> {
    if (!this.stats(name)) return
    using kept = this.at(name)
    yield* walkOf(kept, '', 0)
  }

  /** The database says it, and nobody may lead a removal elsewhere by it. */
  #mustBeName(name: string): void {
    if (!this.#isName(name)) throw new Error('This is no name of kept content.')
  }

  #isName(name: string): boolean {
    if (this.#location === NOWHERE) return RANDOM.test(name)
    const rest = name.replace(RANDOM, '')
    return name !== rest && rest === (this.id === ROOT_TRASH ? '' : `.${this.id}`)
  }
}

/** st_blocks counts these (stat(2)). */
const BLOCK_BYTES = 512
/** Entries between two turns of the event loop. */
const SLICE = 256

async function* walkOf(
  slot: Staged,
  path: string,
  depth: number,
): AsyncGenerator<{ path: string; stats: BigIntStats }> {
  const stats = statsAt(slot)
  if (!stats) return
  refuseTooDeep(depth)
  yield { path, stats }
  if (!stats.isDirectory()) return
  using folder = slot.parent.child(slot.name, constants.O_RDONLY | constants.O_DIRECTORY)
  for (const [at, name] of folder.names().entries()) {
    if (at % SLICE === 0) await new Promise(setImmediate)
    yield* walkOf({ parent: folder, name }, `${path}/${name}`, depth + 1)
  }
}
