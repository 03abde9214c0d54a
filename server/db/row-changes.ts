/** What caches ask a database about changes: how often this process has written, and whether others have. */

export class RowChanges {
  readonly #read: () => Promise<string>
  /** Table → committed changes of this process. */
  readonly #writes = new Map<string, number>()
  /** The version as read in this turn of the event loop; undefined if it was not read yet. */
  #outsideVersion: Promise<string> | undefined

  /** @param read asks the database for a version that changes when another process has written */
  constructor(read: () => Promise<string>) {
    this.#read = read
  }

  /** Counts a committed change of each table. */
  count(tables: Iterable<string>): void {
    for (const table of tables) this.#writes.set(table, (this.#writes.get(table) ?? 0) + 1)
  }

  /** As of `Database`. */
  writesTo(tables: readonly string[]): number {
    return tables.reduce((sum, table) => sum + (this.#writes.get(table) ?? 0), 0)
  }

  /** As of `Database`. */
  outsideVersion(): Promise<string> {
    if (this.#outsideVersion) return this.#outsideVersion
    this.#outsideVersion = this.#read()
    setImmediate(() => {
      this.#outsideVersion = undefined
    })
    return this.#outsideVersion
  }
}
