/** Copies all rows of a database to another one, and compares each of them. */
import { Fault } from '#wire/fault.ts'
import type { Value } from '../database.ts'
import { allTables, type CopiedTable } from './tables.ts'

/** The values of a row, in the order of the columns of its table. */
export type RowOfValues = readonly Value[]

export interface RowSource {
  /** Reads all rows in their order, some at a time. */
  read(table: CopiedTable): AsyncIterable<readonly RowOfValues[]>
  /** @returns the last id that a table has given; 0 if it has given none */
  lastId(table: CopiedTable): Promise<number>
}

export interface RowTarget extends RowSource {
  insert(table: CopiedTable, rows: readonly RowOfValues[]): Promise<void>
  setLastId(table: CopiedTable, id: number): Promise<void>
}

/** What was copied. */
export interface CopiedRows {
  tables: number
  rows: number
}

/** How many rows are read at a time. */
export const BATCH_ROWS = 500

/** @throws Fault internal if a row is not the same afterwards; errors of the databases */
export async function copyRows(from: RowSource, to: RowTarget): Promise<CopiedRows> {
  const tables = allTables()
  for (const table of tables) {
    for await (const rows of from.read(table)) await to.insert(table, rows)
    if (table.isCounted) await to.setLastId(table, await from.lastId(table))
  }
  let rows = 0
  for (const table of tables) rows += await compared(table, from, to)
  return { tables: tables.length, rows }
}

/** @returns how many rows there are */
async function compared(table: CopiedTable, from: RowSource, to: RowSource): Promise<number> {
  const [source, copy] = [rowsOf(from, table), rowsOf(to, table)]
  let count = 0
  for (; ; count += 1) {
    const [one, other] = [await source.next(), await copy.next()]
    if (one.done && other.done) break
    if (one.done || other.done || !Bun.deepEquals(one.value, other.value)) {
      throw differs(`row ${count + 1} of the table ${table.name}`)
    }
  }
  if (table.isCounted && (await from.lastId(table)) !== (await to.lastId(table))) {
    throw differs(`the last id of the table ${table.name}`)
  }
  return count
}

async function* rowsOf(
  side: RowSource,
  table: CopiedTable,
): AsyncGenerator<RowOfValues, undefined> {
  for await (const rows of side.read(table)) yield* rows
}

function differs(what: string): Fault {
  return new Fault('internal', `The copy differs in ${what}. Nothing was copied.`)
}
