/**
 * Group commit (docs/decisions.md 26). Work that arrives while the write-ahead log is being flushed is collected, and
 * committed in one transaction with the next flush. SQLite does not flush this work itself (`synchronous = NORMAL`): the
 * flush threads flush the `-wal` file, off the main thread. A flush of the log covers all earlier commits.
 */
import type { Database } from 'bun:sqlite'
import { closeSync, fstatSync, openSync } from 'node:fs'

/** The data that a flush of the log needs; for `FlushQueue.shared`. */
export interface LogTarget {
  key: string
  extent: 'data'
  isQuick: true
  /** Accounts, sessions, shares and settings are flushed also with relaxed durability. */
  isRequired: true
  open(): number
  close(fd: number): void
}

/** Flushes a file, together with other requests for it. */
export type FlushLog = (target: LogTarget) => Promise<void>

/** How often a group is tried again while another program holds the lock of the database, and the time in between. */
const BUSY_TRIES = 20
const BUSY_PAUSE_MS = 50

/** The greatest number of callers of `durably` whose work shares one transaction. */
const GROUP_MAX = 256

interface Work {
  /** Whether it needs no flush. */
  isLazy: boolean
  /** Whether it waits while another program holds the lock of the database. */
  isPatient: boolean
  run(): Promise<void>
  resolve(): void
  reject(error: unknown): void
}

export class Commits {
  readonly #db: Database
  readonly #flushLog: FlushLog
  /** Called when a group has been committed or rolled back. */
  readonly #ended: () => void
  /** Resolves when the group that is being written has ended. */
  #writing: Promise<unknown> = Promise.resolve()
  /** The descriptor of the open log file. */
  #log: number | undefined
  /** Work that waits for a flush. */
  #durable: Work[] = []
  #isCommitting = false
  /** Work that needs no flush; it is written in the next turn of the event loop. */
  #lazy: Work[] = []

  /**
   * @param ended is called when a group has been committed or rolled back
   */
  constructor(db: Database, flushLog: FlushLog, ended: () => void = () => {}) {
    this.#db = db
    this.#flushLog = flushLog
    this.#ended = ended
    db.exec('PRAGMA synchronous = NORMAL')
  }

  /**
   * Writes in a group and waits until it is on the disk. If no group is being flushed, one is written in the next turn of
   * the event loop, with the work of this turn.
   *
   * @param work writes rows; if it throws, it is rolled back
   * @throws what the work throws; an error of SQLite, also if the log cannot be flushed
   */
  durably<T>(work: () => Promise<T>): Promise<T> {
    const { promise, queued } = asWork(work, { isLazy: false, isPatient: true })
    this.#durable.push(queued)
    if (!this.#isCommitting) {
      this.#isCommitting = true
      setImmediate(() => void this.#commitAll())
    }
    return promise
  }

  /**
   * Writes in a group without waiting for a flush. A power failure may lose it, so callers must be able to recover or
   * do without.
   *
   * @throws what the work throws; an error of SQLite
   */
  lazily<T>(work: () => Promise<T>, { isPatient } = { isPatient: true }): Promise<T> {
    const { promise, queued } = asWork(work, { isLazy: true, isPatient })
    this.#lazy.push(queued)
    if (this.#lazy.length === 1) setImmediate(() => void this.#writeLazily())
    return promise
  }

  /**
   * Waits until all earlier commits are on the disk.
   *
   * @throws an error as of SQLite
   */
  async flushed(): Promise<void> {
    try {
      await this.#flushLog({
        key: `log ${this.#db.filename}`,
        extent: 'data',
        isQuick: true,
        isRequired: true,
        open: () => this.#openLog(),
        close: () => undefined,
      })
    } catch (cause) {
      throw Object.assign(new Error('The log of the database cannot be flushed.', { cause }), {
        code: 'SQLITE_IOERR_FSYNC',
      })
    }
  }

  /**
   * Runs a part of the work that is running, which can be rolled back alone.
   *
   * @throws what the part throws
   */
  async within<T>(part: () => Promise<T>): Promise<T> {
    this.#db.run('SAVEPOINT part')
    try {
      const result = await part()
      this.#db.run('RELEASE part')
      return result
    } catch (error) {
      // On a full disk SQLite has rolled back the whole transaction.
      if (this.#db.inTransaction) {
        this.#db.run('ROLLBACK TO part')
        this.#db.run('RELEASE part')
      }
      throw error
    }
  }

  /** Runs something between two groups. Work that arrives in the meantime waits for it. */
  between(act: () => Promise<void>): void {
    this.#writing = this.#writing.then(act)
  }

  /** Writes waiting work before the database is closed. */
  async close(): Promise<void> {
    await this.#writing
    const group = [...this.#takeLazy(), ...this.#durable.splice(0)]
    if (group.length > 0) {
      const written = (await this.#write(group, { isLastTry: true })) ?? []
      if (written.length > 0) await this.flushed()
      for (const { resolve } of written) resolve()
    }
    if (this.#log !== undefined) closeSync(this.#log)
    this.#log = undefined
  }

  async #commitAll(): Promise<void> {
    while (this.#durable.length > 0) {
      // Work that needs no flush shares the transaction.
      const group = [...this.#takeLazy(), ...this.#durable.splice(0, GROUP_MAX)]
      const all = (await this.#write(group)) ?? (await this.#writeWhenFree(group, this.#durable))
      for (const { isLazy, resolve } of all) if (isLazy) resolve()
      const written = all.filter(({ isLazy }) => !isLazy)
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

  async #writeLazily(): Promise<void> {
    const group = this.#takeLazy()
    if (group.length === 0) return
    const written = (await this.#write(group)) ?? (await this.#writeWhenFree(group))
    for (const { resolve } of written) resolve()
  }

  #takeLazy(): Work[] {
    const group = this.#lazy
    this.#lazy = []
    return group
  }

  /**
   * Writes the patient work of a group when another program releases the lock of the database. Requests are served while
   * it waits.
   *
   * @param waiting work that arrives while it waits; it shares the last try, so that it does not wait as long again
   */
  async #writeWhenFree(group: readonly Work[], waiting: Work[] = []): Promise<readonly Work[]> {
    const patient = group.filter(({ isPatient }) => isPatient)
    if (patient.length === 0) return []
    for (let tries = 1; ; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS))
      const isLastTry = tries === BUSY_TRIES
      const all = isLastTry ? [...patient, ...waiting.splice(0)] : patient
      const written = await this.#write(all, { isLastTry })
      if (written) return written
    }
  }

  /**
   * Runs a group in one transaction, each work in a savepoint, after the groups before it.
   *
   * @returns those that succeeded; undefined if another program holds the lock, unless this is the last try
   */
  #write(group: readonly Work[], { isLastTry = false } = {}): Promise<readonly Work[] | undefined> {
    const written = this.#writing.then(() => this.#writeNow(group, isLastTry))
    this.#writing = written
    return written
  }

  async #writeNow(
    group: readonly Work[],
    isLastTry: boolean,
  ): Promise<readonly Work[] | undefined> {
    try {
      this.#db.run('BEGIN IMMEDIATE')
      const written = await this.#runAll(group)
      this.#db.run('COMMIT')
      return written
    } catch (error) {
      if (this.#db.inTransaction) this.#db.run('ROLLBACK')
      if (isBusy(error) && !isLastTry) {
        for (const { isPatient, reject } of group) if (!isPatient) reject(error)
        return undefined
      }
      for (const { reject } of group) reject(error)
      return []
    } finally {
      this.#ended()
    }
  }

  /** @returns those that succeeded */
  async #runAll(group: readonly Work[]): Promise<Work[]> {
    const [first] = group
    if (first && group.length === 1) {
      // One work needs no savepoint: an error rolls back the transaction.
      await first.run()
      return [first]
    }
    const written: Work[] = []
    for (const work of group) if (await this.#tryRun(work)) written.push(work)
    return written
  }

  /** Runs a work in a savepoint, so that an error rolls back only this work. */
  async #tryRun({ run, reject }: Work): Promise<boolean> {
    try {
      await this.within(run)
      return true
    } catch (error) {
      reject(error)
      // SQLite has rolled back the whole group, as it does on a full disk.
      if (!this.#db.inTransaction) throw error
      return false
    }
  }

  /** The log file, which is created again after the last connection was closed. */
  #openLog(): number {
    const known = this.#log
    if (known !== undefined && fstatSync(known).nlink > 0) return known
    // If the new one cannot be opened, the number may belong to another file soon.
    this.#log = undefined
    if (known !== undefined) closeSync(known)
    // Windows flushes only what is open for writing.
    this.#log = openSync(`${this.#db.filename}-wal`, 'r+')
    return this.#log
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

/** A work with the promise of its result. */
function asWork<T>(
  work: () => Promise<T>,
  options: Pick<Work, 'isLazy' | 'isPatient'>,
): { promise: Promise<T>; queued: Work } {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let result: () => T
  const queued = {
    ...options,
    run: async () => {
      const value = await work()
      result = () => value
    },
    resolve: () => resolve(result()),
    reject,
  }
  return { promise, queued }
}
