/**
 * Threads that flush one descriptor at a time, or create some small files. One of the runtime's threads serves single
 * flushes; more threads start if several flushes run at once, and end after a while without work.
 */
import { fdatasync, fsync } from 'node:fs'
import { promisify } from 'node:util'
import { WorkerThread } from '#server/lib/worker-thread.ts'
import { type FileExtent, flushesInRuntime, flushOpen } from '#server/os/flush.ts'
import type { OpenTarget } from './flush-all.ts'
import type { FlushExtent, FlushRequest, FlushResponse } from './flush-worker.ts'
import {
  asTaskFailure,
  createFiles,
  type FileFailures,
  type NewFile,
  type NewFileFlush,
} from './new-file.ts'

/** With the runtime's thread, four flushes run in parallel; more are not faster. */
const OWN_THREADS = 3
const IDLE_MS = 10_000

/** In the executable a worker is named by its path in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/flush/flush-worker.ts'
  : new URL('./flush-worker.ts', import.meta.url)

const flushFile = promisify(fsync)
const flushData = promisify(fdatasync)

/** In a thread of the runtime; on macOS in this one, which happens only at the end of the process. */
async function flushInRuntime(fd: number, extent: FileExtent = 'file'): Promise<void> {
  if (!flushesInRuntime) flushOpen(fd, extent)
  else await (extent === 'data' ? flushData(fd) : flushFile(fd))
}

/** What a flusher is needed for: a flush, or the creation of files. */
export type FlushWork = FlushExtent | 'newFiles'

/** Does one of these at a time. */
export interface Flusher {
  /**
   * Resolves when the changes are on the disk. The descriptor must stay open until then.
   *
   * @throws system errors
   */
  flush(fd: number, extent: FlushExtent): Promise<void>
  /**
   * Flushes descriptors, as `flushAll`.
   *
   * @returns their failures in order; undefined for a flush that did not fail
   */
  flushAll(targets: readonly OpenTarget[]): Promise<FileFailures>
  /**
   * Creates files, as `createFiles`.
   *
   * @param options `isFlushed`: false leaves their flush to the kernel
   */
  create(
    files: readonly NewFile[],
    options: { isFlushed: boolean } & Pick<NewFileFlush, 'onWritten'>,
  ): Promise<FileFailures>
}

/** A pool of flushers. */
export interface Flushers {
  /**
   * @param work what the flusher must be able to do
   * @returns an idle flusher; undefined if there is none: ask again after a `release`, and when `onFree` is called
   */
  acquire(work: FlushWork): Flusher | undefined
  /** Returns a flusher of `acquire`. */
  release(flusher: Flusher): void
  /** Called when a new flusher becomes idle, or may be started, so that no `release` announces it. */
  onFree: () => void
  close(): void
}

export class FlushThreads implements Flushers {
  onFree: () => void = () => undefined
  readonly #runtimeThread: Flusher = {
    async flush(fd, extent) {
      // The runtime cannot flush a whole file system.
      if (extent === 'fileSystem') throw new Error('No thread is left that flushes.')
      await flushInRuntime(fd, extent)
    },
    flushAll: (targets) =>
      Promise.all(
        targets.map(({ fd, extent }) =>
          flushInRuntime(fd, extent).then(() => undefined, asTaskFailure),
        ),
      ),
    create: (files, { isFlushed, onWritten }) =>
      createFiles(files, { flush: isFlushed ? flushInRuntime : undefined, onWritten }),
  }
  #isRuntimeBusy = false
  /** Own threads, also those that start or end. */
  readonly #own = new Set<OwnFlusher>()
  #isClosed = false
  readonly #idleMs: number

  /** @param idleMs after this time without work, a thread ends */
  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs
  }

  acquire(work: FlushWork): Flusher | undefined {
    const own = [...this.#own].find(({ isIdle }) => isIdle)
    if (own) {
      own.isTaken = true
      return own
    }
    const isForRuntime =
      (flushesInRuntime && (work === 'file' || work === 'data')) || this.#isClosed
    if (!this.#isRuntimeBusy && isForRuntime) {
      this.#isRuntimeBusy = true
      return this.#runtimeThread
    }
    if (this.#own.size < OWN_THREADS && !this.#isClosed) this.#startThread()
    return undefined
  }

  release(flusher: Flusher): void {
    if (flusher === this.#runtimeThread) this.#isRuntimeBusy = false
    if (!(flusher instanceof OwnFlusher)) return
    flusher.isTaken = false
    if (this.#isClosed) flusher.end()
  }

  close(): void {
    this.#isClosed = true
    for (const own of this.#own) if (own.isIdle) own.end()
  }

  #startThread(): void {
    const own = new OwnFlusher(this.#idleMs, {
      onStarted: () => {
        if (this.#isClosed) own.end()
        else this.onFree()
      },
      onEnded: () => {
        this.#own.delete(own)
        // Work that came while it ended may need another thread.
        if (!this.#isClosed) this.onFree()
      },
    })
    this.#own.add(own)
  }
}

class OwnFlusher implements Flusher {
  readonly #thread: WorkerThread<FlushRequest, FlushResponse>
  hasStarted = false
  /** `acquire` has given it to a caller, who may not have asked for a flush yet. */
  isTaken = false

  constructor(idleMs: number, { onStarted, onEnded }: { onStarted(): void; onEnded(): void }) {
    const onFree = () => {
      if (this.hasStarted) return
      this.hasStarted = true
      onStarted()
    }
    this.#thread = new WorkerThread(WORKER, { onFree, onEnded, isPart: isWritten }, idleMs)
  }

  get isIdle(): boolean {
    return this.hasStarted && !this.isTaken && this.#thread.isFree
  }

  async flush(fd: number, extent: FlushExtent): Promise<void> {
    await this.#thread.ask({ fd, extent })
  }

  async flushAll(targets: readonly OpenTarget[]): Promise<FileFailures> {
    const answer = await this.#thread.ask({ targets })
    return 'failures' in answer ? answer.failures : []
  }

  async create(
    files: readonly NewFile[],
    { isFlushed, onWritten }: Parameters<Flusher['create']>[1],
  ): Promise<FileFailures> {
    const onPart = (part: FlushResponse) => {
      if (isWritten(part)) onWritten(part.written)
    }
    const answer = await this.#thread.ask({ files, isFlushed }, { onPart })
    return 'failures' in answer ? answer.failures : []
  }

  end(): void {
    void this.#thread.end()
  }
}

function isWritten(message: FlushResponse): message is { written: FileFailures } {
  return 'written' in message
}
