/** A worker thread that does one task at a time, and ends after a while without work. */

/** What a worker answers if a task fails; `code` is that of a system error. */
export interface TaskFailure {
  failure: string
  code?: string
}

/** The owner of a thread. */
export interface ThreadOwner<Message> {
  /** The task has ended; also called for a message without a task, such as that of a worker that has started. */
  onFree(): void
  /** The thread has ended, and its task has failed. */
  onEnded(): void
  /** A message that does not end the task; by default there are none. */
  isPart?(message: Message): boolean
}

interface Task<Message> {
  result: PromiseWithResolvers<Message>
  onPart: ((message: Message) => void) | undefined
}

export interface TaskOptions<Message> {
  /** Buffers that are moved to the thread. */
  transfer?: ArrayBuffer[]
  /** Receives the messages before the last one. */
  onPart?: ((message: Message) => void) | undefined
}

export class WorkerThread<Request, Message> {
  readonly #worker: Worker
  readonly #ended = Promise.withResolvers<void>()
  #task: Task<Message> | undefined
  #isEnding = false
  #idleTimer: Timer | undefined

  /**
   * @param worker the file of the worker, or its path in the repository, which is its name in the executable
   * @param idleMs after this time without a task it ends; by default only `end` ends it
   */
  constructor(worker: URL | string, owner: ThreadOwner<Message>, idleMs = Infinity) {
    this.#worker = new Worker(worker)
    this.#worker.onmessage = ({ data }: MessageEvent<Message>) => {
      const task = this.#task
      if (task && owner.isPart?.(data)) return task.onPart?.(data)
      this.#task = undefined
      if (idleMs < Infinity) {
        this.#idleTimer = setTimeout(() => this.end(), idleMs)
        this.#idleTimer.unref()
      }
      if (isFailure(data)) task?.result.reject(errorOfTask(data))
      else task?.result.resolve(data)
      owner.onFree()
    }
    this.#worker.onerror = ({ message }) => {
      this.#task?.result.reject(new Error(message))
      void this.end()
    }
    this.#worker.addEventListener('close', () => {
      clearTimeout(this.#idleTimer)
      this.#isEnding = true
      this.#task?.result.reject(new Error('The worker thread has ended.'))
      this.#ended.resolve()
      owner.onEnded()
    })
  }

  get isFree(): boolean {
    return this.#task === undefined && !this.#isEnding
  }

  /**
   * Gives a task to a free thread.
   *
   * @throws Error with the `code` of a system error, if the task fails; Error if the thread ends
   */
  ask(request: Request, { transfer = [], onPart }: TaskOptions<Message> = {}): Promise<Message> {
    clearTimeout(this.#idleTimer)
    const result = Promise.withResolvers<Message>()
    this.#task = { result, onPart }
    this.#worker.postMessage(request, transfer)
    return result.promise
  }

  /**
   * Resolves when the thread has ended.
   *
   * @param reason with which its task fails at once
   */
  end(reason = new Error('The worker thread was stopped.')): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#task?.result.reject(reason)
    if (!this.#isEnding) this.#worker.terminate()
    this.#isEnding = true
    return this.#ended.promise
  }
}

function isFailure(message: unknown): message is TaskFailure {
  return typeof message === 'object' && message !== null && 'failure' in message
}

/** @returns the error that a task failed with, with the `code` of a system error */
export function errorOfTask({ failure, code }: TaskFailure): Error {
  return Object.assign(new Error(failure), code === undefined ? {} : { code })
}
