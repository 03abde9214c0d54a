/**
 * Threads that flush one descriptor at a time. One of the runtime's threads serves single requests; more threads start
 * if several flushes run at once, and end after a while without work.
 */
import { fdatasync, fsync } from 'node:fs'
import { promisify } from 'node:util'
import type { FlushExtent, FlushRequest, FlushResponse } from './flush-worker.ts'

/** With the runtime's thread, four flushes run in parallel; more are not faster. */
const OWN_THREADS = 3
const IDLE_MS = 10_000

/** In the executable a worker is named by its path in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/flush/flush-worker.ts'
  : new URL('./flush-worker.ts', import.meta.url)

const flushFile = promisify(fsync)
const flushData = promisify(fdatasync)

/** Flushes one descriptor at a time. */
export interface Flusher {
  /**
   * Resolves when the changes are on the disk. The descriptor must stay open until then.
   *
   * @throws system errors
   */
  flush(fd: number, extent: FlushExtent): Promise<void>
}

/** A pool of flushers. */
export interface Flushers {
  /**
   * @param extent what the flusher must be able to flush
   * @returns an idle flusher; undefined if there is none: ask again after a `release`, and when `onFree` is called
   */
  acquire(extent: FlushExtent): Flusher | undefined
  /** Returns a flusher of `acquire`. */
  release(flusher: Flusher): void
  /** Called when a new flusher becomes idle, so that no `release` announces it. */
  onFree: () => void
  close(): void
}

export class FlushThreads implements Flushers {
  onFree: () => void = () => undefined
  readonly #runtimeThread: Flusher = {
    async flush(fd, extent) {
      // The runtime cannot flush a whole file system.
      if (extent === 'fileSystem') throw new Error('No thread is left that flushes.')
      await (extent === 'data' ? flushData(fd) : flushFile(fd))
    },
  }
  #isRuntimeBusy = false
  /** Own threads that are idle. */
  readonly #idleThreads: Thread[] = []
  /** All own threads, including those that start or end. */
  readonly #threads = new Set<Thread>()
  #isClosed = false

  acquire(extent: FlushExtent): Flusher | undefined {
    const thread = this.#idleThreads.pop()
    if (thread) {
      thread.cancelIdleTimer()
      return thread
    }
    if (!this.#isRuntimeBusy && (extent !== 'fileSystem' || this.#isClosed)) {
      this.#isRuntimeBusy = true
      return this.#runtimeThread
    }
    if (this.#threads.size < OWN_THREADS && !this.#isClosed) this.#startThread()
    return undefined
  }

  release(flusher: Flusher): void {
    if (flusher === this.#runtimeThread) this.#isRuntimeBusy = false
    else if (flusher instanceof Thread && this.#threads.has(flusher)) this.#addIdle(flusher)
  }

  close(): void {
    this.#isClosed = true
    for (const thread of [...this.#idleThreads]) thread.end()
  }

  #startThread(): void {
    const thread = new Thread({
      onStarted: () => {
        this.#addIdle(thread)
        this.onFree()
      },
      onEnded: () => {
        this.#threads.delete(thread)
        const index = this.#idleThreads.indexOf(thread)
        if (index >= 0) this.#idleThreads.splice(index, 1)
      },
    })
    this.#threads.add(thread)
  }

  #addIdle(thread: Thread): void {
    this.#idleThreads.push(thread)
    if (this.#isClosed) this.close()
    thread.endAfter(IDLE_MS, () => {
      const index = this.#idleThreads.indexOf(thread)
      if (index >= 0) this.#idleThreads.splice(index, 1)
    })
  }
}

class Thread implements Flusher {
  readonly #worker = new Worker(WORKER)
  /** Whether the thread has started. */
  #hasStarted = false
  /** The running flush. */
  #work: PromiseWithResolvers<void> | undefined
  #idleTimer: Timer | undefined

  constructor(owner: { onStarted(): void; onEnded(): void }) {
    this.#worker.onmessage = ({ data }: MessageEvent<FlushResponse>) => {
      if (!this.#hasStarted) {
        this.#hasStarted = true
        return owner.onStarted()
      }
      const work = this.#work
      this.#work = undefined
      const { failure, code } = data
      if (failure === undefined) work?.resolve()
      else work?.reject(Object.assign(new Error(failure), code === undefined ? {} : { code }))
    }
    this.#worker.onerror = ({ message }) => this.#work?.reject(new Error(message))
    this.#worker.addEventListener('close', () => {
      clearTimeout(this.#idleTimer)
      this.#work?.reject(new Error('A thread that flushes has ended.'))
      owner.onEnded()
    })
  }

  flush(fd: number, extent: FlushExtent): Promise<void> {
    this.#work = Promise.withResolvers()
    this.#worker.postMessage({ fd, extent } satisfies FlushRequest)
    return this.#work.promise
  }

  /** Cancels the idle timer. */
  cancelIdleTimer(): void {
    clearTimeout(this.#idleTimer)
  }

  endAfter(afterMs: number, beforeEnd: () => void): void {
    this.#idleTimer = setTimeout(() => {
      beforeEnd()
      this.end()
    }, afterMs)
    this.#idleTimer.unref()
  }

  end(): void {
    clearTimeout(this.#idleTimer)
    this.#worker.terminate()
  }
}
