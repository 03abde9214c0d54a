/** Transactions: what they show to others, what they take back, who waits, and what is counted. */
import { describe, expect, test } from 'bun:test'
import type { Database } from '#server/db/database.ts'
import { type Given, insertUsers } from './fixture.ts'

export function describeTransactions(given: Given): void {
  const addTo = (db: Database, key: string) =>
    db.query("INSERT INTO settings (key, value) VALUES (?, '')").run(key)
  const add = (key: string) => addTo(given.db, key)
  const keysOf = async (db: Database) =>
    (await db.query<{ key: string }, []>('SELECT key FROM settings ORDER BY key').all()).map(
      ({ key }) => key,
    )
  const keys = () => keysOf(given.db)
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

  describe('a transaction', () => {
    test('is invisible to others before it has ended, and its own statements see it', async () => {
      const [halfway, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const work = given.db.transaction(async () => {
        await add('one')
        expect(await keys()).toEqual(['one'])
        halfway.resolve()
        await goOn.promise
        await add('two')
        return 'done'
      })
      await halfway.promise
      expect(await keys()).toEqual([])
      goOn.resolve()
      expect(await work).toBe('done')
      expect(await keys()).toEqual(['one', 'two'])
    })

    test('is taken back as a whole if its work fails', async () => {
      const failing = given.db.transaction(async () => {
        await add('one')
        throw new Error('not now')
      })
      await expect(failing).rejects.toThrow('not now')
      expect(await keys()).toEqual([])
    })

    test('is taken back as a whole if a statement fails', async () => {
      const failing = given.db.transaction(async () => {
        await add('one')
        await add('one')
      })
      await expect(failing).rejects.toThrow()
      expect(await keys()).toEqual([])
      await add('one')
      expect(await keys()).toEqual(['one'])
    })

    test('has parts that can be taken back alone, also those of services that know nothing of it', async () => {
      const service = (key: string) =>
        given.db.transaction(async () => {
          await add(key)
          await given.db.lazily(() => add(`${key} below`))
        })
      await given.db.transaction(async () => {
        await service('one')
        const part = given.db.transaction(async () => {
          await service('two')
          await add('one')
        })
        await expect(part).rejects.toThrow()
        await expect(given.db.lazily(() => add('one'))).rejects.toThrow()
        await service('three')
      })
      expect(await keys()).toEqual(['one', 'one below', 'three', 'three below'])
    })

    test('does not contain what its work has left running', async () => {
      const later = Promise.withResolvers<void>()
      const left: Promise<unknown>[] = []
      const failing = given.db.transaction(async () => {
        left.push(later.promise.then(() => add('later')))
        throw new Error('not now')
      })
      await expect(failing).rejects.toThrow('not now')
      later.resolve()
      await Promise.all(left)
      expect(await keys()).toEqual(['later'])
    })

    test('does not contain the statements of other requests', async () => {
      const [halfway, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const failing = given.db.transaction(async () => {
        await add('one')
        halfway.resolve()
        await goOn.promise
        throw new Error('not now')
      })
      await halfway.promise
      const other = add('other')
      goOn.resolve()
      await expect(failing).rejects.toThrow('not now')
      await other
      expect(await keys()).toEqual(['other'])
    })
  })

  describe('at the same time', () => {
    test('transactions exclude each other, so that none of them passes a limit', async () => {
      const addUpToTwo = (key: string) =>
        given.db.transaction(async () => {
          if ((await keys()).length >= 2) throw new Error('full')
          await nextTurn()
          await add(key)
        })
      const ends = await Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map(addUpToTwo))
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      expect(await keys()).toHaveLength(2)
    })

    test('processes lose no change of a value that they read before', async () => {
      const other = await given.openOther()
      await given.db.query("INSERT INTO settings (key, value) VALUES ('n', '0')").run()
      const increment = (db: Database, run: typeof db.transaction) =>
        run.call(db, async () => {
          const row = await db
            .query<{ value: string }, []>("SELECT value FROM settings WHERE key = 'n'")
            .get()
          await nextTurn()
          const set = db.query("UPDATE settings SET value = ? WHERE key = 'n'")
          await set.run(`${Number(row?.value) + 1}`)
        })
      const all = Array.from({ length: 10 }, () => [
        increment(given.db, given.db.transaction),
        increment(other, other.transaction),
        increment(given.db, given.db.lazily),
      ])
      await Promise.all(all.flat())
      const read = given.db.query<{ value: string }, []>('SELECT value FROM settings')
      expect(await read.get()).toEqual({ value: '30' })
    })

    test('one of many inserts a key, and the others get the error', async () => {
      const other = await given.openOther()
      const ends = await Promise.allSettled([
        add('a'),
        addTo(other, 'a'),
        add('a'),
        addTo(other, 'a'),
      ])
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await keys()).toEqual(['a'])
    })

    test('a conditional change succeeds once', async () => {
      await add('a')
      const other = await given.openOther()
      const claim = (db: Database) =>
        db.query("UPDATE settings SET value = 'taken' WHERE key = 'a' AND value = ''").run()
      const claims = await Promise.all([claim(given.db), claim(other), claim(given.db)])
      expect(claims.reduce((sum, { changes }) => sum + changes, 0)).toBe(1)
    })
  })

  test('lazy work is visible when it has ended, and to other processes too', async () => {
    const other = await given.openOther()
    expect(await given.db.lazily(async () => (await add('one')).changes)).toBe(1)
    await given.db.lazily(() => add('two'), { isPatient: false })
    expect(await keys()).toEqual(['one', 'two'])
    expect(await keysOf(other)).toEqual(['one', 'two'])
    await expect(given.db.lazily(() => add('two'))).rejects.toThrow()
    expect(await keys()).toEqual(['one', 'two'])
  })

  describe('the counters', () => {
    test('a table counts its changes when they are committed', async () => {
      const before = given.db.writesTo('settings')
      await given.db.transaction(async () => {
        await add('one')
        expect(given.db.writesTo('settings')).toBe(before)
      })
      expect(given.db.writesTo('settings')).toBeGreaterThan(before)
      const after = given.db.writesTo('settings')
      expect(given.db.writesTo('roots')).toBe(0)
      await keys()
      expect(given.db.writesTo('settings', 'roots')).toBe(after)
      await given.db.query("UPDATE settings SET value = ''").run()
      expect(given.db.writesTo('settings', 'roots')).toBeGreaterThan(after)
    })

    test('only writes of other processes are from outside', async () => {
      const other = await given.openOther()
      const before = await given.db.outsideVersion('access')
      await add('one')
      await nextTurn()
      expect(await given.db.outsideVersion('access')).toBe(before)
      await addTo(other, 'two')
      await nextTurn()
      const after = await given.db.outsideVersion('access')
      expect(after).not.toBe(before)
      await nextTurn()
      expect(await given.db.outsideVersion('access')).toBe(after)
    })

    test('rows that are deleted with others are written from outside too', async () => {
      await insertUsers(given.db, 1)
      await given.db
        .query(
          `INSERT INTO sessions (id, user_id, created_ms, seen_ms, expires_ms, address, agent)
           VALUES ('s', 1, 0, 0, 0, '', '')`,
        )
        .run()
      const other = await given.openOther()
      const before = await given.db.outsideVersion('access')
      await other.query('DELETE FROM users').run()
      await nextTurn()
      expect(await given.db.outsideVersion('access')).not.toBe(before)
    })
  })
}
