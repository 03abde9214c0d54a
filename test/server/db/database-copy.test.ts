/** All rows go from SQLite to PostgreSQL and back, or none. */
import { Database as Connection } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { copyBetween } from '#server/backup/database-copy.ts'
import type { DatabaseAddress } from '#server/config/database-address.ts'
import { openDatabase } from '#server/db/open.ts'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import { copyRows } from '#server/db/transfer/copy-rows.ts'
import { toServer } from '#server/db/transfer/postgres-side.ts'
import { fromFile } from '#server/db/transfer/sqlite-side.ts'
import { allTables } from '#server/db/transfer/tables.ts'
import { Fault } from '#wire/fault.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'

describe.skipIf(postgresMissing() !== undefined)('a copy of a database', () => {
  let postgres: TestPostgres
  let folder: ReturnType<typeof temporaryFolder>
  let url: string
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.remove())
  beforeEach(async () => {
    folder = temporaryFolder()
    url = await postgres.create()
  })
  afterEach(() => folder.remove())

  const at = (name: string) => join(folder.path, name)
  const file = (name: string): DatabaseAddress => ({ kind: 'file', path: at(name) })
  const server = (): DatabaseAddress => ({
    kind: 'postgres',
    url,
    passwordFiles: [],
    password: () => POSTGRES_PASSWORD,
  })
  const refusal = async (run: Promise<unknown>): Promise<string> => {
    const error = await run.then(
      () => new Fault('internal', 'accepted'),
      (error: unknown) => error,
    )
    if (!(error instanceof Fault)) throw error
    return `${error.code}: ${error.message}`
  }
  const rowsOnServer = async () => {
    const counts = await Promise.all(
      allTables().map(({ name }) =>
        postgres.run(url, `SELECT count(*)::int AS count FROM ${name}`),
      ),
    )
    return counts.reduce((sum, [row]) => sum + Number(row?.count), 0)
  }

  test('has every row of every table, and the next ids @spec-10.16', async () => {
    fill(at('a.db'), 1203)
    const copied = await copyBetween(file('a.db'), server())
    expect(copied.rows).toBeGreaterThan(1203 * (copied.tables - 1))
    expect(await rowsOnServer()).toBe(copied.rows)
    // Ids are not given again, also if the rows with the last ones are gone.
    const db = await openPostgres({ url, password: POSTGRES_PASSWORD })
    const added = await db
      .query<{ id: number }, []>(
        `INSERT INTO audit (at_ms, user_id, username, session, address, action, path, target, bytes, status, share)
           VALUES (0, 0, '', '', '', '', '', '', 0, 0, '') RETURNING id`,
      )
      .get()
    expect(added?.id).toBe(5001)
    await db.query('DELETE FROM audit WHERE id = 5001').run()
    await db.close()
    const back = await copyBetween(server(), file('b.db'))
    expect(back).toEqual(copied)
    expect(readdirSync(folder.path).toSorted()).toEqual(['a.db', 'b.db'])
    const [before, after] = [dump(at('a.db')), dump(at('b.db'))]
    expect(after).toEqual({ ...before, lastIds: { ...before.lastIds, audit: 5001 } })
    expect(statSync(at('b.db')).mode & 0o777).toBe(0o600)
  })

  test('is refused if the target has rows, or the source is not there, or both are of one kind', async () => {
    fill(at('a.db'), 1)
    fill(at('b.db'), 1)
    await copyBetween(file('a.db'), server())
    expect(await refusal(copyBetween(file('a.db'), server()))).toMatch(
      /^conflict: The database test\d+ at .* has rows already/,
    )
    expect(await refusal(copyBetween(server(), file('b.db')))).toContain('already exists')
    expect(await refusal(copyBetween(file('none.db'), server()))).toContain('does not exist')
    expect(await refusal(copyBetween(file('a.db'), file('c.db')))).toContain('Name a file and')
    expect(existsSync(at('none.db'))).toBe(false)
  })

  test('is refused while a server uses one of both', async () => {
    fill(at('a.db'), 1)
    {
      using used = new Connection(at('a.db'))
      used.query('SELECT 1 FROM users').get()
      expect(await refusal(copyBetween(file('a.db'), server()))).toContain('A server is using')
    }
    const other = await openPostgres({ url, password: POSTGRES_PASSWORD })
    await other.query('SELECT 1').get()
    expect(await refusal(copyBetween(file('a.db'), server()))).toMatch(/^locked: .*Stop the server/)
    await other.close()
    expect(await rowsOnServer()).toBe(0)
    await copyBetween(file('a.db'), server())
  })

  test('that fails leaves the target without rows @spec-10.16', async () => {
    fill(at('a.db'), 3)
    {
      using db = new Connection(at('a.db'))
      db.run("UPDATE users SET username = 'a' || char(0) || 'b' WHERE id = 3")
    }
    expect(await refusal(copyBetween(file('a.db'), server()))).toContain('NUL')
    expect(await rowsOnServer()).toBe(0)
    fill(at('b.db'), 3)
    await copyBetween(file('b.db'), server())
    await postgres.run(url, 'ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL')
    await postgres.run(url, 'UPDATE users SET password_hash = NULL')
    await expect(copyBetween(server(), file('c.db'))).rejects.toThrow('NOT NULL')
    expect(readdirSync(folder.path).filter((name) => name.startsWith('c.db'))).toEqual([])
  })

  test('with another row than the original is not kept', async () => {
    fill(at('a.db'), 3)
    const address = { url, password: POSTGRES_PASSWORD }
    const spoiled = fromFile(at('a.db'), (from) =>
      toServer(address, (to) =>
        copyRows(from, {
          ...to,
          insert: (table, rows) =>
            to.insert(
              table,
              table.name === 'shares' ? rows.map(([hash, ...rest]) => [`${hash}x`, ...rest]) : rows,
            ),
        }),
      ),
    )
    expect(await refusal(spoiled)).toBe(
      'internal: The copy differs in row 1 of the table shares. Nothing was copied.',
    )
    expect(await rowsOnServer()).toBe(0)
  })
})

/** Writes rows into every table of a new database. Their values differ, also by their types. */
function fill(path: string, count: number): void {
  using db = openDatabase(path)
  db.run('BEGIN')
  for (const { name } of allTables()) {
    const columns = db
      .query<{ name: string; type: string; notnull: number }, [string]>(
        'SELECT name, type, "notnull" FROM pragma_table_info(?)',
      )
      .all(name)
    const references = db
      .query<{ from: string }, [string]>('SELECT "from" FROM pragma_foreign_key_list(?)')
      .all(name)
      .map(({ from }) => from)
    const insert = db.query(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`)
    for (let number = 1; number <= count; number += 1) {
      insert.run(
        ...columns.map((column, index) => {
          if (column.name === 'id' && column.type === 'INTEGER') return number
          if (references.includes(column.name)) return number
          if (column.notnull === 0 && number % 3 === 0 && column.type !== 'INTEGER')
            return `${number}`
          if (column.type === 'INTEGER') return number % 2 ? number : 2 ** 53 - number
          if (column.type === 'BLOB') return new Uint8Array([0, 255, index, number % 256])
          return `${name} "${number}" \\ \n ä 漢 😀 \uE000`
        }),
      )
    }
  }
  db.run("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'audit'")
  db.run('COMMIT')
}

function dump(path: string) {
  using db = new Connection(path, { readonly: true })
  const tables = allTables().map(
    ({ name, order }) =>
      [name, db.query(`SELECT * FROM ${name} ORDER BY ${order.join()}`).all()] as const,
  )
  const ids = db.query<{ name: string; seq: number }, []>('SELECT * FROM sqlite_sequence').all()
  const triggers = db
    .query("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1")
    .all()
  return {
    tables: Object.fromEntries(tables),
    lastIds: Object.fromEntries(ids.map(({ name, seq }) => [name, seq])),
    triggers,
    foreignKeys: db.query('PRAGMA foreign_key_check').all(),
  }
}
