/**
 * Copies files of a tree in parallel, up to a number of files and bytes. Files that are complete at the same time are
 * flushed together, by one flush of the file system if that gives the same guarantee.
 */

import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { pacer } from '#server/lib/slices.ts'
import { syncsAsWhole } from '#server/os/sync-fs.ts'
import type { Handle } from '../handles/handle.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'
import type { DiskReserve } from '../room/disk-reserve.ts'

/** How many tasks run at a time. Each holds a few open files. */
export const PARALLEL_FILES = 64
/** How many of these tasks copy bytes at a time; the others wait for a flush. More would delay other requests. */
export const PARALLEL_COPIES = 8
/** The limit for the sizes of all files in progress; a larger file is copied alone. */
const BYTES_MAX = 32 * 1024 * 1024
/** Fewer files are flushed one by one, since a flush of the whole file system also waits for the writes of others. */
const TOGETHER_MIN = 4

/** Flushes an open file. */
export type FileFlusher = Pick<FlushQueue, 'file'>

/** A started task. The promise is in an object, so that `await begin()` waits for the start and not for the end. */
export interface StartedTask {
  /** Resolves when the task is complete. */
  readonly completed: Promise<void>
}

/** A task with nothing to do. */
export const NO_TASK: StartedTask = { completed: Promise.resolve() }

/** A set of tasks that are awaited together. */
export class PendingTasks {
  readonly #unfinished = new Set<Promise<void>>()

  get size(): number {
    return this.#unfinished.size
  }

  /** @param ended called when the task ends */
  add({ completed }: StartedTask, ended: () => void = () => undefined): void {
    const task: Promise<void> = completed
      .catch(() => undefined)
      .finally(() => {
        this.#unfinished.delete(task)
        ended()
      })
    this.#unfinished.add(task)
  }

  /** Waits for all tasks, also for those that fail. */
  async ended(): Promise<void> {
    while (this.#unfinished.size > 0) await Promise.race(this.#unfinished)
  }
}

/** The owner disposes of the pool after all tasks have ended. */
export class CopyPool implements FileFlusher, Disposable {
  readonly #flushes: FlushQueue
  readonly #reserve: DiskReserve | undefined
  readonly #folder: Handle
  /** The key of the flush of the file system in `FlushQueue.shared`. */
  readonly #key: string
  /** Whether one flush of the whole file system gives the same guarantee as a flush of each file. */
  #canSyncWhole: boolean
  readonly #tasks = new PendingTasks()
  /** The sum of the sizes of the files in progress. */
  #bytes = 0
  readonly #pace = pacer()
  /** The number of running tasks that wait for a flush or for other tasks. */
  #idleCount = 0
  /** Resolves when there may be room for another task. */
  #changed = Promise.withResolvers<void>()
  #failure: { error: unknown } | undefined

  /** @param folder on the destination file system; the pool opens it again, and the caller closes it */
  constructor(flushes: FlushQueue, folder: Handle, reserve?: DiskReserve) {
    this.#flushes = flushes
    this.#reserve = reserve
    this.#folder = folder.reopen(FOLDER_FLAGS)
    this.#canSyncWhole = syncsAsWhole(folder.disk)
    // No other pool has this number while this one holds the descriptor.
    this.#key = `copy ${this.#folder.fd}`
  }

  /**
   * Starts a task when there is room for it. A task that waits for others must be started after them.
   *
   * @param handles closed when the task has ended, or is not started
   * @throws the error of an earlier task; then nothing more is started. Fault noSpace
   */
  async begin(
    sizeBytes: number,
    handles: readonly Handle[],
    work: () => Promise<void>,
  ): Promise<StartedTask> {
    try {
      await this.#pace()
      while (!this.#failure && !this.#hasRoom(sizeBytes)) await this.#changed.promise
      this.throwIfFailed()
      this.#reserve?.checkCopy(sizeBytes)
    } catch (error) {
      close(handles)
      throw error
    }
    this.#bytes += sizeBytes
    const task = { completed: this.#run(sizeBytes, handles, work) }
    this.#tasks.add(task, () => this.#notify())
    return task
  }

  /** As `DiskReserve.watch`. */
  watch(bytes: number): (() => void) | undefined {
    return this.#reserve?.watch(bytes)
  }

  [Symbol.dispose](): void {
    this.#folder.close()
  }

  /** Waits for all started tasks, also for those that fail. */
  ended(): Promise<void> {
    return this.#tasks.ended()
  }

  /** @throws the error of the first task that failed */
  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error
  }

  /**
   * Flushes an open file.
   *
   * @throws system errors
   */
  file(fd: number): Promise<void> {
    return this.whileIdle(() => this.#flush(fd))
  }

  /** Runs `wait` for a task that copies nothing during this time, so that another task may start. */
  async whileIdle(wait: () => Promise<void>): Promise<void> {
    this.#idleCount += 1
    this.#notify()
    try {
      await wait()
    } finally {
      this.#idleCount -= 1
    }
  }

  async #flush(fd: number): Promise<void> {
    if (!this.#canSyncWhole || this.#tasks.size < TOGETHER_MIN) return this.#flushes.file(fd)
    try {
      await this.#flushes.shared({
        key: this.#key,
        extent: 'fileSystem',
        open: () => this.#folder.fd,
        close: () => undefined,
      })
    } catch {
      // The kernel reports a failed write once for the whole file system, without the file: flush each file from now.
      this.#canSyncWhole = false
    }
    if (!this.#canSyncWhole) await this.#flushes.file(fd)
  }

  #hasRoom(sizeBytes: number): boolean {
    const { size } = this.#tasks
    if (size === 0) return true
    const isFree = size < PARALLEL_FILES && size - this.#idleCount < PARALLEL_COPIES
    return isFree && this.#bytes + sizeBytes <= BYTES_MAX
  }

  /** Wakes up callers that wait for room. */
  #notify(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  async #run(
    sizeBytes: number,
    handles: readonly Handle[],
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failure ??= { error }
      throw error
    } finally {
      this.#bytes -= sizeBytes
      close(handles)
    }
  }
}

function close(handles: readonly Handle[]): void {
  for (const handle of handles) handle.close()
}
