/**
 * The thread that changes one file system, seen from the thread that serves requests. It is started on demand and ends after
 * a while without work. While it does not answer, calls are refused, those that are running too. What it does with them when
 * the file system answers again is not reported any more: the journal finds out by the state of the files.
 */
import { changeMayFollow, doesNotRespond } from '#server/lib/common-faults.ts'
import { Fault } from '#wire/fault.ts'
import { SLOW_FOR_MS, SLOW_MS } from '../devices/device-threads.ts'
import { CallerFunctions, type Registered } from './caller-functions.ts'
import {
  type CallView,
  type ChangeStart,
  REPLY_BYTES,
  type ThreadRequest,
  type ThreadResponse,
} from './change-calls.ts'
import type { ChangeTask, ChangeTaskArguments, ChangeTaskResult } from './change-tasks.ts'

/** How often the thread is asked whether it goes on. */
const PING_EVERY_MS = 1000
const IDLE_MS = 10_000

const WORKER = Bun.isStandaloneExecutable
  ? './server/storage/local/responsive/change-worker.ts'
  : new URL('./change-worker.ts', import.meta.url)

/** The calls that change files of users. */
const CHANGES: readonly ChangeTask[] = ['write', 'mkdir', 'remove', 'move', 'copy', 'restore']

/** What a thread is started with, and what it reports. */
export interface ChangeThreadOptions {
  start: Omit<ChangeStart, 'reply' | 'options'>
  /** Functions of the storage that the thread calls. */
  functions: Record<string, (...args: never[]) => unknown>
  deadlineMs: number
  /** Receives the paths of changed names. */
  changed(paths: readonly string[]): void
  /** Called when the file system answers again, and all calls that were refused have ended. */
  awake(): void
}

interface Call {
  result: PromiseWithResolvers<unknown>
  functions: Registered
  /** Whether it changes files. */
  isChange: boolean
  /** The caller was told that the disk does not respond. */
  isRefused: boolean
}

export class ChangeThread {
  readonly #options: ChangeThreadOptions
  readonly #functions = new CallerFunctions((request) => this.#post(request))
  readonly #calls = new Map<number, Call>()
  readonly #watches = new Map<number, Registered>()
  #worker: Worker | undefined
  #cleared: Promise<void> = Promise.resolve()
  #lastCall = 0
  /** When the thread was asked something that it has not answered; undefined if it has. */
  #askedAtMs: number | undefined
  #pingTimer: Timer | undefined
  #idleTimer: Timer | undefined
  #slowUntilMs = 0
  #isSilent = false
  #isClosed = false

  constructor(options: ChangeThreadOptions) {
    this.#options = options
  }

  /** `major:minor` of the file system. */
  get device(): string {
    return this.#options.start.device
  }

  /** Whether the file system does not answer. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  get isSlow(): boolean {
    const waitsMs = this.#askedAtMs === undefined ? 0 : performance.now() - this.#askedAtMs
    return waitsMs >= SLOW_MS + PING_EVERY_MS || Date.now() < this.#slowUntilMs
  }

  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /** Whether a call is running whose caller was told that the disk does not respond. */
  get #hasRefused(): boolean {
    return this.#calls.values().some(({ isRefused }) => isRefused)
  }

  /**
   * Makes a call of the storage in the thread.
   *
   * @param view the view of the tree
   * @throws as the call; Fault unavailable if the file system does not answer
   */
  async run<Name extends ChangeTask>(
    view: Omit<CallView, 'checkPath'> & { checkPath: ((...check: never[]) => void) | undefined },
    name: Name,
    ...args: ChangeTaskArguments<Name>
  ): Promise<ChangeTaskResult<Name>> {
    return (await this.#send(view, name, args).result) as ChangeTaskResult<Name>
  }

  /** As `run` for `watch`. */
  async watch(
    view: Parameters<ChangeThread['run']>[0],
    ...args: ChangeTaskArguments<'watch'>
  ): Promise<Disposable> {
    const { call, functions, result } = this.#send(view, 'watch', args, true)
    try {
      await result
    } catch (error) {
      functions.end()
      throw error
    }
    this.#watches.set(call, functions)
    return {
      [Symbol.dispose]: () => {
        if (!this.#watches.delete(call)) return
        functions.end()
        this.#post({ unwatch: call })
        this.#rest()
      },
    }
  }

  /** Restores and removes what ended processes have left on the file system. It fails only for `settled`. */
  async clear(view: Parameters<ChangeThread['run']>[0]): Promise<void> {
    this.#cleared = this.#cleared
      .catch(() => undefined)
      .then(() => this.run(view, 'clearLeftovers'))
    await this.#cleared.catch(() => undefined)
  }

  /**
   * Waits until the state of the files tells what has become of earlier changes.
   *
   * @throws Fault unavailable if the file system does not answer, or a change that was refused is still running
   */
  async settled(): Promise<void> {
    await this.#cleared.catch(() => {
      throw doesNotRespond()
    })
    if (this.#hasRefused) throw doesNotRespond()
  }

  /** Ends the thread; if it waits for its file system, only the end of the process ends it. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    if (this.#calls.size === 0) this.#post({ isEnd: true })
    else this.#end()
  }

  #send(
    { folders, followsLinks, checkPath }: Parameters<ChangeThread['run']>[0],
    name: ChangeTask,
    args: readonly unknown[],
    keepsFunctions = false,
  ): { call: number; functions: Registered; result: Promise<unknown> } {
    if (this.#isSilent || this.#isClosed) throw doesNotRespond()
    clearTimeout(this.#idleTimer)
    this.#start()
    this.#lastCall += 1
    const call = this.#lastCall
    const functions = this.#functions.begin()
    const view: CallView = {
      folders,
      followsLinks,
      checkPath: checkPath && functions.add(checkPath, 'now'),
    }
    const result = Promise.withResolvers<unknown>()
    const isChange = CHANGES.includes(name)
    this.#calls.set(call, { result, functions, isChange, isRefused: false })
    this.#post({ call, name, view, args: args.map((arg) => functions.without(arg)) })
    this.#ask()
    const ended = result.promise.finally(() => {
      if (!keepsFunctions) functions.end()
    })
    return { call, functions, result: ended }
  }

  #start(): void {
    if (this.#worker) return
    const worker = new Worker(WORKER)
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<ThreadResponse>) => this.#receive(data)
    worker.onerror = ({ message }) => this.#fail(new Error(message))
    worker.addEventListener('close', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#fail(new Error('The thread of a disk has ended.'))
    })
    const reply = new SharedArrayBuffer(REPLY_BYTES)
    const options = this.#functions.start(reply, this.#options.functions)
    this.#post({ ...this.#options.start, reply, options })
  }

  #post(request: ThreadRequest): void {
    this.#worker?.postMessage(request)
  }

  #receive(response: ThreadResponse): void {
    if ('callback' in response) this.#functions.call(response)
    else if ('changed' in response) this.#options.changed(response.changed)
    else if ('isEnded' in response) this.#end()
    else if ('pong' in response) this.#answered()
    else this.#complete(response)
  }

  #complete(response: Extract<ThreadResponse, { steps: unknown }>): void {
    const call = this.#calls.get(response.call)
    this.#calls.delete(response.call)
    if (call?.isRefused && !this.#hasRefused) this.#options.awake()
    call?.functions.putSteps(response.steps)
    if (response.failure) call?.result.reject(call.functions.errorOf(response.failure))
    else call?.result.resolve(response.value)
    this.#rest()
  }

  /** Asks whether the thread goes on, as long as calls are running. */
  #ask(): void {
    this.#pingTimer ??= setInterval(() => this.#check(), PING_EVERY_MS)
    if (this.#askedAtMs !== undefined) return
    this.#askedAtMs = performance.now()
    this.#post({ ping: 0 })
  }

  #check(): void {
    if (this.#calls.size === 0 && this.#askedAtMs === undefined) {
      clearInterval(this.#pingTimer)
      this.#pingTimer = undefined
      return
    }
    this.#ask()
    const waitsMs = performance.now() - (this.#askedAtMs ?? performance.now())
    if (waitsMs >= this.#options.deadlineMs) this.#refuse()
  }

  #answered(): void {
    const waitedMs = performance.now() - (this.#askedAtMs ?? performance.now())
    if (waitedMs >= SLOW_MS) this.#slowUntilMs = Date.now() + SLOW_FOR_MS
    this.#askedAtMs = undefined
    this.#isSilent = false
  }

  #refuse(): void {
    this.#isSilent = true
    for (const call of this.#calls.values()) {
      if (call.isRefused) continue
      call.isRefused = true
      // What the thread asks later for this call is refused, so that it takes back what it can.
      call.functions.refuse(doesNotRespond())
      call.result.reject(call.isChange ? changeMayFollow() : doesNotRespond())
    }
  }

  #rest(): void {
    if (this.#calls.size > 0 || this.#watches.size > 0) return
    if (this.#isClosed) {
      this.#end()
      return
    }
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#post({ isEnd: true }), IDLE_MS)
    this.#idleTimer.unref()
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = undefined
    worker?.terminate()
    this.#fail(new Fault('aborted', 'The server is stopping.'))
  }

  #fail(error: Error): void {
    for (const { result } of this.#calls.values()) result.reject(error)
    this.#calls.clear()
    this.#askedAtMs = undefined
    this.#isSilent = false
    clearInterval(this.#pingTimer)
    this.#pingTimer = undefined
  }
}
