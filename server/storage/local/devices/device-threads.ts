/**
 * Threads that ask other file systems than the root's. Each file system has its own, so that one that does not answer
 * stops nothing else. They are started on demand and end after a while without work.
 */

import { doesNotRespond } from '#server/lib/common-faults.ts'
import { errorOf } from './device-failure.ts'
import type { Check, DeviceRoot } from './device-tasks.ts'
import type {
  DeviceRequest,
  DeviceResponse,
  TaskArguments,
  TaskName,
  TaskResult,
} from './device-worker.ts'

/** How long a file system may take. A sleeping disk needs about ten seconds to wake up. */
export const DEADLINE_MS = 15_000
/** The threads of one file system, so that one file of it that does not answer leaves a thread for the others. */
const THREADS_OF_DEVICE = 2
/** Requests that wait for the threads of one file system. */
const WAITING_MAX = 1024
/** A file system that takes longer is slow. */
export const SLOW_MS = 1000
/** How long it counts as slow afterwards. */
export const SLOW_FOR_MS = 60_000
const IDLE_MS = 10_000

const WORKER = Bun.isStandaloneExecutable
  ? './server/storage/local/devices/device-worker.ts'
  : new URL('./device-worker.ts', import.meta.url)

/** The result of a task, which may be used after `checks` have passed. */
export interface Done<T> {
  checks: Check[]
  /** @throws what the task threw */
  get(): T
}

interface Work {
  request: DeviceRequest
  response: PromiseWithResolvers<DeviceResponse>
  isRefused: boolean
}

export class DeviceThreads {
  readonly #root: DeviceRoot
  readonly #deadlineMs: number
  readonly #devices = new Map<string, Device>()

  constructor(root: DeviceRoot, deadlineMs = DEADLINE_MS) {
    this.#root = root
    this.#deadlineMs = deadlineMs
  }

  /** The number of threads. */
  get count(): number {
    return this.#devices.values().reduce((sum, { count }) => sum + count, 0)
  }

  /**
   * Runs a task in a thread of a file system.
   *
   * @param device identifies the file system
   * @throws Fault unavailable if it does not answer in time, or has not answered since then
   */
  async run<Name extends TaskName>(
    device: string,
    task: Name,
    ...args: TaskArguments<Name>
  ): Promise<Done<TaskResult<Name>>> {
    const response = await this.#device(device).run({ task, args })
    return {
      checks: response.checks,
      get() {
        if ('failure' in response) throw errorOf(response.failure)
        return response.result as TaskResult<Name>
      },
    }
  }

  /** Whether a file system does not answer at present, as far as it was asked. */
  isSilent(device: string): boolean {
    return this.#devices.get(device)?.isSilent ?? false
  }

  /** Whether a file system is silent, or was slow a short time ago. */
  isSlow(device: string): boolean {
    return this.#devices.get(device)?.isSlow ?? false
  }

  /** Closes a file that `read` opened. */
  closeFile(device: string, fd: number): void {
    this.#device(device).closeFile(fd)
  }

  close(): void {
    for (const device of this.#devices.values()) device.close()
  }

  #device(name: string): Device {
    const known = this.#devices.get(name) ?? new Device(this.#root, this.#deadlineMs)
    this.#devices.set(name, known)
    return known
  }
}

/** The threads of one file system, and what waits for them. */
class Device {
  readonly #root: DeviceRoot
  readonly #deadlineMs: number
  readonly #threads = new Set<Thread>()
  readonly #waiting: Work[] = []
  #slowUntilMs = 0
  #isSilent = false
  #isClosed = false

  constructor(root: DeviceRoot, deadlineMs: number) {
    this.#root = root
    this.#deadlineMs = deadlineMs
  }

  get count(): number {
    return this.#threads.size
  }

  /** Whether a task was not done in time, and none has been done since then. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  get isSlow(): boolean {
    const isWaited = [...this.#threads].some((thread) => thread.busyMs >= SLOW_MS)
    return isWaited || Date.now() < this.#slowUntilMs
  }

  async run(request: DeviceRequest): Promise<DeviceResponse> {
    // A thread that waits may do so for one file. As long as there is another one, it finds out.
    if (this.#isSilent && !this.#hasFreeThread()) throw doesNotRespond()
    if (this.#waiting.length >= WAITING_MAX || this.#isClosed) throw doesNotRespond()
    const work: Work = { request, response: Promise.withResolvers(), isRefused: false }
    const timer = setTimeout(() => this.#refuse(work), this.#deadlineMs)
    this.#waiting.push(work)
    this.#assign()
    try {
      return await work.response.promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Closes a file that a task opened, as soon as a thread is free. */
  closeFile(fd: number): void {
    const request: DeviceRequest = { task: 'close', args: [fd] }
    const response = Promise.withResolvers<DeviceResponse>()
    response.promise.catch(() => undefined)
    this.#waiting.push({ request, response, isRefused: false })
    this.#assign()
  }

  close(): void {
    this.#isClosed = true
    for (const thread of this.#threads) thread.end()
  }

  #hasFreeThread(): boolean {
    return this.#threads.size < THREADS_OF_DEVICE || [...this.#threads].some(({ isIdle }) => isIdle)
  }

  #refuse(work: Work): void {
    work.isRefused = true
    this.#isSilent = true
    work.response.reject(doesNotRespond())
    const index = this.#waiting.indexOf(work)
    if (index >= 0) this.#waiting.splice(index, 1)
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = [...this.#threads].find(({ isIdle }) => isIdle) ?? this.#start()
      const work = thread && this.#waiting.shift()
      if (!work) return
      thread.do(work)
    }
  }

  #start(): Thread | undefined {
    if (this.#threads.size >= THREADS_OF_DEVICE) return undefined
    const thread: Thread = new Thread(this.#root, {
      onUnused: (response) => {
        const fd = openedBy(response)
        if (fd !== undefined) this.closeFile(fd)
      },
      onIdle: (busyMs) => {
        this.#isSilent = false
        if (busyMs >= SLOW_MS) this.#slowUntilMs = Date.now() + SLOW_FOR_MS
        if (this.#isClosed) thread.end()
        else this.#assign()
      },
      onEnded: () => {
        this.#threads.delete(thread)
        if (!this.#isClosed) this.#assign()
      },
    })
    this.#threads.add(thread)
    return thread
  }
}

interface Owner {
  /** The response came too late. */
  onUnused(response: DeviceResponse): void
  /** A task has ended, which took so long. */
  onIdle(busyMs: number): void
  onEnded(): void
}

/** A worker that does one task at a time. */
class Thread {
  readonly #worker = new Worker(WORKER)
  readonly #owner: Owner
  #work: Work | undefined
  #sinceMs = 0
  #isEnding = false
  #idleTimer: Timer | undefined

  constructor(root: DeviceRoot, owner: Owner) {
    this.#owner = owner
    this.#worker.postMessage(root satisfies DeviceRequest)
    this.#worker.onmessage = ({ data }: MessageEvent<DeviceResponse>) => this.#end(data)
    this.#worker.onerror = ({ message }) => {
      this.#work?.response.reject(new Error(message))
      this.end()
    }
    this.#worker.addEventListener('close', () => {
      clearTimeout(this.#idleTimer)
      this.#isEnding = true
      this.#work?.response.reject(new Error('The thread of a disk has ended.'))
      this.#owner.onEnded()
    })
  }

  get isIdle(): boolean {
    return !this.#work && !this.#isEnding
  }

  /** How long the present task has been running. */
  get busyMs(): number {
    return this.#work ? performance.now() - this.#sinceMs : 0
  }

  do(work: Work): void {
    clearTimeout(this.#idleTimer)
    this.#worker.postMessage(work.request)
    this.#work = work
    this.#sinceMs = performance.now()
  }

  end(): void {
    this.#isEnding = true
    this.#worker.terminate()
  }

  #end(response: DeviceResponse): void {
    const [work, busyMs] = [this.#work, this.busyMs]
    this.#work = undefined
    work?.response.resolve(response)
    this.#idleTimer = setTimeout(() => this.end(), IDLE_MS)
    this.#idleTimer.unref()
    if (work?.isRefused) this.#owner.onUnused(response)
    this.#owner.onIdle(busyMs)
  }
}

/** @returns the descriptor that a task has opened */
function openedBy(response: DeviceResponse): number | undefined {
  const result = 'result' in response ? response.result : undefined
  if (typeof result !== 'object' || result === null || !('fd' in result)) return undefined
  return typeof result.fd === 'number' ? result.fd : undefined
}
