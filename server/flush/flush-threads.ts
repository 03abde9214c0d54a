/**
 * Threads that flush, one descriptor at a time each. One is lent by the runtime, which has few and needs them for other
 * calls too: it serves requests that come alone, at no cost. Own ones begin when more is to be flushed at once, and end
 * a while after.
 */
import { fdatasync, fsync } from 'node:fs'
import { promisify } from 'node:util'
import type { FlushAnswer, FlushQuestion } from './flush-worker.ts'

/** Four at once are several times as fast as one, and eight are no faster. */
const OWN_THREADS = 3
const IDLE_MS = 10_000

/** The executable knows a worker by its place in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/flush/flush-worker.ts'
  : new URL('./flush-worker.ts', import.meta.url)

const flushFile = promisify(fsync)
const flushData = promisify(fdatasync)

/** Something that flushes one descriptor at a time. */
export interface Flusher {
  /** Resolves when it is on the disk. The descriptor stays open until then. @throws system errors */
  flush(fd: number, dataOnly: boolean): Promise<void>
}

/** Who flushes. */
export interface Flushers {
  /** One that has nothing to do; undefined while there is none, and `onFree` tells of the next. */
  take(): Flusher | undefined
  /** Gives back what `take` gave. */
  giveBack(flusher: Flusher): void
  /** Called when one has nothing to do that was not given back. */
  onFree: () => void
  close(): void
}

export class FlushThreads implements Flushers {
  onFree: () => void = () => undefined
  readonly #lent: Flusher = {
    flush: (fd, dataOnly) => (dataOnly ? flushData(fd) : flushFile(fd)),
  }
  #isLent = false
  readonly #free: Thread[] = []
  /** All own threads, those that begin and end included. */
  readonly #threads = new Set<Thread>()
  #closed = false

  take(): Flusher | undefined {
    const thread = this.#free.pop()
    if (thread) {
      thread.keep()
      return thread
    }
    if (!this.#isLent) {
      this.#isLent = true
      return this.#lent
    }
    if (this.#threads.size < OWN_THREADS && !this.#closed) this.#begin()
    return undefined
  }

  giveBack(flusher: Flusher): void {
    if (flusher === this.#lent) this.#isLent = false
    else if (flusher instanceof Thread && this.#threads.has(flusher)) this.#rest(flusher)
  }

  close(): void {
    this.#closed = true
    for (const thread of [...this.#free]) thread.end()
  }

  #begin(): void {
    const thread = new Thread({
      began: () => {
        this.#rest(thread)
        this.onFree()
      },
      ended: () => {
        this.#threads.delete(thread)
        const at = this.#free.indexOf(thread)
        if (at >= 0) this.#free.splice(at, 1)
      },
    })
    this.#threads.add(thread)
  }

  #rest(thread: Thread): void {
    this.#free.push(thread)
    if (this.#closed) this.close()
    thread.endAfter(IDLE_MS, () => {
      const at = this.#free.indexOf(thread)
      if (at >= 0) this.#free.splice(at, 1)
    })
  }
}

class Thread implements Flusher {
  readonly #worker = new Worker(WORKER)
  #began = false
  #work: PromiseWithResolvers<void> | undefined
  #idle: Timer | undefined

  constructor(owner: { began(): void; ended(): void }) {
    this.#worker.onmessage = ({ data }: MessageEvent<FlushAnswer>) => {
      if (!this.#began) {
        this.#began = true
        return owner.began()
      }
      const work = this.#work
      this.#work = undefined
      const { failure, code } = data
      if (failure === undefined) work?.resolve()
      else work?.reject(Object.assign(new Error(failure), code === undefined ? {} : { code }))
    }
    this.#worker.onerror = ({ message }) => this.#work?.reject(new Error(message))
    this.#worker.addEventListener('close', () => {
      clearTimeout(this.#idle)
      this.#work?.reject(new Error('A thread that flushes has ended.'))
      owner.ended()
    })
  }

  flush(fd: number, dataOnly: boolean): Promise<void> {
    this.#work = Promise.withResolvers()
    this.#worker.postMessage({ fd, dataOnly } satisfies FlushQuestion)
    return this.#work.promise
  }

  /** It has something to do again. */
  keep(): void {
    clearTimeout(this.#idle)
  }

  endAfter(afterMs: number, leave: () => void): void {
    this.#idle = setTimeout(() => {
      leave()
      this.end()
    }, afterMs)
    this.#idle.unref()
  }

  end(): void {
    clearTimeout(this.#idle)
    this.#worker.terminate()
  }
}
