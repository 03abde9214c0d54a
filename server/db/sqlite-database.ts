/**
 * The embedded database: one SQLite file with two connections. The first one writes, one transaction at a time
 * (commits.ts). The second one reads, so that a request never sees what a running transaction has not committed.
 */

import { Database as Connection, type SQLQueryBindings } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Checkpoints } from './checkpoints.ts'
import { Commits, type FlushLog } from './commits.ts'
import type { ChangeCount, Database, Statement, Values } from './database.ts'
import { RowChanges } from './row-changes.ts'
import { changedTable, isRead } from './statements.ts'

/** A transaction that is running. */
interface Transaction {
  isOpen: boolean
}

export class SqliteDatabase implements Database {
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #commits: Commits
  readonly #statements = new Map<string, Statement<unknown>>()
  /** The transaction that the running task belongs to. */
  readonly #current = new AsyncLocalStorage<Transaction>()
  #open: Transaction | undefined
  readonly #changes = new RowChanges()
  /** The version as read in this turn of the event loop; undefined if it was not read yet. */
  #outsideVersion: Promise<string> | undefined
  /** The tables that the group of transactions has changed. */
  readonly #changed = new Set<string>()

  readonly #isRelaxed: () => boolean
  /** Undefined as long as SQLite makes its own. */
  #checkpoints: Checkpoints | undefined

  /**
   * @param writer a connection as of `openDatabase`
   * @param isRelaxed whether changes of files need not be on the disk
   */
  constructor(writer: Connection, flushLog: FlushLog, isRelaxed: () => boolean = () => false) {
    this.#writer = writer
    this.#isRelaxed = isRelaxed
    this.#reader = readerOf(writer)
    this.#commits = new Commits(writer, flushLog, () => this.#countWrites())
  }

  query<Row, Bound extends Values>(sql: string): Statement<Row, Bound> {
    const known = this.#statements.get(sql) ?? this.#prepare(sql)
    // The type is of the caller's making, as in bun:sqlite.
    return known as Statement<unknown> as Statement<Row, Bound>
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running) return this.#commits.within(work)
    return this.#commits.durably(() => this.#run(work))
  }

  withFiles<T>(work: () => Promise<T>): Promise<T> {
    return this.#isRelaxed() ? this.lazily(work) : this.transaction(work)
  }

  lazily<T>(work: () => Promise<T>, options?: { isPatient: boolean }): Promise<T> {
    if (this.#running) return this.#commits.within(work)
    return this.#commits.lazily(() => this.#run(work), options)
  }

  writesTo(...tables: string[]): number {
    return this.#changes.writesTo(tables)
  }

  /** One number for all rows. The file is asked once in each turn of the event loop. */
  outsideVersion(): Promise<string> {
    if (this.#outsideVersion) return this.#outsideVersion
    this.#outsideVersion = this.#readOutsideVersion()
    setImmediate(() => {
      this.#outsideVersion = undefined
    })
    return this.#outsideVersion
  }

  /** From now on a thread copies the log into the file, instead of SQLite in the thread that writes. */
  checkpointInThread(): void {
    this.#writer.exec('PRAGMA wal_autocheckpoint = 0')
    this.#checkpoints = new Checkpoints(this.#writer.filename)
  }

  /** Writes waiting work and closes the file. */
  async close(): Promise<void> {
    await this.#commits.close()
    this.#checkpoints?.close()
    this.#reader.close()
    this.#writer.close()
  }

  /** The transaction of the running task; undefined outside. */
  get #running(): Transaction | undefined {
    if (!this.#open) return undefined
    const current = this.#current.getStore()
    return current?.isOpen ? current : undefined
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    const transaction: Transaction = { isOpen: true }
    this.#open = transaction
    try {
      return await this.#current.run(transaction, work)
    } finally {
      // What the work has left running is not part of it.
      transaction.isOpen = false
      this.#open = undefined
    }
  }

  async #readOutsideVersion(): Promise<string> {
    const row = this.#writer.query<{ data_version: number }, []>('PRAGMA data_version').get()
    return `${row?.data_version ?? 0}`
  }

  #countWrites(): void {
    this.#changes.count(this.#changed)
    this.#changed.clear()
    const checkpoints = this.#checkpoints
    if (checkpoints?.isDue(this.#changedRows())) this.#commits.between(() => checkpoints.make())
  }

  /** How many rows this process has changed since the database was opened. */
  #changedRows(): number {
    const total = this.#writer.query<{ rows: number }, []>('SELECT total_changes() AS rows').get()
    return total?.rows ?? 0
  }

  #prepare(sql: string): Statement<unknown> {
    const isReading = isRead(sql)
    const table = changedTable(sql)
    const call = async <T>(use: (connection: Connection) => T): Promise<T> => {
      if (this.#running) {
        if (!isReading) this.#changed.add(table)
        return use(this.#writer)
      }
      if (isReading) return use(this.#reader)
      return this.transaction(() => call(use))
    }
    const bound = (values: readonly unknown[]) => values as SQLQueryBindings[]
    const statement: Statement<unknown> = {
      get: (...values) => call((connection) => connection.query(sql).get(...bound(values))),
      all: (...values) => call((connection) => connection.query(sql).all(...bound(values))),
      run: (...values) =>
        call((connection) => changesOf(connection.query(sql).run(...bound(values)))),
    }
    this.#statements.set(sql, statement)
    return statement
  }
}

function changesOf({ changes }: ChangeCount): ChangeCount {
  return { changes }
}

/** A second connection, which cannot write. */
function readerOf(writer: Connection): Connection {
  const reader = new Connection(writer.filename, { readonly: true, strict: true })
  reader.exec('PRAGMA busy_timeout = 50; PRAGMA trusted_schema = OFF')
  return reader
}
