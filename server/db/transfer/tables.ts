/** The tables whose rows a copy of a database has, from the steps that create them. */
import { Database as Connection } from 'bun:sqlite'
import { MIGRATIONS } from '../migrations.ts'

export interface CopiedTable {
  name: string
  columns: readonly string[]
  /** The columns that rows are sorted by: the primary key, or all columns of a table without one. */
  order: readonly string[]
  /** Whether the database counts its ids, and never uses one again. */
  isCounted: boolean
}

/** @returns all tables; those that others refer to come first */
export function allTables(): CopiedTable[] {
  using schema = new Connection(':memory:')
  for (const step of MIGRATIONS) schema.exec(step)
  const found = schema
    .query<{ name: string; sql: string }, []>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()
  const tables = found.map(({ name, sql }) => ({
    table: tableOf(schema, name, /\bAUTOINCREMENT\b/.test(sql)),
    targets: schema
      .query<{ target: string }, [string]>(
        `SELECT DISTINCT "table" AS target FROM pragma_foreign_key_list(?)`,
      )
      .all(name)
      .map(({ target }) => target),
  }))
  const sorted: CopiedTable[] = []
  while (sorted.length < tables.length) {
    const isDone = (name: string) => sorted.some((table) => table.name === name)
    const next = tables.filter(({ table, targets }) => !isDone(table.name) && targets.every(isDone))
    if (next.length === 0) throw new Error('The tables refer to each other in a circle.')
    sorted.push(...next.map(({ table }) => table))
  }
  return sorted
}

function tableOf(schema: Connection, name: string, isCounted: boolean): CopiedTable {
  const columns = schema
    .query<{ name: string; pk: number }, [string]>('SELECT name, pk FROM pragma_table_info(?)')
    .all(name)
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
  return {
    name,
    columns: columns.map((column) => column.name),
    order: (key.length > 0 ? key : columns).map((column) => column.name),
    isCounted,
  }
}

/** The statement that reads all rows in their order, which is the same in both databases. */
export function selectAll({ name, columns, order }: CopiedTable): string {
  return `SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order.join(', ')}`
}
