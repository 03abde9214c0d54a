/** Inserts rows by column name, so that values cannot get into the wrong column. */
import type { Database, Value } from './database.ts'

/** Column → value. */
export type RowValues = Record<string, Value>

/**
 * Inserts one row.
 *
 * @param table a table name of the schema, never user input
 */
export async function insertRow(db: Database, table: string, row: RowValues): Promise<void> {
  await db.query<unknown, Value[]>(insertion(table, row)).run(...Object.values(row))
}

/**
 * Inserts rows with the same columns in the same order, one after the other.
 *
 * @param table as of `insertRow`
 */
export async function insertRows<Columns extends Record<keyof Columns, Value>>(
  db: Database,
  table: string,
  rows: readonly Columns[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const statement = db.query<unknown, Value[]>(insertion(table, first))
  for (const row of rows) await statement.run(...Object.values<Value>(row))
}

/**
 * Inserts one row, or changes the row with the same key.
 *
 * @param table as of `insertRow`
 * @param key the columns of the primary key
 */
export async function putRow(
  db: Database,
  table: string,
  row: RowValues,
  ...key: string[]
): Promise<void> {
  const others = Object.keys(row).filter((column) => !key.includes(column))
  const changes = others.map((column) => `${column} = excluded.${column}`).join(', ')
  const sql = `${insertion(table, row)} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes}`
  await db.query<unknown, Value[]>(sql).run(...Object.values(row))
}

/**
 * Inserts one row of a table with a number as its key.
 *
 * @param table as of `insertRow`
 * @returns the id of the row
 */
export async function insertNumbered(db: Database, table: string, row: RowValues): Promise<number> {
  return (await insertReturning<{ id: number }>(db, table, row, 'id'))?.id ?? 0
}

/**
 * Inserts one row. Columns without a value get their default, such as the next number.
 *
 * @param table as of `insertRow`
 * @param columns which columns of the row are returned; all by default
 */
export function insertReturning<Row>(
  db: Database,
  table: string,
  row: RowValues,
  columns = '*',
): Promise<Row | null> {
  const sql = `${insertion(table, row)} RETURNING ${columns}`
  return db.query<Row, Value[]>(sql).get(...Object.values(row))
}

function insertion(table: string, row: object): string {
  const columns = Object.keys(row)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}
