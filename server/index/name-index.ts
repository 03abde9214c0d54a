/**
 * The index of all names below the served root, in a thread of its own. There is no thread until somebody asks, and
 * none a while after: what it knew is kept on the disk.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexedSearch, NameIndex, NamesFound } from '#server/storage/names.ts'
import type { OwnPaths } from '#server/storage/server-files.ts'
import { relativePath, type TreePath } from '#wire/paths.ts'
import { BITS } from './name-columns.ts'
import type { Answer, Batch, Begun, IndexStatus, Question, Sizes } from './protocol.ts'

/** The executable knows a worker by its place in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/index/names-worker.ts'
  : new URL('./names-worker.ts', import.meta.url)

/** Files that others change where they are have their size in an answer that begins this long after. */
const READ_AGAIN_MS = 60 * 60_000
/** After the last question the thread ends, and its memory is given back. */
const IDLE_MS = 5 * 60_000
/** Own changes that wait for the next question; with more, the thread is told at once. */
const CHANGES_MAX = 1000
/** Otherwise they wait so long, that the changes of an upload are read together. */
const QUIET_MS = 2000
/** How long a listing waits for the sizes of folders. */
const SIZES_WITHIN_MS = 100

export interface IndexOptions {
  /** The served folder on the disk, and a descriptor of it in this process. */
  path: string
  root: number
  own: OwnPaths
  /** Where the index is kept; it is made when it is missing. */
  folder: string
  /** Another program may see other names in the same tree. */
  version: string
  memoryBytes: number
  freshMs?: number
  readAgainMs?: number
}

interface Waiting {
  begun: PromiseWithResolvers<Begun | undefined>
  batches: Batch[]
  /** Called when a batch comes, or none will. */
  wake: () => void
}

export class WorkerIndex implements NameIndex {
  readonly #options: IndexOptions
  readonly #file: string
  #worker: Worker | undefined
  #log: (line: string) => void = () => undefined
  #idle: Timer | undefined
  #quiet: Timer | undefined
  #closed = false
  #number = 0
  #status: IndexStatus = { state: 'waiting', names: 0, folders: 0, memoryBytes: 0, checkedMs: 0 }
  readonly #searches = new Map<number, Waiting>()
  readonly #sizes = new Map<number, (found: Sizes | undefined) => void>()
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

  /** Where the index is kept; empty for nowhere. */
  get file(): string {
    return this.#file
  }

  /** Makes the index when there is none yet. One that is there waits for the first question. */
  start(log: (line: string) => void): void {
    this.#log = log
    if (this.#file === '' || !existsSync(this.#file)) this.#thread()
  }

  /** Resolves when the index answers, or has given up. */
  async settled(): Promise<void> {
    this.#thread()
    while (['waiting', 'building'].includes(this.#status.state)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#watchers.add(resolve)
      await promise
    }
  }

  changed(paths: readonly TreePath[]): void {
    // A thread that begins later looks at every folder before it answers.
    if (!this.#worker) return
    for (const path of paths) this.#changed.add(path)
    clearTimeout(this.#quiet)
    const waitMs = this.#changed.size > CHANGES_MAX ? 0 : QUIET_MS
    this.#quiet = setTimeout(() => this.#tell(), waitMs)
    this.#quiet.unref()
  }

  async find(folder: TreePath, query: string): Promise<IndexedSearch | undefined> {
    if (this.#isOff) return undefined
    const search = this.#next()
    const begun = Promise.withResolvers<Begun | undefined>()
    const waiting: Waiting = { begun, batches: [], wake: () => undefined }
    this.#searches.set(search, waiting)
    this.#ask({ search, folder, query })
    const answer = await begun.promise
    if (!answer) {
      this.#searches.delete(search)
      return undefined
    }
    const uncovered = answer.uncovered.map((path) => relativePath(path, folder))
    const batches = this.#batches(search, waiting)
    return { ...answer, uncovered, batches, cancel: () => this.#leave(search) }
  }

  async sizes(folder: TreePath): Promise<Map<string, number> | undefined> {
    if (this.#isOff) return undefined
    const sizes = this.#next()
    const { promise, resolve } = Promise.withResolvers<Sizes | undefined>()
    const timer = setTimeout(() => resolve(undefined), SIZES_WITHIN_MS)
    this.#sizes.set(sizes, resolve)
    this.#ask({ sizes, folder })
    const found = await promise
    clearTimeout(timer)
    this.#sizes.delete(sizes)
    if (!found) return undefined
    const names = textsOf(found.names)
    return new Map(names.map((name, at) => [name, found.bytes[at] ?? 0]))
  }

  /** Keeps what the thread knows, and ends it. The next question begins another one. */
  async rest(): Promise<void> {
    if (!this.#worker) return
    this.#tell()
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
    this.#number += 1
    return this.#number
  }

  async *#batches(search: number, waiting: Waiting): AsyncGenerator<NamesFound> {
    try {
      for (;;) {
        const batch = waiting.batches.shift()
        if (batch) {
          // The next one is made while this one is read.
          if (!batch.isLast) this.#worker?.postMessage({ more: search } satisfies Question)
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
    this.#worker?.postMessage({ stop: search } satisfies Question)
  }

  #ask(question: Question): void {
    const thread = this.#thread()
    this.#tell()
    thread.postMessage(question)
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#restUnlessBusy(), IDLE_MS)
    this.#idle.unref()
  }

  async #restUnlessBusy(): Promise<void> {
    if (this.#searches.size === 0 && this.#status.state !== 'building') await this.rest()
  }

  /** Tells the thread what has changed since it was asked last. */
  #tell(): void {
    clearTimeout(this.#quiet)
    if (this.#changed.size === 0) return
    this.#worker?.postMessage({ changed: [...this.#changed] } satisfies Question)
    this.#changed = new Set()
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker
    const { root, own, version, path, memoryBytes } = this.#options
    const { freshMs, readAgainMs = READ_AGAIN_MS } = this.#options
    const worker = new Worker(WORKER)
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data)
    worker.onerror = ({ message }) => {
      this.#log(`the thread of the index has failed: ${message}`)
      this.#end()
      this.#setStatus({ ...this.#status, state: 'failed' })
    }
    this.#worker = worker
    this.#setStatus({ ...this.#status, state: 'building' })
    const of = `${version} ${path}`
    const open = { root, own, file: this.#file, of, memoryBytes, freshMs, readAgainMs }
    worker.postMessage({ open } satisfies Question)
    return worker
  }

  #hear(answer: Answer): void {
    if ('begun' in answer) this.#searches.get(answer.search)?.begun.resolve(answer.begun)
    else if ('batch' in answer) {
      const waiting = this.#searches.get(answer.search)
      waiting?.batches.push(answer.batch)
      waiting?.wake()
    } else if ('found' in answer) this.#sizes.get(answer.sizes)?.(answer.found)
    else if ('saved' in answer) {
      this.#saves.get(answer.saved)?.()
      this.#saves.delete(answer.saved)
    } else if ('status' in answer) this.#setStatus(answer.status)
    else this.#log(answer.log)
  }

  #setStatus(status: IndexStatus): void {
    this.#status = status
    for (const resolve of this.#watchers) resolve()
    this.#watchers.clear()
  }

  /** Whoever waits for an answer gets none. */
  #end(): void {
    clearTimeout(this.#idle)
    clearTimeout(this.#quiet)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#changed = new Set()
    for (const [search, waiting] of [...this.#searches]) {
      this.#searches.delete(search)
      waiting.begun.resolve(undefined)
      waiting.wake()
    }
    for (const resolve of this.#sizes.values()) resolve(undefined)
    for (const resolve of this.#saves.values()) resolve()
    if (!this.#isOff) this.#setStatus({ ...this.#status, state: 'waiting', memoryBytes: 0 })
  }
}

/** A name of its own for each served folder and each set of files that nobody may see in it. */
function fileIn({ folder, path, own }: IndexOptions): string {
  if (folder === '') return ''
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return ''
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([path, own]))
    .digest('hex')
    .slice(0, 24)
  return join(folder, `names-${hash}`)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function textsOf(bytes: Uint8Array): string[] {
  return decoder.decode(bytes).split('\0').slice(0, -1)
}

function namesOf({ paths, bits }: Batch): NamesFound {
  return {
    paths: textsOf(paths),
    isFolder: (at) => ((bits[at] ?? 0) & BITS.folder) !== 0,
    isLink: (at) => ((bits[at] ?? 0) & BITS.link) !== 0,
  }
}
