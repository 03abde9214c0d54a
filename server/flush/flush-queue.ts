/**
 * Shares flushes between callers (docs/decisions.md 26). A single request is flushed at once. While a folder or the
 * database is being flushed, further requests for it wait, and the next flush serves them all. Different
 * files are flushed in parallel, which file systems combine. Flushing never blocks the main thread. Quick flushes of one
 * turn of the event loop are one task of a thread, because a change to another thread takes longer than most of them.
 */
import { errorOfTask } from '#server/lib/worker-thread.ts'
import { Fault } from '#wire/fault.ts'
import type { OpenTarget } from './flush-all.ts'
import { type Flusher, type Flushers, FlushThreads } from './flush-threads.ts'
import type { FlushExtent } from './flush-worker.ts'
import type { FileFailures, NewFile } from './new-file.ts'

/** Limit of waiting flushes, each with an open file and a request. */
export const FLUSHES_WAITING_MAX = 4096
const RETRY_AFTER_SEC = 5
/** So many new files are created, or quick flushes are made, by one thread at a time. */
const GROUP_MAX = 16

/** A target that several callers flush: one flush serves all who asked before it started. */
export interface SharedTarget {
  /** Identifies the target. */
  key: string
  /** What is flushed; by default the file. */
  extent?: FlushExtent
  /** Whether it is flushed also if flushing is left to the kernel. */
  isRequired?: boolean
  /** Whether little is to be written. The flush then begins at the end of this turn of the event loop, with others. */
  isQuick?: boolean
  /**
   * Opens the target when its flush starts.
   *
   * @throws system errors
   */
  open(): number
  close(fd: number): void
}

interface PendingFlush {
  target: SharedTarget
  done: PromiseWithResolvers<void>
}

interface PendingFile {
  file: NewFile
  written: PromiseWithResolvers<void>
  flushed: PromiseWithResolvers<void>
}

/** New files that one thread creates. */
type FileGroup = PendingFile[]
/** Quick flushes that one thread makes. */
interface FlushGroup {
  flushes: PendingFlush[]
}
type Pending = PendingFlush | FileGroup | FlushGroup

export class FlushQueue {
  readonly #flushers: Flushers
  /** Whether the flushing of files is left to the kernel. */
  readonly isRelaxed: boolean
  readonly #waiting: Pending[] = []
  /** The number of waiting flushes in groups. */
  #quickCount = 0
  /** Waiting groups of earlier turns. */
  readonly #ready = new Set<FlushGroup>()
  /** A waiting group, which further new files join. */
  #joinableGroup: FileGroup | undefined
  /** The quick flushes of this turn, or a waiting group, which further ones join. */
  #quick: FlushGroup | undefined
  /** Key: `SharedTarget.key`; value: a waiting flush, which further requests join. */
  readonly #joinable = new Map<string, PendingFlush>()
  /** Keys of the targets that are being flushed; a target is flushed once at a time. */
  readonly #running = new Set<string>()
  /** The number of single files so far, for their keys. */
  #fileCount = 0

  /**
   * @param options.relaxed leaves the flushing of files to the kernel (`--durability relaxed`)
   * @param flushers the threads
   */
  constructor(options: { relaxed?: boolean } = {}, flushers: Flushers = new FlushThreads()) {
    this.isRelaxed = options.relaxed === true
    this.#flushers = flushers
    flushers.onFree = () => this.#assign()
  }

  /**
   * Flushes an open file that has no other callers. It must stay open until this settles.
   *
   * @throws system errors; Fault unavailable if too many wait
   */
  file(fd: number, options: Pick<SharedTarget, 'isQuick'> = {}): Promise<void> {
    this.#fileCount += 1
    const key = `file ${this.#fileCount}`
    return this.shared({ key, open: () => fd, close: () => undefined, ...options })
  }

  /**
   * Flushes a shared target with everything written before the call.
   *
   * @throws as `file`
   */
  async shared(target: SharedTarget): Promise<void> {
    if (this.isRelaxed && !target.isRequired) return
    const joinable = this.#joinable.get(target.key)
    if (joinable) return joinable.done.promise
    const pending: PendingFlush = { target, done: Promise.withResolvers() }
    if (target.isQuick) this.#addQuick(pending)
    else this.#wait(pending)
    this.#joinable.set(target.key, pending)
    if (!target.isQuick) this.#assign()
    return pending.done.promise
  }

  /**
   * Creates a file with its content and flushes it, unless flushing is left to the kernel. A thread does it in one
   * task.
   *
   * @returns when the file is written; `flushed` resolves when it is on the disk and closed, or rejects as `file`, and
   *   the file stays
   * @throws system errors (EEXIST if the name is taken); Fault unavailable if too many wait. Then no file is created.
   */
  async create(file: NewFile): Promise<{ flushed: Promise<void> }> {
    const [written, flushed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The caller may have failed before it waits for the flush.
    flushed.promise.catch(() => undefined)
    const pending: PendingFile = { file, written, flushed }
    const group = this.#joinableGroup ?? []
    if (group.length === 0) this.#wait(group)
    group.push(pending)
    this.#joinableGroup = group.length < GROUP_MAX ? group : undefined
    this.#assign()
    await written.promise
    return { flushed: flushed.promise }
  }

  /** Ends the threads; busy ones end after their flush. */
  close(): void {
    this.#flushers.close()
  }

  /** @throws Fault unavailable */
  #addQuick(pending: PendingFlush): void {
    this.#requireRoom()
    if (!this.#quick || this.#quick.flushes.length >= GROUP_MAX) {
      const group = { flushes: [] }
      this.#wait(group)
      this.#quick = group
      setImmediate(() => {
        this.#ready.add(group)
        this.#assign()
      })
    }
    this.#quick.flushes.push(pending)
    this.#quickCount += 1
  }

  /** @throws Fault unavailable */
  #wait(pending: Pending): void {
    this.#requireRoom()
    this.#waiting.push(pending)
  }

  /** @throws Fault unavailable */
  #requireRoom(): void {
    if (this.#waiting.length + this.#quickCount >= FLUSHES_WAITING_MAX) {
      throw new Fault(
        'unavailable',
        'Too many files are waiting to be written to the disk. Try again.',
        {
          retryAfterSec: RETRY_AFTER_SEC,
        },
      )
    }
  }

  #assign(): void {
    for (;;) {
      const next = this.#next()
      if (!next) return
      const { pending, flusher } = next
      this.#waiting.splice(this.#waiting.indexOf(pending), 1)
      // `done` reports the result.
      if (Array.isArray(pending)) void this.#createAll(pending, flusher)
      else if ('flushes' in pending) void this.#runAll(pending, flusher)
      else void this.#run(pending, flusher)
    }
  }

  /** What has waited longest among what can start, and a thread for it. */
  #next(): { pending: Pending; flusher: Flusher } | undefined {
    for (const pending of this.#waiting) {
      const isQuick = 'flushes' in pending
      const isFiles = Array.isArray(pending)
      if (isQuick && !this.#ready.has(pending)) continue
      if (!isQuick && !isFiles && this.#running.has(pending.target.key)) continue
      const work = isFiles ? 'newFiles' : isQuick ? 'file' : (pending.target.extent ?? 'file')
      const flusher = this.#flushers.acquire(work)
      if (flusher) return { pending, flusher }
      // Only these two need a thread of our own.
      if (work !== 'fileSystem' && work !== 'newFiles') return undefined
    }
    return undefined
  }

  async #createAll(group: FileGroup, flusher: Flusher): Promise<void> {
    if (this.#joinableGroup === group) this.#joinableGroup = undefined
    try {
      const files = group.map(({ file }) => file)
      const failures = await flusher.create(files, {
        isFlushed: !this.isRelaxed,
        onWritten: (written) => settle(group, ['written'], written),
      })
      settle(group, ['written', 'flushed'], failures)
    } catch (error) {
      for (const { written, flushed } of group) {
        written.reject(error)
        flushed.reject(error)
      }
    } finally {
      this.#flushers.release(flusher)
      this.#assign()
    }
  }

  async #runAll(group: FlushGroup, flusher: Flusher): Promise<void> {
    if (this.#quick === group) this.#quick = undefined
    this.#ready.delete(group)
    this.#quickCount -= group.flushes.length
    const opened: (PendingFlush & OpenTarget)[] = []
    for (const pending of group.flushes) {
      const { target, done } = pending
      // A flush that runs may have begun before the last change.
      if (this.#running.has(target.key)) {
        this.#waiting.push(pending)
        continue
      }
      this.#joinable.delete(target.key)
      try {
        opened.push({
          ...pending,
          fd: target.open(),
          extent: target.extent === 'data' ? 'data' : 'file',
        })
        this.#running.add(target.key)
      } catch (error) {
        done.reject(error)
      }
    }
    try {
      const failures = await flusher.flushAll(opened.map(({ fd, extent }) => ({ fd, extent })))
      for (const [index, { done }] of opened.entries()) {
        const failure = failures[index]
        if (failure) done.reject(errorOfTask(failure))
        else done.resolve()
      }
    } catch (error) {
      for (const { done } of opened) done.reject(error)
    } finally {
      for (const { target, fd } of opened) {
        target.close(fd)
        this.#running.delete(target.key)
      }
      this.#flushers.release(flusher)
      this.#assign()
    }
  }

  async #run({ target, done }: PendingFlush, flusher: Flusher): Promise<void> {
    this.#joinable.delete(target.key)
    this.#running.add(target.key)
    try {
      const fd = target.open()
      try {
        await flusher.flush(fd, target.extent ?? 'file')
      } finally {
        target.close(fd)
      }
      done.resolve()
    } catch (error) {
      done.reject(error)
    } finally {
      this.#running.delete(target.key)
      this.#flushers.release(flusher)
      this.#assign()
    }
  }
}

/** Settles promises of new files; those that are settled stay as they are. */
function settle(
  group: FileGroup,
  promises: readonly ('written' | 'flushed')[],
  failures: FileFailures,
): void {
  for (const [index, file] of group.entries()) {
    const failure = failures[index]
    for (const name of promises) {
      if (failure) file[name].reject(errorOfTask(failure))
      else file[name].resolve()
    }
  }
}
