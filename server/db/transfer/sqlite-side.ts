/** An SQLite file as the source or the target of a copy. */
import type { Database as Connection, SQLQueryBindings } from 'bun:sqlite'
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { isOpenElsewhere, renameDurably } from '../copy.ts'
import { openDatabase } from '../open.ts'
import { BATCH_ROWS, type RowOfValues, type RowSource, type RowTarget } from './copy-rows.ts'
import { type CopiedTable, selectAll } from './tables.ts'

/** What SQLite adds to the name of a database for its other files; the database itself is the last. */
const ENDINGS = ['-wal', '-shm', '-journal', '']

/**
 * Runs work that reads a file, which no other program changes during it.
 *
 * @throws Fault notFound, locked (a server uses it); as `openDatabase`; errors of the work
 */
export async function fromFile<T>(path: string, work: (from: RowSource) => Promise<T>): Promise<T> {
  if (!existsSync(path)) throw new Fault('notFound', `The file ${path} does not exist.`)
  if (isOpenElsewhere(path)) {
    throw new Fault('locked', `A server is using ${path}. Stop the server first.`)
  }
  using db = openDatabase(path)
  db.run('BEGIN IMMEDIATE')
  try {
    return await work(sourceOf(db))
  } finally {
    db.run('ROLLBACK')
  }
}

/**
 * Runs work that writes the rows of a new file, which appears when it is complete, with access for its owner only.
 *
 * @param finish is called with the path of the complete file before it appears
 * @throws Fault conflict (the file exists); as `openDatabase`; errors of the work
 */
export async function toFile<T>(
  path: string,
  work: (to: RowTarget) => Promise<T>,
  finish: (unfinished: string) => void = () => undefined,
): Promise<T> {
  if (existsSync(path)) {
    throw new Fault('conflict', `The file ${path} already exists. Choose another file name.`)
  }
  const unfinished = `${path}.unfinished`
  const remove = () => {
    for (const ending of ENDINGS) rmSync(unfinished + ending, { force: true })
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  remove()
  // SQLite gives its other files the mode of the database.
  closeSync(openSync(unfinished, 'wx', 0o600))
  try {
    const result = await fill(unfinished, work)
    finish(unfinished)
    renameDurably(unfinished, path)
    return result
  } finally {
    remove()
  }
}

async function fill<T>(path: string, work: (to: RowTarget) => Promise<T>): Promise<T> {
  using db = openDatabase(path)
  db.run('BEGIN IMMEDIATE')
  const triggers = db
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
    )
    .all()
  // What triggers do has been done already, where the rows come from.
  for (const { name } of triggers) db.run(`DROP TRIGGER ${name}`)
  const result = await work(targetOf(db))
  for (const { sql } of triggers) db.run(sql)
  db.run('COMMIT')
  return result
}

function sourceOf(db: Connection): RowSource {
  return {
    async *read(table) {
      let rows: RowOfValues[] = []
      const found = db.query<Record<string, RowOfValues[number]>, []>(selectAll(table)).iterate()
      for (const row of found) {
        rows.push(table.columns.map((column) => row[column] ?? null))
        if (rows.length < BATCH_ROWS) continue
        yield rows
        rows = []
      }
      if (rows.length > 0) yield rows
    },
    lastId: async ({ name }) =>
      db
        .query<{ seq: number }, [string]>('SELECT seq FROM sqlite_sequence WHERE name = ?')
        .get(name)?.seq ?? 0,
  }
}

function targetOf(db: Connection): RowTarget {
  return {
    ...sourceOf(db),
    async insert({ name, columns }, rows) {
      const insert = db.query(
        `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) insert.run(...(row as SQLQueryBindings[]))
    },
    async setLastId({ name }: CopiedTable, id) {
      db.query('DELETE FROM sqlite_sequence WHERE name = ?').run(name)
      if (id > 0) db.query('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, id)
    },
  }
}
