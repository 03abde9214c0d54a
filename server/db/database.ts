/**
 * The database that all rows are read from and written to. Every call is asynchronous, so that its driver may be a file
 * of this process (sqlite-database.ts) or a server elsewhere.
 */

/** A value of a parameter. Booleans become 1 and 0. */
export type Value = string | number | boolean | Uint8Array | null

/** A limit that no number of rows reaches; SQL knows none that means all. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER

/** The values for the `?` of a statement in order, or one object for its named parameters. */
export type Values = readonly Value[] | object
type Arguments<Bound> = Bound extends readonly Value[] ? Bound : [Bound]

/** An SQL text, which is prepared once. */
export interface Statement<Row, Bound extends Values = Values> {
  /** @returns the first row; null if there is none */
  get(...values: Arguments<Bound>): Promise<Row | null>
  all(...values: Arguments<Bound>): Promise<Row[]>
  /** @returns how many rows the statement has changed */
  run(...values: Arguments<Bound>): Promise<ChangeCount>
}

/**
 * Rows that caches depend on: sessions, app passwords, users and settings; jobs and their items. A new row of a session, an
 * app password or a user counts as no change, nor does the time of the last use.
 */
export type CachedRows = 'access' | 'jobs'

/** How many rows a statement has changed. */
export interface ChangeCount {
  changes: number
}

export interface Database {
  /**
   * A statement. Outside a transaction, one that changes rows is a transaction of its own.
   *
   * @param sql never contains input of a user
   */
  query<Row = unknown, Bound extends Values = Values>(sql: string): Statement<Row, Bound>
  /**
   * Runs work in one transaction. Everything that the work calls belongs to it, without a parameter. If the work throws,
   * it is rolled back. Inside another transaction, it is a part of that one, which can be rolled back alone.
   *
   * The work waits for nothing but the database, since all other writers wait for it. It may be repeated.
   *
   * @returns when the changes are on the disk
   * @throws what the work throws; an error of the driver
   */
  transaction<T>(work: () => Promise<T>): Promise<T>
  /**
   * As `transaction`, for rows about changes of files. With `--durability relaxed` it does not wait for the disk, since the
   * files do not either.
   */
  withFiles<T>(work: () => Promise<T>): Promise<T>
  /**
   * As `transaction`, but does not wait for the disk. A power failure may lose the changes, so callers must be able to
   * recover them or do without.
   *
   * @param options `isPatient`: waits a while when another program holds the lock of the database; true by default
   */
  lazily<T>(work: () => Promise<T>, options?: { isPatient: boolean }): Promise<T>
  /** @returns a number that increases with each committed change of one of the tables by this process */
  writesTo(...tables: string[]): number
  /**
   * Changes when another process has committed a change of rows that caches depend on: what was committed before this call
   * is seen. Calls share questions to the database.
   */
  outsideVersion(of: CachedRows): Promise<string>
}
