/** Inserts rows by column name, so that values cannot get into the wrong column. */
import type { Database } from 'bun:sqlite'

/** Booleans become 1 and 0. */
type Value = string | number | boolean | null

/** Column → value. */
export type RowValues = Record<string, Value>

type InsertClause = 'INSERT' | 'INSERT OR REPLACE'

/**
 * Inserts one row. Code that inserts many rows with the same columns uses `rowInserter`.
 *
 * @param table a table name of the schema, never user input
 * @param clause `INSERT OR REPLACE` replaces the row with the same key
 * @returns the id of the row
 */
export function insertRow(
  db: Database,
  table: string,
  row: RowValues,
  clause: InsertClause = 'INSERT',
): number {
  return rowInserter(db, table, Object.keys(row), clause)(row)
}

/**
 * Prepares the insertion of rows with the same columns.
 *
 * @param table a table name of the schema, never user input
 * @returns a function that inserts a row, and returns its id
 */
export function rowInserter<Column extends string>(
  db: Database,
  table: string,
  columns: readonly Column[],
  clause: InsertClause = 'INSERT',
): (row: Record<Column, Value>) => number {
  const values = columns.map(() => '?').join(', ')
  const statement = db.query<unknown, Value[]>(
    `${clause} INTO ${table} (${columns.join(', ')}) VALUES (${values})`,
  )
  return (row) => Number(statement.run(...columns.map((column) => row[column])).lastInsertRowid)
}
