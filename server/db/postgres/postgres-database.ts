/**
 * A PostgreSQL server. As with SQLite, one transaction writes at a time: those of this process wait in a queue, and those
 * of other processes for a lock of the database. So the ids of rows are in the order in which they become visible. A
 * transaction does not hold the lock while the log is flushed: it commits without a flush, and then waits for one, which
 * it shares with others. Statements outside of transactions wait for no other and read what is committed.
 *
 * If the process has a lease (server-leases.ts), each transaction first finds out, with the lock, whether the lease is still
 * there. A lease is ended with the lock too. So nothing is committed for a process whose work another one has taken over.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { ReservedSQL, SQL } from 'bun'
import type { CachedRows, ChangeCount, Database, Statement, Value, Values } from '../database.ts'
import { RowChanges } from '../row-changes.ts'
import { changedTable, isRead } from '../statements.ts'
import { isLeaseOver, isPassing, isUnreachable, PostgresError, toPostgresError } from './errors.ts'
import { PostgresAttempts } from './postgres-attempts.ts'
import { PostgresChannel } from './postgres-channel.ts'
import { RANDOM_NUMBER } from './schema.ts'
import { type Translated, translate } from './sql-text.ts'

/** A transaction that is running on a connection. */
interface Transaction {
  isOpen: boolean
  connection: ReservedSQL
  /** The tables that it has changed. */
  changed: Set<string>
}

/** The lease that this process needs to write. */
export interface Fence {
  /** Its number in the table `servers`. */
  readonly number: number
  /** @throws Fault unavailable while it is not known that the lease lasts */
  ready(): Promise<void>
  /** Called when the lease is over. @returns what the writer that finds it out gets */
  lost(cause: unknown): Error
}

/** The lock that a transaction holds, among all processes with the database. */
export const WRITER_LOCK = 7_305_214_402
/** How long a transaction waits for the lock. */
const PATIENCE_MS = 30_000
const IMPATIENCE_MS = 1000
/** A small record in the log, whose commit flushes everything before it, also to a synchronous standby. */
const FLUSH = "SELECT pg_logical_emit_message(true, 'filemgr', '')"
/** How long work is tried again while the database does not answer, and the time in between. */
const UNREACHABLE_MS = 5000
const UNREACHABLE_PAUSE_MS = 200

/** The next question about changes of others does not wait longer for the one before. */
const LATE_MS = 500

/** Rows of `noted_changes` are deleted when there are so many: each command that changes something leaves one. */
const NOTED_CHANGES_MAX = 200
/** The row that is there from one such deletion, or crash of the server, to the next. Its process has no name. */
const GENERATION = ''

/** A row of `noted_changes`. */
interface Note {
  process: string
  kind: CachedRows | ''
  number: number
}

type Row = Record<string, unknown>
/** What Bun returns: the rows, with the number of those that a statement has changed. */
type Result = Row[] & { count: number | null }

export class PostgresDatabase implements Database {
  readonly #pool: SQL
  readonly #process: string
  readonly #isRelaxed: () => boolean
  readonly #statements = new Map<string, Statement<unknown>>()
  /** The transaction that the running task belongs to. */
  readonly #current = new AsyncLocalStorage<Transaction | undefined>()
  readonly #changes = new RowChanges()
  /** Resolves when the last transaction in the queue has ended. */
  #lastTransaction: Promise<unknown> = Promise.resolve()
  /** Resolves when the flush that runs has ended. */
  #runningFlush: Promise<unknown> = Promise.resolve()
  /** The flush that begins after that one; undefined if nothing waits for it. */
  #nextFlush: Promise<void> | undefined
  #fence: Fence | undefined
  /** Resolves when the running question about changes of others is answered. */
  #runningVersions: Promise<unknown> = Promise.resolve()
  /** The question after that one; undefined if nothing waits for it. */
  #nextVersions: Promise<Record<CachedRows, string>> | undefined
  #isStartingOver = false

  /**
   * @param pool connections with big integers as BigInt
   * @param process the name of this process, which all its connections have as `application_name`
   * @param isRelaxed whether changes of files need not be on the disk
   */
  constructor(pool: SQL, process: string, isRelaxed: () => boolean = () => false) {
    this.#pool = pool
    this.#process = process
    this.#isRelaxed = isRelaxed
  }

  /** How other servers with this database are told of changes. */
  get channel(): PostgresChannel {
    return new PostgresChannel(this.#pool, this.#process)
  }

  /** The sign-in attempts that run at all servers with this database. */
  get attempts(): PostgresAttempts {
    return new PostgresAttempts(this.#pool)
  }

  query<Row, Bound extends Values>(sql: string): Statement<Row, Bound> {
    const known = this.#statements.get(sql) ?? this.#prepare(sql)
    // The type is of the caller's making, as in bun:sqlite.
    return known as Statement<unknown> as Statement<Row, Bound>
  }

  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#running
    if (running) return within(running, work)
    const result = await this.#queue(work, PATIENCE_MS)
    await this.#flush()
    return result
  }

  withFiles<T>(work: () => Promise<T>): Promise<T> {
    return this.#isRelaxed() ? this.lazily(work) : this.transaction(work)
  }

  lazily<T>(work: () => Promise<T>, { isPatient } = { isPatient: true }): Promise<T> {
    const running = this.#running
    if (running) return within(running, work)
    return this.#queue(work, isPatient ? PATIENCE_MS : IMPATIENCE_MS)
  }

  writesTo(...tables: string[]): number {
    return this.#changes.writesTo(tables)
  }

  /**
   * One statement answers all calls that were made while the one before was running, unless that takes long. A call never
   * gets the answer to a question that began before it, which could lack a change that was committed in between.
   */
  async outsideVersion(of: CachedRows): Promise<string> {
    this.#nextVersions ??= this.#runningVersions.then(() => {
      this.#nextVersions = undefined
      // Other calls wait for it too, so it is no part of a transaction.
      const versions = this.#current.run(undefined, () => this.#readVersions())
      this.#runningVersions = endOrLate(versions)
      return versions
    })
    return (await this.#nextVersions)[of]
  }

  /** From now on, this process writes only with this lease. */
  fenceWith(fence: Fence): void {
    this.#fence = fence
  }

  /**
   * Runs a statement that is a transaction of its own. It waits for no other writer, is not flushed, and needs no lease.
   *
   * @param values for the `?` in order, or one object for the named parameters
   * @returns its rows
   */
  async alone<Row>(sql: string, ...values: Value[] | [object]): Promise<Row[]> {
    const rows = await execute(this.#pool, translate(sql), values)
    // The type is of the caller's making.
    return rows.map((row) => rowOf(row) as Row)
  }

  /** Waits for running statements and closes the connections. */
  async close(): Promise<void> {
    await this.#pool.close()
  }

  /** The transaction of the running task; undefined outside. */
  get #running(): Transaction | undefined {
    const current = this.#current.getStore()
    return current?.isOpen ? current : undefined
  }

  /** What others have noted: their processes with the numbers of their changes. */
  async #readVersions(): Promise<Record<CachedRows, string>> {
    const notes = await this.query<Note, [string]>(
      'SELECT process, kind, number FROM noted_changes WHERE process <> ? ORDER BY process',
    ).all(this.#process)
    const generation = notes.find(({ process }) => process === GENERATION)
    if (!generation || notes.length > NOTED_CHANGES_MAX) void this.#startOver()
    // Without a generation, changes may be missing that were noted since the last question, so each answer differs.
    const number = generation?.number ?? `unknown ${randomUUID()}`
    const versionOf = (of: CachedRows) =>
      notes
        .filter(({ kind }) => kind === of)
        .reduce((text, note) => `${text} ${note.process} ${note.number}`, `${number}`)
    return { access: versionOf('access'), jobs: versionOf('jobs') }
  }

  /** Deletes the notes of all processes. Its own new row is a change for each process, whichever notes it has seen. */
  async #startOver(): Promise<void> {
    if (this.#isStartingOver) return
    this.#isStartingOver = true
    try {
      await this.lazily(async () => {
        await this.query('DELETE FROM noted_changes').run()
        await this.query(
          `INSERT INTO noted_changes (process, kind, number) VALUES ('${GENERATION}', '', ${RANDOM_NUMBER})`,
        ).run()
      })
    } catch {
      // The next question tries again.
    } finally {
      this.#isStartingOver = false
    }
  }

  /** Runs work in a transaction after those before it. */
  #queue<T>(work: () => Promise<T>, waitMs: number): Promise<T> {
    const done = this.#lastTransaction.then(() => this.#repeat(work, waitMs))
    this.#lastTransaction = done.catch(() => undefined)
    return done
  }

  /** Runs work in a transaction, also again while the database does not answer for a moment. */
  async #repeat<T>(work: () => Promise<T>, waitMs: number): Promise<T> {
    const endMs = performance.now() + UNREACHABLE_MS
    for (;;) {
      try {
        return await this.#try(work, waitMs)
      } catch (error) {
        if (!isPassing(error) || performance.now() >= endMs) throw error
        if (isUnreachable(error)) await Bun.sleep(UNREACHABLE_PAUSE_MS)
      }
    }
  }

  async #try<T>(work: () => Promise<T>, waitMs: number): Promise<T> {
    await this.#fence?.ready()
    const lease = this.#fence ? `; SELECT require_server(${this.#fence.number})` : ''
    const connection = await ask(() => this.#pool.reserve())
    const transaction: Transaction = { isOpen: true, connection, changed: new Set() }
    try {
      await send(
        connection,
        `BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = ${waitMs};
         SELECT pg_advisory_xact_lock(${WRITER_LOCK})${lease}`,
      )
      const result = await this.#current.run(transaction, work)
      // What the work has left running is not part of it.
      transaction.isOpen = false
      await certainly(() => send(connection, 'COMMIT'))
      return result
    } catch (error) {
      transaction.isOpen = false
      // On a broken connection there is no transaction any more.
      await send(connection, 'ROLLBACK').catch(() => undefined)
      throw isLeaseOver(error) ? (this.#fence?.lost(error) ?? error) : error
    } finally {
      this.#changes.count(transaction.changed)
      connection.release()
    }
  }

  /** Waits until what is committed by now is on the disk. Callers that wait for the running flush share the next one. */
  #flush(): Promise<void> {
    this.#nextFlush ??= this.#runningFlush.then(async () => {
      this.#nextFlush = undefined
      const flushed = certainly(() => send(this.#pool, FLUSH))
      this.#runningFlush = flushed.catch(() => undefined)
      await flushed
    })
    return this.#nextFlush
  }

  #prepare(sql: string): Statement<unknown> {
    const isReading = isRead(sql)
    const table = changedTable(sql)
    const translated = translate(sql)
    const call = async (values: readonly unknown[]): Promise<Result> => {
      const running = this.#running
      if (!running && isReading) return this.#read(translated, values)
      if (!running) return this.transaction(() => call(values))
      if (!isReading) running.changed.add(table)
      return execute(running.connection, translated, values)
    }
    const statement: Statement<unknown> = {
      get: async (...values) => rowOf((await call(values))[0]) ?? null,
      all: async (...values) => (await call(values)).map((row) => rowOf(row)),
      run: async (...values) => changesOf(await call(values)),
    }
    this.#statements.set(sql, statement)
    return statement
  }

  /** Reads what is committed, also again while the database does not answer for a moment. */
  async #read(translated: Translated, values: readonly unknown[]): Promise<Result> {
    const endMs = performance.now() + UNREACHABLE_MS
    for (;;) {
      try {
        return await execute(this.#pool, translated, values)
      } catch (error) {
        if (!isPassing(error) || performance.now() >= endMs) throw error
        if (isUnreachable(error)) await Bun.sleep(UNREACHABLE_PAUSE_MS)
      }
    }
  }
}

/** @returns what resolves when a question is answered or has failed, or when that takes long */
async function endOrLate(question: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, LATE_MS)
  timer.unref()
  await Promise.race([question.catch(() => undefined), late.promise])
  clearTimeout(timer)
}

/** Runs a part of a transaction, which can be rolled back alone. */
async function within<T>({ connection }: Transaction, part: () => Promise<T>): Promise<T> {
  await send(connection, 'SAVEPOINT part')
  try {
    const result = await part()
    await send(connection, 'RELEASE part')
    return result
  } catch (error) {
    // On a broken connection there is no transaction any more.
    await send(connection, 'ROLLBACK TO part; RELEASE part').catch(() => undefined)
    throw error
  }
}

/**
 * Asks for a commit or a flush. If the connection breaks before the answer, it is not known whether the rows are stored, so
 * the work must not be repeated.
 *
 * @throws PostgresError
 */
async function certainly(question: () => Promise<unknown>): Promise<void> {
  try {
    await question()
  } catch (cause) {
    if (!isUnreachable(cause)) throw cause
    throw new PostgresError(
      'POSTGRES_UNCERTAIN',
      'The database did not answer, so it is not known whether the change is stored.',
      { cause },
    )
  }
}

function send(connection: SQL, sql: string): Promise<unknown> {
  return ask(() => connection.unsafe(sql))
}

/** @throws TypeError if values are missing */
function execute(
  connection: SQL,
  translated: Translated,
  values: readonly unknown[],
): Promise<Result> {
  const bound = boundValues(translated, values)
  return ask(() => connection.unsafe(translated.textFor(bound), bound.map(toParameter)))
}

/** @throws PostgresError */
async function ask<T>(question: () => PromiseLike<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    throw toPostgresError(error)
  }
}

function boundValues({ names, count }: Translated, values: readonly unknown[]): Value[] {
  if (names.length === 0) {
    if (values.length !== count) {
      throw new TypeError(`The statement has ${count} parameters, not ${values.length}.`)
    }
    // The callers' types allow only these.
    return values as Value[]
  }
  const named = values[0] as Record<string, Value>
  return names.map((name) => {
    const value = named[name]
    if (value === undefined) throw new TypeError(`The parameter $${name} has no value.`)
    return value
  })
}

function toParameter(value: Value): Value {
  return typeof value === 'boolean' ? Number(value) : value
}

/** As SQLite returns it: numbers, texts, bytes and null. */
function rowOf(row: Row | undefined): Row | undefined {
  if (!row) return undefined
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toValue(value)]))
}

/** As SQLite returns a value. */
export function toValue(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  return value instanceof Uint8Array ? new Uint8Array(value) : value
}

function changesOf({ count }: Result): ChangeCount {
  return { changes: count ?? 0 }
}
