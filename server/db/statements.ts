/** What a statement does, as far as a driver must know it. */

/** Statements that change no rows. */
const READS = /^\s*(SELECT|EXPLAIN)\b/i
const CHANGED_TABLE =
  /^\s*(?:(?:INSERT|REPLACE)(?: OR \w+)? INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(\w+)/i

export function isRead(sql: string): boolean {
  return READS.test(sql)
}

/** @returns the table whose rows it changes; empty if there is none */
export function changedTable(sql: string): string {
  return CHANGED_TABLE.exec(sql)?.[1] ?? ''
}
