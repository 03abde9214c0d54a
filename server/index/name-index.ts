/**
 * The index of all names below the served root, in a worker thread. The thread starts when the index is first built or
 * used, and ends after a while without requests. The index is saved on the disk as a table of names.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnPaths } from '#server/storage/local/confine/server-files.ts'
import type { HandleAddress } from '#server/storage/local/handles/handle.ts'
import type { IndexedSearch, NameIndex, NameMatches } from '#server/storage/names.ts'
import { relativePath, type TreePath } from '#wire/paths.ts'
import type {
  FolderSizes,
  IndexRequest,
  IndexResponse,
  IndexStatus,
  NameBatch,
  SearchStart,
} from './protocol.ts'
import { nameMatchesOf, splitAtNul } from './sent-names.ts'

const WORKER = Bun.isStandaloneExecutable
  ? './server/index/names-worker.ts'
  : new URL('./names-worker.ts', import.meta.url)

/** The file sizes of a folder are read again after this time, because other programs may change files in place. */
const READ_AGAIN_MS = 60 * 60_000
/** The thread ends this long after it was built or used last, which frees its memory. */
const IDLE_MS = 5 * 60_000
/** If more changed paths are waiting, they are sent to the thread immediately. */
const CHANGES_MAX = 1000
/**
 * Changed paths are sent after this time without another change, or before the next request, so that a file that
 * changes many times is read once.
 */
const CHANGES_DELAY_MS = 2000
/**
 * How long a search waits for a sign of life of the thread, which may wait for a disk that does not answer. Then a walk
 * finds the names.
 */
const SILENCE_MS = 3000
/** How long a listing waits for the sizes of folders. */
const SIZES_TIMEOUT_MS = 100

export interface IndexOptions {
  /** The path of the served folder. */
  path: string
  /** The open served folder. */
  root: HandleAddress
  ownPaths: OwnPaths
  /** The folder of the index files; created if missing. */
  folder: string
  /** The version of the executable. A saved index of another version is not used. */
  version: string
  /** The limit of the memory for names. */
  memoryBytes: number
  /** Changes by other programs appear after this time; by default it depends on the size of the tree. */
  freshMs?: number
  readAgainMs?: number
  /** The thread ends after this time without work. */
  idleMs?: number
}

interface PendingSearch {
  start: PromiseWithResolvers<SearchStart | undefined>
  batches: NameBatch[]
  /** Whether the thread did not answer before the last batch. */
  isCut: boolean
  /** Called when a batch arrives, or the search has ended. */
  wake: () => void
}

export class WorkerIndex implements NameIndex {
  readonly #options: IndexOptions
  readonly #file: string
  #worker: Worker | undefined
  #log: (line: string) => void = () => undefined
  #idleTimer: Timer | undefined
  #changesTimer: Timer | undefined
  #isClosed = false
  #lastRequestId = 0
  #status: IndexStatus = { state: 'waiting', names: 0, folders: 0, memoryBytes: 0, checkedMs: 0 }
  /** Request id → the search; the next two maps likewise. */
  readonly #searches = new Map<number, PendingSearch>()
  readonly #pendingSizes = new Map<number, (sizes: FolderSizes | undefined) => void>()
  readonly #pendingSaves = new Map<number, () => void>()
  #changedPaths = new Set<TreePath>()
  /** Whether the thread has not answered in time, and has sent nothing since. */
  #isSilent = false
  /** Resolves with the next message of the thread, if a search waits for one. */
  #heard: PromiseWithResolvers<void> | undefined
  readonly #statusListeners = new Set<() => void>()

  constructor(options: IndexOptions) {
    this.#options = options
    this.#file = indexFileIn(options)
  }

  get status(): IndexStatus {
    return this.#status
  }

  /** The file of the saved table; empty if the index is not saved. */
  get file(): string {
    return this.#file
  }

  /** Builds the index if there is none yet. An existing one is loaded at the first search. */
  start(log: (line: string) => void): void {
    this.#log = log
    if (this.#file === '' || !existsSync(this.#file)) this.#ensureThread()
  }

  /** Resolves when the index is ready, or is disabled. */
  async ready(): Promise<void> {
    this.#ensureThread()
    while (['waiting', 'building'].includes(this.#status.state)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#statusListeners.add(resolve)
      await promise
    }
  }

  changed(paths: readonly TreePath[]): void {
    // A thread that starts later compares every folder with the disk.
    if (!this.#worker) return
    for (const path of paths) this.#changedPaths.add(path)
    clearTimeout(this.#changesTimer)
    const waitMs = this.#changedPaths.size > CHANGES_MAX ? 0 : CHANGES_DELAY_MS
    this.#changesTimer = setTimeout(() => this.#postChanges(), waitMs)
    this.#changesTimer.unref()
  }

  async find(folder: TreePath, query: string): Promise<IndexedSearch | undefined> {
    if (this.#isOff || this.#isSilent) return undefined
    const search = this.#nextRequestId()
    const start = Promise.withResolvers<SearchStart | undefined>()
    const pending: PendingSearch = { start, batches: [], isCut: false, wake: () => undefined }
    this.#searches.set(search, pending)
    this.#send({ search, folder, query })
    const timer = setTimeout(() => {
      this.#isSilent = true
      start.resolve(undefined)
    }, SILENCE_MS)
    const started = await start.promise
    clearTimeout(timer)
    if (!started) {
      this.#endSearch(search)
      return undefined
    }
    const uncovered = started.uncovered.map((path) => relativePath(path, folder))
    const batches = this.#batches(search, pending)
    const isCut = () => pending.isCut
    return { ...started, uncovered, batches, isCut, cancel: () => this.#endSearch(search) }
  }

  async sizes(folder: TreePath): Promise<Map<string, number> | undefined> {
    if (this.#isOff || this.#isSilent) return undefined
    const request = this.#nextRequestId()
    const { promise, resolve } = Promise.withResolvers<FolderSizes | undefined>()
    const timer = setTimeout(() => resolve(undefined), SIZES_TIMEOUT_MS)
    this.#pendingSizes.set(request, resolve)
    this.#send({ sizes: request, folder })
    const sizes = await promise
    clearTimeout(timer)
    this.#pendingSizes.delete(request)
    if (!sizes) return undefined
    const names = splitAtNul(sizes.names)
    return new Map(names.map((name, index) => [name, sizes.bytes[index] ?? 0]))
  }

  /** Saves the table and ends the thread. The next search starts another one. */
  async saveAndEnd(): Promise<void> {
    if (!this.#worker) return
    this.#postChanges()
    const save = this.#nextRequestId()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#pendingSaves.set(save, resolve)
    this.#send({ save })
    await promise
    this.#end()
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  get #isOff(): boolean {
    return this.#isClosed || this.#status.state === 'tooLarge' || this.#status.state === 'failed'
  }

  #nextRequestId(): number {
    this.#lastRequestId += 1
    return this.#lastRequestId
  }

  async *#batches(search: number, pending: PendingSearch): AsyncGenerator<NameMatches> {
    try {
      for (;;) {
        const batch = pending.batches.shift()
        if (batch) {
          // The next batch is made while this one is used.
          if (!batch.isLast) this.#worker?.postMessage({ more: search } satisfies IndexRequest)
          yield nameMatchesOf(batch)
          if (batch.isLast) return
        } else if (!this.#searches.has(search)) {
          throw new Error('The thread of the index has ended.')
        } else if (!(await this.#hasNews(pending))) {
          pending.isCut = true
          return
        }
      }
    } finally {
      this.#endSearch(search)
    }
  }

  /** Waits for a batch or the end of a search. @returns false if the thread does not answer */
  async #hasNews(pending: PendingSearch): Promise<boolean> {
    const news = new Promise<true>((wake) => {
      pending.wake = () => wake(true)
    })
    while (!(await within(SILENCE_MS, news))) {
      this.#heard ??= Promise.withResolvers()
      this.#worker?.postMessage({ ping: true } satisfies IndexRequest)
      const heard = this.#heard.promise.then(() => true as const)
      if (await within(SILENCE_MS, Promise.race([news, heard]))) continue
      this.#isSilent = true
      return false
    }
    return true
  }

  #endSearch(search: number): void {
    this.#searches.delete(search)
    this.#worker?.postMessage({ stop: search } satisfies IndexRequest)
  }

  #send(request: IndexRequest): void {
    const thread = this.#ensureThread()
    this.#postChanges()
    thread.postMessage(request)
    this.#endWhenIdle()
  }

  /** Ends the thread after a while, unless it is used again. An index that is not saved stays in memory. */
  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer)
    if (this.#file === '') return
    this.#idleTimer = setTimeout(() => {
      const isBusy = this.#searches.size > 0 || this.#status.state === 'building'
      if (isBusy) this.#endWhenIdle()
      else void this.saveAndEnd()
    }, this.#options.idleMs ?? IDLE_MS)
    this.#idleTimer.unref()
  }

  #postChanges(): void {
    clearTimeout(this.#changesTimer)
    if (this.#changedPaths.size === 0) return
    this.#worker?.postMessage({ changed: [...this.#changedPaths] } satisfies IndexRequest)
    this.#changedPaths = new Set()
  }

  #ensureThread(): Worker {
    if (this.#worker) return this.#worker
    const { root, ownPaths, version, path, memoryBytes } = this.#options
    const { freshMs, readAgainMs = READ_AGAIN_MS } = this.#options
    const worker = new Worker(WORKER)
    worker.onmessage = ({ data }: MessageEvent<IndexResponse>) => this.#onMessage(data)
    worker.onerror = ({ message }) => {
      this.#log(`the thread of the index has failed: ${message}`)
      this.#end()
      this.#setStatus({ ...this.#status, state: 'failed' })
    }
    this.#worker = worker
    this.#setStatus({ ...this.#status, state: 'building' })
    const madeFrom = `${version} ${path}`
    const open = { root, ownPaths, file: this.#file, madeFrom, memoryBytes, freshMs, readAgainMs }
    worker.postMessage({ open } satisfies IndexRequest)
    this.#endWhenIdle()
    return worker
  }

  #onMessage(response: IndexResponse): void {
    this.#isSilent = false
    this.#heard?.resolve()
    this.#heard = undefined
    if ('pong' in response) return
    if ('start' in response) this.#searches.get(response.search)?.start.resolve(response.start)
    else if ('batch' in response) {
      const pending = this.#searches.get(response.search)
      pending?.batches.push(response.batch)
      pending?.wake()
    } else if ('result' in response) this.#pendingSizes.get(response.sizes)?.(response.result)
    else if ('saved' in response) {
      this.#pendingSaves.get(response.saved)?.()
      this.#pendingSaves.delete(response.saved)
    } else if ('status' in response) this.#setStatus(response.status)
    else this.#log(response.log)
  }

  #setStatus(status: IndexStatus): void {
    this.#status = status
    for (const resolve of this.#statusListeners) resolve()
    this.#statusListeners.clear()
  }

  #end(): void {
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#changesTimer)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#isSilent = false
    this.#changedPaths = new Set()
    for (const [search, pending] of [...this.#searches]) {
      this.#searches.delete(search)
      pending.start.resolve(undefined)
      pending.wake()
    }
    for (const resolve of this.#pendingSizes.values()) resolve(undefined)
    for (const resolve of this.#pendingSaves.values()) resolve()
    if (!this.#isOff) this.#setStatus({ ...this.#status, state: 'waiting', memoryBytes: 0 })
  }
}

/** @returns undefined if it takes longer */
async function within<T>(ms: number, result: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  try {
    return await Promise.race([result, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** @returns the file of the saved table; empty if its folder cannot be created, so that the index is not saved */
function indexFileIn({ folder, path, ownPaths }: IndexOptions): string {
  if (folder === '') return ''
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return ''
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([path, ownPaths]))
    .digest('hex')
    .slice(0, 24)
  return join(folder, `names-${hash}`)
}
