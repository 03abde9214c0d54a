/** Inserts rows by column name, so that values cannot get into the wrong column. */
import type { Database } from 'bun:sqlite'

/** Column → value; booleans become 1 and 0. */
export type Row = Record<string, string | number | boolean | null>

/**
 * @param table a table name of the schema, never user input
 * @param verb `INSERT OR REPLACE` replaces the row with the same key
 * @returns the id of the row
 */
export function insertRow(
  db: Database,
  table: string,
  row: Row,
  verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT',
): number {
  const columns = Object.keys(row)
  const values = columns.map((column) => `$${column}`)
  const statement = `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`
  return Number(db.query(statement).run(row).lastInsertRowid)
}
