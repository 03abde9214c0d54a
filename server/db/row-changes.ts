/** Counts the changes of this process, for caches. */

export class RowChanges {
  /** Table → committed changes of this process. */
  readonly #writes = new Map<string, number>()

  /** Counts a committed change of each table. */
  count(tables: Iterable<string>): void {
    for (const table of tables) this.#writes.set(table, (this.#writes.get(table) ?? 0) + 1)
  }

  /** As of `Database`. */
  writesTo(tables: readonly string[]): number {
    return tables.reduce((sum, table) => sum + (this.#writes.get(table) ?? 0), 0)
  }
}
