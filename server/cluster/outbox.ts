/**
 * What servers with one database tell each other: which paths of the served folder have changed, and that jobs have. The
 * system does not report changes that were made on another machine. An event only means "look again": a server that
 * may have missed some looks at everything.
 */
import type { ChangeChannel, StoredEvent } from '#server/db/change-channel.ts'
import type { NameIndex } from '#server/storage/names.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'

/** Changes within this time are sent together, and notices within it are read together. */
const PAUSE_MS = 100
/** Jobs report progress often, so others are told of it less often. */
const JOBS_PAUSE_MS = 1000
/** Without a notice, events are read after this time: a notice may be lost. */
const LOOK_EVERY_MS = 2000
const FORGET_EVERY_MS = 30_000
/** Limits of one event, in number and characters of its paths. */
const EVENT_PATHS_MAX = 1000
const EVENT_CHARS_MAX = 256 * 1024
/** If more paths wait, the event is that anything may have changed. */
const WAITING_MAX = 10_000
/** Ids of events that were read are kept longer than the events would be read again. */
const KNOWN_MS = 15_000

/** What receives the events of other servers. */
export interface OutboxListener {
  /** Names or contents have changed at these paths, and if one is a folder, perhaps anything below it. */
  changed(paths: readonly TreePath[]): void
  /** Jobs may have changed. */
  jobsChanged(): void
  /** Receives a line when the database does not answer, and when it does again. */
  log(line: string): void
}

export class Outbox {
  readonly #channel: ChangeChannel
  readonly #root: string
  #listener: OutboxListener | undefined
  #listening: AsyncDisposable | undefined
  /** Paths that others are not told of yet. */
  #waiting = new Set<TreePath>()
  #haveJobsChanged = false
  #sendTimer: Timer | undefined
  #jobsTimer: Timer | undefined
  #lookTimer: Timer | undefined
  readonly #timers: Timer[] = []
  /** The time of the last reading, by the clock of the database. */
  #readAt: string | undefined
  /** Ids of events that were read → when. */
  readonly #known = new Map<number, number>()
  #isReading = false
  #mustReadAgain = false
  /** Whether events may have been missed, because the database did not answer. */
  #hasFailed = false
  #isClosed = false

  /** @param root the path of the served folder on the disk */
  constructor(channel: ChangeChannel, root: string) {
    this.#channel = channel
    this.#root = root
  }

  /** @returns the index, which others are told of the same changes; without an index, only they are told */
  reporting(index: NameIndex | undefined): NameIndex {
    return {
      changed: (paths) => {
        index?.changed(paths)
        this.changed(paths)
      },
      find: async (folder, query) => index?.find(folder, query),
      sizes: async (folder) => index?.sizes(folder),
    }
  }

  /** Receives the events of other servers from now on. */
  async start(listener: OutboxListener): Promise<void> {
    this.#listener = listener
    await this.#read()
    await this.#listen()
    this.#every(LOOK_EVERY_MS, () => this.#lookWithoutNotice())
    this.#every(FORGET_EVERY_MS, () => this.#forget())
  }

  /** Tells others of changed paths, soon. */
  changed(paths: readonly TreePath[]): void {
    if (this.#isClosed) return
    for (const path of paths) this.#waiting.add(path)
    if (this.#waiting.size > WAITING_MAX) this.#waiting = new Set([ROOT])
    this.#sendSoon(PAUSE_MS)
  }

  /** Tells others that jobs have changed: at once, and then less often. */
  jobsChanged(): void {
    this.#haveJobsChanged = true
    if (this.#jobsTimer || this.#isClosed) return
    this.#sendSoon(PAUSE_MS)
    this.#jobsTimer = setTimeout(() => {
      this.#jobsTimer = undefined
      if (this.#haveJobsChanged) this.jobsChanged()
    }, JOBS_PAUSE_MS)
    this.#jobsTimer.unref()
  }

  /** Sends what waits, and ends. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const timer of [this.#sendTimer, this.#jobsTimer, this.#lookTimer]) clearTimeout(timer)
    try {
      await this.#listening?.[Symbol.asyncDispose]()
    } catch {
      // The database does not answer. The connection ends with the others.
    }
    await this.#send()
  }

  #every(ms: number, work: () => Promise<void>): void {
    const timer = setInterval(() => void work(), ms)
    timer.unref()
    this.#timers.push(timer)
  }

  /** The first change waits too: what one request changes comes in several calls. */
  #sendSoon(ms: number): void {
    this.#sendTimer ??= setTimeout(async () => {
      const isSent = await this.#send()
      this.#sendTimer = undefined
      if (this.#waiting.size > 0 || this.#haveJobsChanged) {
        this.#sendSoon(isSent ? PAUSE_MS : LOOK_EVERY_MS)
      }
    }, ms)
    this.#sendTimer.unref()
  }

  /** @returns false if the database does not answer; then the paths wait again */
  async #send(): Promise<boolean> {
    const paths = this.#waiting
    if (paths.size === 0 && !this.#haveJobsChanged) return true
    this.#waiting = new Set()
    this.#haveJobsChanged = false
    try {
      await this.#channel.send(this.#root, eventsOf(paths))
      return true
    } catch (error) {
      this.#failed(error)
      this.changed([...paths])
      return false
    }
  }

  async #listen(): Promise<void> {
    try {
      this.#listening = await this.#channel.listen(
        () => this.#lookSoon(),
        () => {
          // After a crash, the database counts from the beginning.
          this.#known.clear()
          this.#lookAtEverything()
        },
      )
    } catch (error) {
      this.#failed(error)
    }
  }

  async #lookWithoutNotice(): Promise<void> {
    if (!this.#listening) await this.#listen()
    await this.#read()
  }

  #lookSoon(): void {
    if (this.#isClosed) return
    this.#lookTimer ??= setTimeout(() => {
      this.#lookTimer = undefined
      this.#listener?.jobsChanged()
      void this.#read()
    }, PAUSE_MS)
    this.#lookTimer.unref()
  }

  /** Reads the events of others, once at a time. */
  async #read(): Promise<void> {
    this.#mustReadAgain = this.#isReading
    if (this.#isReading || this.#isClosed) return
    this.#isReading = true
    try {
      await this.#readAll()
      if (this.#hasFailed) this.#recovered()
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isReading = false
    }
    if (this.#mustReadAgain) this.#lookSoon()
  }

  async #readAll(): Promise<void> {
    for (;;) {
      const known = [...this.#known.keys()]
      const { events, at, hasMore } = await this.#channel.read(this.#root, this.#readAt, known)
      this.#remember(events)
      this.#deliver(events)
      if (hasMore) continue
      this.#readAt = at
      return
    }
  }

  #remember(events: readonly StoredEvent[]): void {
    const nowMs = performance.now()
    for (const [id, readMs] of this.#known) if (nowMs - readMs > KNOWN_MS) this.#known.delete(id)
    for (const { id } of events) this.#known.set(id, nowMs)
  }

  #deliver(events: readonly StoredEvent[]): void {
    // Each server writes paths of the served folder.
    const paths = events.flatMap((event) => event.paths) as TreePath[]
    if (paths.length > 0) this.#listener?.changed(paths)
  }

  #failed(error: unknown): void {
    if (!this.#hasFailed && !this.#isClosed) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#listener?.log(`changes of other servers are not seen: ${reason}`)
    }
    this.#hasFailed = true
  }

  #recovered(): void {
    this.#hasFailed = false
    this.#listener?.log('changes of other servers are seen again')
    this.#lookAtEverything()
  }

  #lookAtEverything(): void {
    if (this.#isClosed) return
    this.#listener?.changed([ROOT])
    this.#listener?.jobsChanged()
  }

  async #forget(): Promise<void> {
    try {
      await this.#channel.forget()
    } catch (error) {
      this.#failed(error)
    }
  }
}

/** Divides paths into events that are not too long. */
function eventsOf(paths: Iterable<TreePath>): TreePath[][] {
  const events: TreePath[][] = []
  let [event, chars] = [[] as TreePath[], 0]
  for (const path of paths) {
    if (event.length >= EVENT_PATHS_MAX || chars > EVENT_CHARS_MAX) {
      events.push(event)
      ;[event, chars] = [[], 0]
    }
    event.push(path)
    chars += path.length
  }
  if (event.length > 0) events.push(event)
  return events
}
