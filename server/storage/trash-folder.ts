/**
 * Content that was deleted or replaced, in the private folder of the served root under names that nobody guesses. It
 * comes there by a rename, or by a second name right before it loses its own, so that nothing is ever copied. On a file
 * system mounted below the root nothing is kept: nothing of the server's stays there (volumes.ts).
 */
import { type BigIntStats, constants, linkSync, promises, renameSync, rmSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { type Staged, statsAt, syncFolder } from './atomic.ts'
import type { Handle } from './handle.ts'
import { isFull, randomName } from './own-folder.ts'
import type { PrivateFolder } from './private-folder.ts'
import { type Mark, markOf } from './step.ts'
import { type VolumeId, volumeOf } from './volume-id.ts'

export const TRASH = 'trash'
const NAME = /^[0-9a-f]{24}$/
/** Why a second name cannot be given: no such call, no right to, too many names, no room. */
const NO_LINK = ['EPERM', 'EMLINK', 'EOPNOTSUPP', 'ENOSYS', 'ENOSPC', 'EDQUOT', 'EXDEV', 'ENOENT']

export class TrashFolder {
  readonly #home: PrivateFolder
  readonly #flushes: FlushQueue
  /** Missing while there is no room for one. */
  #made: { folder: Handle; volume: VolumeId } | undefined

  /** @param home the private folder that it lies in; the caller's */
  constructor(home: PrivateFolder, flushes: FlushQueue) {
    this.#home = home
    this.#flushes = flushes
    this.#make()
  }

  /** Names this process among all that keep something here. */
  get writer(): string {
    return this.#home.ownName
  }

  /** Whether the process of that name has ended. */
  isGone(writer: string): boolean {
    return this.#home.isGone(writer)
  }

  /** Whether what lies in a folder can come here by a rename. */
  takes(folder: Handle): boolean {
    return volumeOf(folder) === this.#make()?.volume
  }

  freshName(): string {
    return randomName()
  }

  at(name: string): Staged {
    // The database says it, and nobody may lead a removal elsewhere by it.
    if (!NAME.test(name)) throw new Error('This is no name of kept content.')
    return { parent: this.#folder(), name }
  }

  names(): string[] {
    return (
      this.#make()
        ?.folder.names()
        .filter((name) => NAME.test(name)) ?? []
    )
  }

  stats(name: string): BigIntStats | undefined {
    return this.#make() && statsAt(this.at(name))
  }

  mark(name: string): Mark | undefined {
    const stats = this.stats(name)
    return stats && markOf(stats)
  }

  /** Gives what is about to be replaced a second name here. @returns whether that could be done */
  link({ parent, name }: Staged, as: string): boolean {
    try {
      linkSync(parent.at(name), this.#folder().at(this.at(as).name))
      return true
    } catch (error) {
      if (!NO_LINK.includes(errnoOf(error) ?? '')) throw error
      return false
    }
  }

  /** Takes the second name away again. */
  unlink(name: string): void {
    rmSync(this.#folder().at(this.at(name).name), { force: true })
  }

  /** Takes a thing in. @returns false when there is no room for another name */
  take({ parent, name }: Staged, as: string): boolean {
    try {
      renameSync(parent.at(name), this.#folder().at(this.at(as).name))
      return true
    } catch (error) {
      if (!isFull(error)) throw error
      return false
    }
  }

  /** Forces the names here to the disk. */
  async sync(): Promise<void> {
    if (this.#made) await syncFolder(this.#made.folder, this.#flushes)
  }

  /** Removes for ever. The name goes in one step; what a kill leaves of it is cleared at the next start. */
  async discard(name: string): Promise<void> {
    if (!this.stats(name)) return
    const doomed = this.#home.doomed()
    renameSync(this.#folder().at(name), doomed.parent.at(doomed.name))
    await promises.rm(doomed.parent.at(doomed.name), { recursive: true, force: true })
  }

  /** How much room it takes on the disk. Walks a folder without following links. */
  async sizeOf(name: string): Promise<number> {
    let bytes = 0
    for await (const { stats } of this.walk(name)) bytes += Number(stats.blocks) * BLOCK_BYTES
    return bytes
  }

  /** Everything of kept content: itself under an empty path, then what it holds, without following links. */
  async *walk(name: string): AsyncGenerator<{ path: string; stats: BigIntStats }> {
    yield* walkOf(this.at(name), '')
  }

  close(): void {
    this.#made?.folder.close()
  }

  /** @throws system errors; ENOSPC when there is no room for the folder */
  #folder(): Handle {
    return this.#make()?.folder ?? this.#home.lasting(TRASH)
  }

  #make(): { folder: Handle; volume: VolumeId } | undefined {
    if (this.#made) return this.#made
    try {
      const folder = this.#home.lasting(TRASH)
      this.#made = { folder, volume: volumeOf(folder) }
    } catch (error) {
      if (!isFull(error)) throw error
    }
    return this.#made
  }
}

/** st_blocks counts these (stat(2)). */
const BLOCK_BYTES = 512
/** Entries between two turns of the event loop. */
const SLICE = 256

async function* walkOf(
  slot: Staged,
  path: string,
): AsyncGenerator<{ path: string; stats: BigIntStats }> {
  const stats = statsAt(slot)
  if (!stats) return
  yield { path, stats }
  if (!stats.isDirectory()) return
  using folder = slot.parent.child(slot.name, constants.O_RDONLY | constants.O_DIRECTORY)
  for (const [at, name] of folder.names().entries()) {
    if (at % SLICE === 0) await new Promise(setImmediate)
    yield* walkOf({ parent: folder, name }, `${path}/${name}`)
  }
}
