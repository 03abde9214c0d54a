/**
 * Threads for system calls that wait for the disk, so that the main thread does not. They are started on demand and
 * end after a while without work.
 */

import type { NameTerms } from '#server/lib/name-terms.ts'
import { SystemError } from '#server/os/errno.ts'
import type { Handle } from '../handles/handle.ts'
import type { DiskRequest, DiskResponse } from './disk-worker.ts'
import type { FolderRecords, PeekRequest, PeekResult } from './folder-records.ts'

/** The maximum number of threads. Each uses about 10 MiB of memory. */
export const DISK_THREADS = 2
/** A thread ends after this time without work. */
const IDLE_MS = 10_000

/** In the executable a worker is named by its path in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/storage/local/read/disk-worker.ts'
  : new URL('./disk-worker.ts', import.meta.url)

interface Work {
  request: DiskRequest
  response: PromiseWithResolvers<DiskResponse>
  /** Receives the entries that come first, before the response. */
  onFirst: EarlyRecords['onFirst'] | undefined
}

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
  /** Idle threads. */
  readonly #idleThreads: Thread[] = []
  /** Requests that no thread has begun. */
  readonly #waiting: Work[] = []
  #count = 0
  #isClosed = false

  /** The number of threads, including those that are ending. */
  get count(): number {
    return this.#count
  }

  /**
   * Reads the names in a folder and the lstat data of each. The folder stays open until this resolves.
   *
   * @throws system errors
   */
  async list(folder: Handle, { early, names, mounts }: RecordRequest = {}): Promise<FolderRecords> {
    const order = early && { ascending: early.ascending }
    const terms = sentTermsOf(names)
    const request = { folder: folder.fd, mounts, ...order, ...(terms && { names: terms }) }
    const response = await this.#send(request, early?.onFirst)
    if ('found' in response) return response.found
    throw errorOf(response)
  }

  /**
   * Reads the first bytes of files in a folder, which stays open until this resolves.
   *
   * @throws system errors
   */
  async peek(folder: Handle, requested: PeekRequest): Promise<PeekResult> {
    const response = await this.#send({ folder: folder.fd, requested })
    if ('starts' in response) return response.starts
    throw errorOf(response)
  }

  #send(request: DiskRequest, onFirst?: Work['onFirst']): Promise<DiskResponse> {
    const work = { request, response: Promise.withResolvers<DiskResponse>(), onFirst }
    this.#waiting.push(work)
    this.#assign()
    return work.response.promise
  }

  /** Ends the threads; busy ones end after their current task. */
  close(): void {
    this.#isClosed = true
    for (const thread of [...this.#idleThreads]) thread.end()
  }

  /** Gives waiting requests to idle or new threads. */
  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idleThreads.pop() ?? this.#start()
      const work = thread && this.#waiting.shift()
      if (!work) return
      thread.do(work)
    }
  }

  /** Starts a thread; undefined if the maximum number is running. */
  #start(): Thread | undefined {
    if (this.#count >= DISK_THREADS) return undefined
    this.#count += 1
    return new Thread({
      onIdle: (thread) => {
        this.#idleThreads.push(thread)
        if (this.#isClosed) thread.end()
        else this.#assign()
      },
      onEnding: (thread) => {
        const index = this.#idleThreads.indexOf(thread)
        if (index >= 0) this.#idleThreads.splice(index, 1)
      },
      onEnded: () => {
        this.#count -= 1
        this.#assign()
      },
    })
  }
}

/** @returns the terms alone: a message cannot contain the functions that a parsed query has too */
export function sentTermsOf(names: NameTerms | undefined): NameTerms | undefined {
  return names && { terms: names.terms, isCaseSensitive: names.isCaseSensitive }
}

/** Receives the events of a thread. */
interface Owner {
  /** The thread is idle. */
  onIdle(thread: Thread): void
  /** The thread accepts no more work. */
  onEnding(thread: Thread): void
  /** The thread has ended. */
  onEnded(): void
}

/** A worker that does one task at a time. */
class Thread {
  readonly #worker = new Worker(WORKER)
  readonly #owner: Owner
  #work: Work | undefined
  #idleTimer: Timer | undefined

  constructor(owner: Owner) {
    this.#owner = owner
    this.#worker.onmessage = ({ data }: MessageEvent<DiskResponse>) => {
      const work = this.#work
      if ('first' in data) return work?.onFirst?.(data.first, data.total)
      this.#beginIdle()
      work?.response.resolve(data)
    }
    this.#worker.onerror = ({ message }) => {
      this.#work?.response.reject(new Error(message))
      this.end()
    }
    this.#worker.addEventListener('close', () => {
      clearTimeout(this.#idleTimer)
      this.#work?.response.reject(new Error('A thread for the disk has ended.'))
      this.#owner.onEnded()
    })
  }

  do(work: Work): void {
    clearTimeout(this.#idleTimer)
    this.#work = work
    this.#worker.postMessage(work.request)
  }

  end(): void {
    this.#owner.onEnding(this)
    this.#worker.terminate()
  }

  #beginIdle(): void {
    this.#work = undefined
    this.#idleTimer = setTimeout(() => this.end(), IDLE_MS)
    this.#idleTimer.unref()
    this.#owner.onIdle(this)
  }
}

function errorOf(response: DiskResponse): Error {
  if (!('failure' in response)) return new Error('A thread sent an unexpected message.')
  const { failure, code } = response
  return code === undefined ? new Error(failure) : new SystemError(failure, code)
}
