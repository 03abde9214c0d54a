/**
 * The index of all names below the served root, in a worker thread. The thread starts with the first search and ends
 * after a while without one; the table is saved on the disk.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexedSearch, NameIndex, NamesFound } from '#server/storage/names.ts'
import type { OwnPaths } from '#server/storage/server-files.ts'
import { relativePath, type TreePath } from '#wire/paths.ts'
import { BITS } from './name-columns.ts'
import type {
  FolderSizes,
  IndexRequest,
  IndexResponse,
  IndexStatus,
  NameBatch,
  SearchStart,
} from './protocol.ts'

const WORKER = Bun.isStandaloneExecutable
  ? './server/index/names-worker.ts'
  : new URL('./names-worker.ts', import.meta.url)

/** Sizes of files that other programs changed in place are updated after this time. */
const READ_AGAIN_MS = 60 * 60_000
/** The thread ends this long after the last search, which frees its memory. */
const IDLE_MS = 5 * 60_000
/** With more changes of the server itself, all are sent to the thread at once. */
const CHANGES_MAX = 1000
/** With fewer, they are sent after this time, or with the next search, so that an upload is read once. */
const QUIET_MS = 2000
/** How long a listing waits for the sizes of folders. */
const SIZES_WITHIN_MS = 100

export interface IndexOptions {
  /** The path of the served folder, and a descriptor of it. */
  path: string
  root: number
  ownPaths: OwnPaths
  /** The folder of the index files; created if missing. */
  folder: string
  /** The version of the program, since another one may index other names. */
  version: string
  memoryBytes: number
  freshMs?: number
  readAgainMs?: number
}

interface Waiting {
  start: PromiseWithResolvers<SearchStart | undefined>
  batches: NameBatch[]
  /** Called when a batch arrives, or the search has ended. */
  wake: () => void
}

export class WorkerIndex implements NameIndex {
  readonly #options: IndexOptions
  readonly #file: string
  #worker: Worker | undefined
  #log: (line: string) => void = () => undefined
  #idleTimer: Timer | undefined
  #quietTimer: Timer | undefined
  #closed = false
  #lastRequestId = 0
  #status: IndexStatus = { state: 'waiting', names: 0, folders: 0, memoryBytes: 0, checkedMs: 0 }
  readonly #searches = new Map<number, Waiting>() // by request id, as in the next two maps
  readonly #sizes = new Map<number, (sizes: FolderSizes | undefined) => void>()
  readonly #saves = new Map<number, () => void>()
  #changed = new Set<TreePath>()
  readonly #watchers = new Set<() => void>()

  constructor(options: IndexOptions) {
    this.#options = options
    this.#file = fileIn(options)
  }

  get status(): IndexStatus {
    return this.#status
  }

  /** The file of the saved table; empty if there is none. */
  get file(): string {
    return this.#file
  }

  /** Builds the index if there is none yet. An existing one is loaded at the first search. */
  start(log: (line: string) => void): void {
    this.#log = log
    if (this.#file === '' || !existsSync(this.#file)) this.#thread()
  }

  /** Resolves when the index is ready, or is disabled. */
  async ready(): Promise<void> {
    this.#thread()
    while (['waiting', 'building'].includes(this.#status.state)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#watchers.add(resolve)
      await promise
    }
  }

  changed(paths: readonly TreePath[]): void {
    // A thread that starts later checks every folder first.
    if (!this.#worker) return
    for (const path of paths) this.#changed.add(path)
    clearTimeout(this.#quietTimer)
    const waitMs = this.#changed.size > CHANGES_MAX ? 0 : QUIET_MS
    this.#quietTimer = setTimeout(() => this.#postChanges(), waitMs)
    this.#quietTimer.unref()
  }

  async find(folder: TreePath, query: string): Promise<IndexedSearch | undefined> {
    if (this.#isOff) return undefined
    const search = this.#next()
    const start = Promise.withResolvers<SearchStart | undefined>()
    const waiting: Waiting = { start, batches: [], wake: () => undefined }
    this.#searches.set(search, waiting)
    this.#ask({ search, folder, query })
    const started = await start.promise
    if (!started) {
      this.#searches.delete(search)
      return undefined
    }
    const uncovered = started.uncovered.map((path) => relativePath(path, folder))
    const batches = this.#batches(search, waiting)
    return { ...started, uncovered, batches, cancel: () => this.#leave(search) }
  }

  async sizes(folder: TreePath): Promise<Map<string, number> | undefined> {
    if (this.#isOff) return undefined
    const request = this.#next()
    const { promise, resolve } = Promise.withResolvers<FolderSizes | undefined>()
    const timer = setTimeout(() => resolve(undefined), SIZES_WITHIN_MS)
    this.#sizes.set(request, resolve)
    this.#ask({ sizes: request, folder })
    const sizes = await promise
    clearTimeout(timer)
    this.#sizes.delete(request)
    if (!sizes) return undefined
    const names = textsOf(sizes.names)
    return new Map(names.map((name, index) => [name, sizes.bytes[index] ?? 0]))
  }

  /** Saves the table and ends the thread. The next search starts another one. */
  async saveAndEnd(): Promise<void> {
    if (!this.#worker) return
    this.#postChanges()
    const save = this.#next()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#saves.set(save, resolve)
    this.#ask({ save })
    await promise
    this.#end()
  }

  close(): void {
    this.#closed = true
    this.#end()
  }

  get #isOff(): boolean {
    return this.#closed || this.#status.state === 'tooLarge' || this.#status.state === 'failed'
  }

  #next(): number {
    this.#lastRequestId += 1
    return this.#lastRequestId
  }

  async *#batches(search: number, waiting: Waiting): AsyncGenerator<NamesFound> {
    try {
      for (;;) {
        const batch = waiting.batches.shift()
        if (batch) {
          // The next batch is made while this one is used.
          if (!batch.isLast) this.#worker?.postMessage({ more: search } satisfies IndexRequest)
          yield namesOf(batch)
          if (batch.isLast) return
        } else if (!this.#searches.has(search)) {
          throw new Error('The thread of the index has ended.')
        } else {
          await new Promise<void>((wake) => {
            waiting.wake = wake
          })
        }
      }
    } finally {
      this.#leave(search)
    }
  }

  #leave(search: number): void {
    this.#searches.delete(search)
    this.#worker?.postMessage({ stop: search } satisfies IndexRequest)
  }

  #ask(question: IndexRequest): void {
    const thread = this.#thread()
    this.#postChanges()
    thread.postMessage(question)
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.#restUnlessBusy(), IDLE_MS)
    this.#idleTimer.unref()
  }

  async #restUnlessBusy(): Promise<void> {
    if (this.#searches.size === 0 && this.#status.state !== 'building') await this.saveAndEnd()
  }

  #postChanges(): void {
    clearTimeout(this.#quietTimer)
    if (this.#changed.size === 0) return
    this.#worker?.postMessage({ changed: [...this.#changed] } satisfies IndexRequest)
    this.#changed = new Set()
  }

  #thread(): Worker {
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
    return worker
  }

  #onMessage(response: IndexResponse): void {
    if ('start' in response) this.#searches.get(response.search)?.start.resolve(response.start)
    else if ('batch' in response) {
      const waiting = this.#searches.get(response.search)
      waiting?.batches.push(response.batch)
      waiting?.wake()
    } else if ('result' in response) this.#sizes.get(response.sizes)?.(response.result)
    else if ('saved' in response) {
      this.#saves.get(response.saved)?.()
      this.#saves.delete(response.saved)
    } else if ('status' in response) this.#setStatus(response.status)
    else this.#log(response.log)
  }

  #setStatus(status: IndexStatus): void {
    this.#status = status
    for (const resolve of this.#watchers) resolve()
    this.#watchers.clear()
  }

  #end(): void {
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#quietTimer)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#changed = new Set()
    for (const [search, waiting] of [...this.#searches]) {
      this.#searches.delete(search)
      waiting.start.resolve(undefined)
      waiting.wake()
    }
    for (const resolve of this.#sizes.values()) resolve(undefined)
    for (const resolve of this.#saves.values()) resolve()
    if (!this.#isOff) this.#setStatus({ ...this.#status, state: 'waiting', memoryBytes: 0 })
  }
}

function fileIn({ folder, path, ownPaths }: IndexOptions): string {
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

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function textsOf(bytes: Uint8Array): string[] {
  return decoder.decode(bytes).split('\0').slice(0, -1)
}

function namesOf({ paths, bits }: NameBatch): NamesFound {
  return {
    paths: textsOf(paths),
    isFolder: (index) => ((bits[index] ?? 0) & BITS.folder) !== 0,
    isLink: (index) => ((bits[index] ?? 0) & BITS.link) !== 0,
  }
}
