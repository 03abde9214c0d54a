/**
 * Threads for work that must not run on the main thread. They start on demand. Callers with different keys take turns,
 * so that one with many tasks does not hold up the others.
 */
import { type TaskOptions, WorkerThread } from './worker-thread.ts'

interface PoolOptions<Message> {
  /** The most threads. */
  size: number
  /** A thread ends after this time without a task; by default it stays until `endIdle`. */
  idleMs?: number
  /** Messages that do not end a task. */
  isPart?: (message: Message) => boolean
}

interface Waiting<Key, Request, Message> extends TaskOptions<Message> {
  key: Key
  request: Request
  result: PromiseWithResolvers<Message>
}

export class WorkerPool<Request, Message, Key = undefined> {
  readonly #worker: URL | string
  readonly #options: PoolOptions<Message>
  /** All threads, also those that are ending, with the key of their task. */
  readonly #threads = new Map<WorkerThread<Request, Message>, Key | undefined>()
  #waiting: Waiting<Key, Request, Message>[] = []
  /** Key → the number of its last task; the key with the lowest is next. */
  readonly #lastTask = new Map<Key, number>()
  #taskCount = 0
  #isClosed = false

  /** @param worker as for `WorkerThread` */
  constructor(worker: URL | string, options: PoolOptions<Message>) {
    this.#worker = worker
    this.#options = options
  }

  /** The number of threads, including those that are ending. */
  get count(): number {
    return this.#threads.size
  }

  /**
   * Gives a task to a thread when one is free and it is the turn of the key.
   *
   * @throws as `WorkerThread.ask`, and the reason of `stop`
   */
  ask(request: Request, key: Key, options: TaskOptions<Message> = {}): Promise<Message> {
    const result = Promise.withResolvers<Message>()
    this.#waiting.push({ ...options, key, request, result })
    this.#assign()
    return result.promise
  }

  /** Drops the waiting tasks of a key, ends the threads of its running ones, and resolves when these have ended. */
  async stop(key: Key, reason: Error): Promise<void> {
    for (const { result } of this.#waiting.filter((task) => task.key === key)) result.reject(reason)
    this.#waiting = this.#waiting.filter((task) => task.key !== key)
    this.#lastTask.delete(key)
    const isOfKey = (thread: WorkerThread<Request, Message>) =>
      !thread.isFree && this.#threads.get(thread) === key
    await this.#end(isOfKey, reason)
    this.#assign()
  }

  /** Ends the threads without a task. */
  endIdle(): Promise<void> {
    return this.#end(({ isFree }) => isFree)
  }

  /** Ends the threads; busy ones end after their task. */
  close(): void {
    this.#isClosed = true
    void this.endIdle()
  }

  async #end(
    isEnded: (thread: WorkerThread<Request, Message>) => boolean,
    reason?: Error,
  ): Promise<void> {
    const ended = [...this.#threads.keys()].filter(isEnded)
    await Promise.all(ended.map((thread) => thread.end(reason)))
  }

  /** Gives waiting tasks to free or new threads. */
  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = [...this.#threads.keys()].find(({ isFree }) => isFree) ?? this.#start()
      const task = thread && this.#next()
      if (!task) return
      this.#threads.set(thread, task.key)
      thread.ask(task.request, task).then(task.result.resolve, task.result.reject)
    }
  }

  /** @returns undefined if the most threads exist */
  #start(): WorkerThread<Request, Message> | undefined {
    const { size, idleMs, isPart } = this.#options
    if (this.#threads.size >= size) return undefined
    const owner = {
      ...(isPart && { isPart }),
      onFree: () => (this.#isClosed ? void thread.end() : this.#assign()),
      onEnded: () => {
        this.#threads.delete(thread)
        this.#assign()
      },
    }
    const thread = new WorkerThread<Request, Message>(this.#worker, owner, idleMs)
    this.#threads.set(thread, undefined)
    return thread
  }

  /** Takes the oldest task of the key that has waited longest for its turn. */
  #next(): Waiting<Key, Request, Message> | undefined {
    const lastOf = ({ key }: { key: Key }) => this.#lastTask.get(key) ?? 0
    const next = this.#waiting.reduce((first, task) =>
      lastOf(task) < lastOf(first) ? task : first,
    )
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#taskCount += 1
    this.#lastTask.set(next.key, this.#taskCount)
    return next
  }
}
