/**
 * Threads that wait for the disk: the one that answers requests never does. There are none until
 * somebody asks, and none a while after.
 */

import { SystemError } from '#server/os/errno.ts'
import type { Answer, Question } from './disk-worker.ts'
import type { FolderRecords, Starts, Wanted } from './folder-records.ts'
import type { Handle } from './handle.ts'

/** Each takes some 10 MiB while it lives. */
export const DISK_THREADS = 2
const IDLE_MS = 10_000

/** The executable knows a worker by its place in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/storage/disk-worker.ts'
  : new URL('./disk-worker.ts', import.meta.url)

interface Work {
  question: Question
  answer: PromiseWithResolvers<Answer>
}

export class DiskThreads {
  readonly #free: Thread[] = []
  readonly #waiting: Work[] = []
  #count = 0
  #closed = false

  /** How many there are, those that are about to end included. */
  get count(): number {
    return this.#count
  }

  /**
   * The names in a folder, which stays open until this resolves, and what lstat says of each.
   *
   * @throws system errors
   */
  async list(folder: Handle): Promise<FolderRecords> {
    const answer = await this.#ask({ folder: folder.fd })
    if ('found' in answer) return answer.found
    throw errorOf(answer)
  }

  /**
   * The beginnings of files in a folder, which stays open until this resolves.
   *
   * @throws system errors
   */
  async starts(folder: Handle, wanted: Wanted): Promise<Starts> {
    const answer = await this.#ask({ folder: folder.fd, wanted })
    if ('starts' in answer) return answer.starts
    throw errorOf(answer)
  }

  #ask(question: Question): Promise<Answer> {
    const work = { question, answer: Promise.withResolvers<Answer>() }
    this.#waiting.push(work)
    this.#assign()
    return work.answer.promise
  }

  /** Ends the threads, those that are at work when they are done. */
  close(): void {
    this.#closed = true
    for (const thread of [...this.#free]) thread.end()
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#free.pop() ?? this.#another()
      const work = thread && this.#waiting.shift()
      if (!work) return
      thread.do(work)
    }
  }

  #another(): Thread | undefined {
    if (this.#count >= DISK_THREADS) return undefined
    this.#count += 1
    return new Thread({
      free: (thread) => {
        this.#free.push(thread)
        if (this.#closed) thread.end()
        else this.#assign()
      },
      leaves: (thread) => {
        const at = this.#free.indexOf(thread)
        if (at >= 0) this.#free.splice(at, 1)
      },
      ended: () => {
        this.#count -= 1
        this.#assign()
      },
    })
  }
}

/** Told by a thread. */
interface Owner {
  /** It has nothing to do. */
  free(thread: Thread): void
  /** It takes no more. */
  leaves(thread: Thread): void
  /** The system has it back. */
  ended(): void
}

/** A worker that is asked one thing at a time. */
class Thread {
  readonly #worker = new Worker(WORKER)
  readonly #owner: Owner
  #work: Work | undefined
  #idle: Timer | undefined

  constructor(owner: Owner) {
    this.#owner = owner
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const work = this.#work
      this.#rest()
      work?.answer.resolve(data)
    }
    this.#worker.onerror = ({ message }) => this.#work?.answer.reject(new Error(message))
    this.#worker.addEventListener('close', () => {
      clearTimeout(this.#idle)
      this.#work?.answer.reject(new Error('A thread for the disk has ended.'))
      this.#owner.ended()
    })
  }

  do(work: Work): void {
    clearTimeout(this.#idle)
    this.#work = work
    this.#worker.postMessage(work.question)
  }

  end(): void {
    this.#owner.leaves(this)
    this.#worker.terminate()
  }

  #rest(): void {
    this.#work = undefined
    this.#idle = setTimeout(() => this.end(), IDLE_MS)
    this.#idle.unref()
    this.#owner.free(this)
  }
}

function errorOf(answer: Answer): Error {
  if (!('failure' in answer)) return new Error('A thread answered something else.')
  const { failure, code } = answer
  return code === undefined ? new Error(failure) : new SystemError(failure, code)
}
