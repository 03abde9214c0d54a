/** Inserts rows by column name, so that values cannot get into the wrong column. */
import type { Database, Value } from './database.ts'

/** Column → value. */
export type RowValues = Record<string, Value>

type InsertClause = 'INSERT' | 'INSERT OR REPLACE'

/**
 * Inserts one row.
 *
 * @param table a table name of the schema, never user input
 * @param clause `INSERT OR REPLACE` replaces the row with the same key
 */
export async function insertRow(
  db: Database,
  table: string,
  row: RowValues,
  clause: InsertClause = 'INSERT',
): Promise<void> {
  await db.query<unknown, Value[]>(insertion(table, row, clause)).run(...Object.values(row))
}

/**
 * Inserts one row of a table with a number as its key.
 *
 * @param table as of `insertRow`
 * @returns the id of the row
 */
export async function insertNumbered(db: Database, table: string, row: RowValues): Promise<number> {
  const sql = `${insertion(table, row, 'INSERT')} RETURNING id`
  const inserted = await db.query<{ id: number }, Value[]>(sql).get(...Object.values(row))
  return inserted?.id ?? 0
}

function insertion(table: string, row: RowValues, clause: InsertClause): string {
  const columns = Object.keys(row)
  return `${clause} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}
