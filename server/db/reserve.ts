/**
 * Space for the database on its disk. Uploads, jobs and imports leave a reserve free. If another program takes that too,
 * a file beside the database, which holds the last part of the space, is shortened for the writes that must succeed:
 * those of a sign-in and of a start.
 */
import { rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { formatEnglishSize } from '#wire/units.ts'
import { isDatabaseFull } from './database-full.ts'

/** The file is beside the database, with its name and this ending. */
const RESERVE_ENDING = '-reserve'
/** The reserve takes at most this part of the disk. */
const PART_OF_DISK = 10
/** The file has this part of the reserve. */
const PART_OF_RESERVE = 8
/** How much of the file is given back at once. */
const STEP_BYTES = 128 * 1024

/** Space for the database. What a server stores elsewhere has none: `NO_RESERVE`. */
export interface SpaceReserve {
  /** As `Reserve.keptOn`. Content on another disk needs none of this space, but its rows do. */
  keptOn(device: number): number
  /**
   * The fault for content that would need the reserve.
   *
   * @param device of the content, as for `keptOn`
   */
  refusal(device: number): Fault
  /** Creates the file, or completes it, if that leaves the reserve free. A failure is ignored. */
  fill(): void
  /**
   * Runs work that writes to the database. If the disk is full, the work is tried again with space of the file.
   *
   * @throws errors of the work
   */
  whenFull<T>(work: () => Promise<T>): Promise<T>
  /**
   * Gives a part of the file back.
   *
   * @returns false if there is nothing left of it
   */
  release(): boolean
}

/** For a database on a server, whose disk has space of its own. */
export const NO_RESERVE: SpaceReserve = {
  keptOn: () => 0,
  refusal: () => new Fault('noSpace', 'There is not enough space left on the disk.'),
  fill: () => undefined,
  whenFull: (work) => work(),
  release: () => false,
}

export class DatabaseReserve implements SpaceReserve {
  readonly #folder: string
  readonly #file: string
  readonly #maxBytes: number
  readonly #device: number

  /**
   * @param database its path; its folder exists
   * @param maxBytes how much is kept free at most; 0 keeps nothing
   */
  constructor(database: string, maxBytes: number) {
    this.#folder = dirname(database)
    this.#file = `${database}${RESERVE_ENDING}`
    this.#maxBytes = maxBytes
    this.#device = statSync(this.#folder).dev
  }

  keptOn(device: number): number {
    const { reserve, free } = this.#disk()
    if (device === this.#device) return reserve
    return free < reserve ? Number.POSITIVE_INFINITY : 0
  }

  refusal(device: number): Fault {
    const reserve = formatEnglishSize(this.#disk().reserve)
    const kept = `the last ${reserve} are reserved for the database.`
    return device === this.#device
      ? new Fault('noSpace', `There is not enough space left on the disk: ${kept}`)
      : new Fault(
          'noSpace',
          `There is not enough space left on the disk of the database: ${kept}`,
          { reason: 'databaseFull' },
        )
  }

  fill(): void {
    const { reserve, free } = this.#disk()
    const bytes = Math.floor(reserve / PART_OF_RESERVE)
    try {
      if (bytes === 0) rmSync(this.#file, { force: true })
      const present = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
      if (present >= bytes || free - bytes < reserve) return
      // Random, so that no file system stores it in less space.
      writeFileSync(this.#file, randomBytes(bytes), { mode: 0o600 })
    } catch {
      rmSync(this.#file, { force: true })
    }
  }

  async whenFull<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isDatabaseFull(error) || !this.release()) throw error
      }
    }
  }

  release(): boolean {
    try {
      const { size } = statSync(this.#file)
      if (size === 0) return false
      truncateSync(this.#file, Math.max(0, size - STEP_BYTES))
      return true
    } catch {
      return false
    }
  }

  #disk(): { reserve: number; free: number } {
    const { blocks, bavail, bsize } = statfsSync(this.#folder)
    const reserve = Math.min(this.#maxBytes, Math.floor((blocks * bsize) / PART_OF_DISK))
    return { reserve, free: bavail * bsize }
  }
}

/** The system gives at most so many random bytes at once. */
const RANDOM_BYTES_MAX = 65_536

function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count)
  for (let from = 0; from < count; from += RANDOM_BYTES_MAX) {
    crypto.getRandomValues(bytes.subarray(from, from + RANDOM_BYTES_MAX))
  }
  return bytes
}
