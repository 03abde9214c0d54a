/** Writing a row by the names of its columns, so that a value cannot slip into the column beside it. */
import type { Database } from 'bun:sqlite'

/** Column → value; yes and no become 1 and 0. */
export type Row = Record<string, string | number | boolean | null>

/**
 * @param table one of this schema, never a person's text
 * @param verb `INSERT OR REPLACE` puts it in the place of the row with the same key
 * @returns the number of the row
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
