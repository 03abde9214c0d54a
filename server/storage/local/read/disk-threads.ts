/**
 * Threads for system calls that wait for the disk, so that the main thread does not. They are started on demand and
 * end after a while without work.
 */

import type { NameTerms } from '#server/lib/name-terms.ts'
import { WorkerPool } from '#server/lib/worker-pool.ts'
import type { Handle } from '../handles/handle.ts'
import type { DiskRequest, DiskResponse } from './disk-worker.ts'
import type { FolderRecords, PeekRequest, PeekResult } from './folder-records.ts'
import type { FolderAddress } from './list-folder.ts'

/** The maximum number of threads. Each uses about 10 MiB of memory. */
export const DISK_THREADS = 2
/** A thread ends after this time without work. */
const IDLE_MS = 10_000

/** In the executable a worker is named by its path in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/storage/local/read/disk-worker.ts'
  : new URL('./disk-worker.ts', import.meta.url)

/** The order of the names, and what receives the entries that come first in it. */
export interface EarlyRecords {
  ascending: boolean
  /** @param total the number of all names in the folder */
  onFirst(records: FolderRecords, total: number): void
}

/** Which entries of a folder are read. */
export interface RecordRequest {
  /** For a large folder, receives the entries that come first before all are read. */
  early?: EarlyRecords | undefined
  /** Entries whose names contain none of these terms may be left out, except folders. */
  names?: NameTerms | undefined
  /** As in `ListRequest`. */
  mounts?: readonly string[] | undefined
}

export class DiskThreads {
  readonly #pool = new WorkerPool<DiskRequest, DiskResponse>(WORKER, {
    size: DISK_THREADS,
    idleMs: IDLE_MS,
    isPart: (response) => 'first' in response,
  })

  /** The number of threads, including those that are ending. */
  get count(): number {
    return this.#pool.count
  }

  /**
   * Reads the names in a folder and the lstat data of each. The folder stays open until this resolves.
   *
   * @throws system errors
   */
  async list(folder: Handle, { early, names, mounts }: RecordRequest = {}): Promise<FolderRecords> {
    const order = early && { ascending: early.ascending }
    const terms = sentTermsOf(names)
    const request = { folder: addressOf(folder), mounts, ...order, ...(terms && { names: terms }) }
    const onPart = (response: DiskResponse) => {
      if ('first' in response) early?.onFirst(response.first, response.total)
    }
    const response = await this.#pool.ask(request, undefined, { onPart })
    folder.requireUnmoved()
    if ('found' in response) return response.found
    throw new Error(UNEXPECTED)
  }

  /**
   * Reads the first bytes of files in a folder, which stays open until this resolves.
   *
   * @throws system errors
   */
  async peek(folder: Handle, requested: PeekRequest): Promise<PeekResult> {
    const response = await this.#pool.ask({ folder: addressOf(folder), requested }, undefined)
    folder.requireUnmoved()
    if ('starts' in response) return response.starts
    throw new Error(UNEXPECTED)
  }

  /** Ends the threads; busy ones end after their current task. */
  close(): void {
    this.#pool.close()
  }
}

function addressOf({ fd, diskText }: Handle): FolderAddress {
  return { fd, disk: diskText }
}

const UNEXPECTED = 'A thread sent an unexpected message.'

/** @returns the terms alone: a message cannot contain the functions that a parsed query has too */
export function sentTermsOf(names: NameTerms | undefined): NameTerms | undefined {
  return names && { terms: names.terms, isCaseSensitive: names.isCaseSensitive }
}
