/** The embedded database: what a transaction shows to others, what it takes back, and what is counted. */
import { Database as Connection } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase, waitBriefly } from '#server/db/open.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: SqliteDatabase
/** How often the log was flushed. */
let flushes: number
beforeEach(() => {
  folder = temporaryFolder()
  flushes = 0
  const connection = openDatabase(path())
  connection.run('CREATE TABLE things (name TEXT UNIQUE)')
  connection.run('CREATE TABLE others (name TEXT)')
  waitBriefly(connection)
  db = new SqliteDatabase(connection, async () => {
    flushes += 1
  })
})
afterEach(async () => {
  await db.close()
  folder.remove()
})

const path = () => join(folder.path, 'f.db')
const add = (name: string, table = 'things') =>
  db.query(`INSERT INTO ${table} (name) VALUES (?)`).run(name)
const names = async () =>
  (await db.query<{ name: string }, []>('SELECT name FROM things ORDER BY rowid').all()).map(
    ({ name }) => name,
  )
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a transaction', () => {
  test('is invisible to others before it has ended, and its own statements see it', async () => {
    const halfway = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const work = db.transaction(async () => {
      await add('one')
      expect(await names()).toEqual(['one'])
      halfway.resolve()
      await goOn.promise
      await add('two')
    })
    await halfway.promise
    expect(await names()).toEqual([])
    goOn.resolve()
    await work
    expect(await names()).toEqual(['one', 'two'])
  })

  test('is taken back as a whole if its work fails', async () => {
    const failing = db.transaction(async () => {
      await add('one')
      throw new Error('not now')
    })
    await expect(failing).rejects.toThrow('not now')
    expect(await names()).toEqual([])
  })

  test('has parts that can be taken back alone', async () => {
    await db.transaction(async () => {
      await add('one')
      const part = db.transaction(async () => {
        await add('two')
        await add('one')
      })
      await expect(part).rejects.toThrow('UNIQUE')
      await add('three')
    })
    expect(await names()).toEqual(['one', 'three'])
  })

  test('excludes others, so that none of them passes a limit', async () => {
    const addUpToTwo = (name: string) =>
      db.transaction(async () => {
        if ((await names()).length >= 2) throw new Error('full')
        await nextTurn()
        await add(name)
      })
    const ends = await Promise.allSettled(['a', 'b', 'c', 'd'].map(addUpToTwo))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await names()).toEqual(['a', 'b'])
  })

  test('does not contain what its work has left running', async () => {
    const later = Promise.withResolvers<void>()
    const left: Promise<unknown>[] = []
    const failing = db.transaction(async () => {
      left.push(later.promise.then(() => add('later')))
      throw new Error('not now')
    })
    await expect(failing).rejects.toThrow('not now')
    later.resolve()
    await Promise.all(left)
    expect(await names()).toEqual(['later'])
  })
})

describe('the disk', () => {
  test('a statement and a transaction wait for one flush, and lazy work for none', async () => {
    await add('one')
    expect(flushes).toBe(1)
    await db.transaction(async () => {
      await add('two')
      await add('three')
    })
    expect(flushes).toBe(2)
    await db.lazily(() => add('four'))
    expect(flushes).toBe(2)
    expect(await names()).toEqual(['one', 'two', 'three', 'four'])
  })

  test('work that waits when the database is closed is written and flushed', async () => {
    const waiting = Promise.all([add('one'), db.lazily(() => add('two'))])
    await db.close()
    await waiting
    expect(flushes).toBe(1)
    using other = new Connection(path())
    expect(
      other.query('SELECT name FROM things ORDER BY rowid').values().flat().toSorted(),
    ).toEqual(['one', 'two'])
    db = new SqliteDatabase(openDatabase(path()), async () => undefined)
  })

  test('work waits while another program holds the lock, and reading does not', async () => {
    using other = new Connection(path())
    other.run('BEGIN IMMEDIATE')
    const waiting = add('one')
    expect(await names()).toEqual([])
    other.run('COMMIT')
    await waiting
    expect(await names()).toEqual(['one'])
  })
})

describe('the counters', () => {
  test('a table counts its committed changes, and those that were taken back', async () => {
    const before = db.writesTo('things')
    await db.transaction(async () => {
      await add('one')
      expect(db.writesTo('things')).toBe(before)
    })
    expect(db.writesTo('things')).toBe(before + 1)
    expect(db.writesTo('others')).toBe(0)
    const failing = db.transaction(async () => {
      await add('two')
      throw new Error('not now')
    })
    await failing.catch(() => undefined)
    expect(db.writesTo('things', 'others')).toBe(before + 2)
  })

  test('only writes of other processes are from outside', async () => {
    const before = await db.outsideVersion()
    await add('one')
    await nextTurn()
    expect(await db.outsideVersion()).toBe(before)
    using other = new Connection(path())
    other.run("INSERT INTO things VALUES ('two')")
    await nextTurn()
    expect(await db.outsideVersion()).not.toBe(before)
  })
})
