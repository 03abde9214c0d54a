/**
 * Transactions that share their commit and their flush (docs/decisions.md 26). Work that comes while the log of the
 * database is flushed gathers, and is written in one transaction, which the next flush forces to the disk. SQLite itself
 * does not flush then (`synchronous = NORMAL`): its log (the `-wal` file) is flushed by whoever flushes files, off the
 * thread that answers requests. A flush of the log covers all commits before it, in their order.
 */
import type { Database } from 'bun:sqlite'
import { closeSync, fstatSync, openSync } from 'node:fs'

/** What a flush needs to know of the log; `FlushQueue.shared` takes it. */
export interface LogTarget {
  key: string
  dataOnly: boolean
  open(): number
  close(fd: number): void
}

/** Forces a file to the disk, together with others who ask for it. */
export type FlushLog = (target: LogTarget) => Promise<void>

/** Works of one transaction: others follow in the next. */
const GROUP_MAX = 256

interface Work {
  run(): void
  resolve(): void
  reject(error: unknown): void
}

export class Commits {
  readonly #db: Database
  readonly #flushLog: FlushLog
  readonly #isRelaxed: boolean
  #log: number | undefined
  /** Work that is to be on the disk when it is answered. */
  #durable: Work[] = []
  #isCommitting = false
  /** Work that need not be, until the end of this turn of the event loop. */
  #lazy: Work[] = []

  /** @param options.relaxed leaves all flushing to the kernel (`--durability relaxed`) */
  constructor(db: Database, flushLog: FlushLog, { relaxed = false } = {}) {
    this.#db = db
    this.#flushLog = flushLog
    this.#isRelaxed = relaxed
  }

  /**
   * Writes, together with others, and waits until it is on the disk. Work that comes alone is written at once.
   *
   * @param work writes rows; when it throws, nothing of it is kept
   * @throws what the work throws; an error of SQLite, also when the log cannot be flushed
   */
  durably<T>(work: () => T): Promise<T> {
    const { promise, entry } = gathered(work)
    this.#durable.push(entry)
    if (!this.#isCommitting) void this.#commitAll()
    return promise
  }

  /**
   * Writes together with others of this moment, and leaves the disk its time: what a power failure takes of it is found
   * out again, or may be lost.
   *
   * @throws what the work throws; an error of SQLite
   */
  lazily<T>(work: () => T): Promise<T> {
    const { promise, entry } = gathered(work)
    this.#lazy.push(entry)
    if (this.#lazy.length === 1) setImmediate(() => this.#writeLazy())
    return promise
  }

  /** Writes and flushes now, on this thread. @throws an error of SQLite */
  writeThrough<T>(work: () => T): T {
    return this.#isRelaxed ? this.writeNow(work) : this.#db.transaction(work).immediate()
  }

  /** Writes now, without a flush. @throws an error of SQLite */
  writeNow<T>(work: () => T): T {
    this.#db.exec('PRAGMA synchronous = NORMAL')
    try {
      return this.#db.transaction(work).immediate()
    } finally {
      this.#db.exec('PRAGMA synchronous = FULL')
    }
  }

  /** Writes now, and has it flushed without waiting for that. @throws an error of SQLite */
  writeSoon(work: () => void): void {
    this.writeNow(work)
    // A failure meets the next work that waits for its own flush.
    void this.flushed().catch(() => undefined)
  }

  /** Waits until all that was committed before is on the disk. @throws an error as of SQLite */
  async flushed(): Promise<void> {
    try {
      await this.#flushLog({
        key: `log ${this.#db.filename}`,
        dataOnly: true,
        open: () => this.#opened(),
        close: () => undefined,
      })
    } catch (cause) {
      throw Object.assign(new Error('The log of the database cannot be flushed.', { cause }), {
        code: 'SQLITE_IOERR_FSYNC',
      })
    }
  }

  /** Writes what waits, before the database is closed. */
  close(): void {
    this.#writeLazy()
    if (this.#log !== undefined) closeSync(this.#log)
    this.#log = undefined
  }

  async #commitAll(): Promise<void> {
    this.#isCommitting = true
    while (this.#durable.length > 0) {
      const group = this.#durable.splice(0, GROUP_MAX)
      const written = this.#write(group)
      if (written.length === 0) continue
      try {
        await this.flushed()
        for (const { resolve } of written) resolve()
      } catch (error) {
        for (const { reject } of written) reject(error)
      }
    }
    this.#isCommitting = false
  }

  #writeLazy(): void {
    const group = this.#lazy
    this.#lazy = []
    for (const { resolve } of group.length > 0 ? this.#write(group) : []) resolve()
  }

  /** Runs a group in one transaction, each of it by itself. @returns those that are written */
  #write(group: readonly Work[]): readonly Work[] {
    try {
      return this.writeNow(() => group.filter((work) => this.#ran(work)))
    } catch (error) {
      for (const { reject } of group) reject(error)
      return []
    }
  }

  /** A transaction within a transaction: what throws takes back itself alone. */
  #ran({ run, reject }: Work): boolean {
    try {
      this.#db.transaction(run)()
      return true
    } catch (error) {
      reject(error)
      // SQLite has taken back the whole group, as it does when the disk is full.
      if (!this.#db.inTransaction) throw error
      return false
    }
  }

  /** The log as it is: it is made anew when the last connection has closed. */
  #opened(): number {
    if (this.#log !== undefined && fstatSync(this.#log).nlink > 0) return this.#log
    if (this.#log !== undefined) closeSync(this.#log)
    this.#log = openSync(`${this.#db.filename}-wal`, 'r')
    return this.#log
  }
}

/** Work with the promise of what it returns. */
function gathered<T>(work: () => T): { promise: Promise<T>; entry: Work } {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let result: () => T
  const entry = {
    run: () => {
      const value = work()
      result = () => value
    },
    resolve: () => resolve(result()),
    reject,
  }
  return { promise, entry }
}
