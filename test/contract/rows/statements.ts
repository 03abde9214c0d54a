/** Statements: their parameters, what they return, the order of texts, and errors that callers handle. */
import { describe, expect, test } from 'bun:test'
import { isTaken, isUserGone } from '#server/db/constraints.ts'
import { countOf, type Given, insertUsers } from './fixture.ts'

/** Texts in the order of their bytes in UTF-8. */
const TEXTS = ['', '/', '0', 'B', 'Z', 'a', 'a b', 'ab', 'b', 'ä', 'é', '中', '\u{EF80}', '😀']
/** Texts that a driver could change. */
const UNUSUAL = [
  "it's $1, ?1 and :name",
  'line 1\nline 2\r\n\ttab',
  '\\x41 \\n %s',
  '{"a":[1,null,"\\u0000"]}',
  '\u{FEFF}bom',
]

export function describeStatements(given: Given): void {
  const add = (key: string, value = '') =>
    given.db.query('INSERT INTO settings (key, value) VALUES (?, ?)').run(key, value)
  const keys = async (condition = '') =>
    (
      await given.db
        .query<{ key: string }, []>(`SELECT key FROM settings ${condition} ORDER BY key`)
        .all()
    ).map(({ key }) => key)

  describe('a statement', () => {
    test('returns the first row, all rows, or how many it has changed', async () => {
      const find = given.db.query<{ value: string }, [string]>(
        'SELECT value FROM settings WHERE key = ?',
      )
      expect(await find.get('none')).toBeNull()
      expect(await find.all('none')).toEqual([])
      expect(await add('a', '1')).toEqual({ changes: 1 })
      await add('b', '2')
      expect(await find.get('a')).toEqual({ value: '1' })
      const all = given.db.query<{ key: string; value: string }, []>('SELECT * FROM settings')
      expect((await all.all()).map(({ key, value }) => key + value).toSorted()).toEqual([
        'a1',
        'b2',
      ])
      const change = given.db.query('UPDATE settings SET value = value WHERE key <> ?')
      expect(await change.run('none')).toEqual({ changes: 2 })
      expect(await change.run('a')).toEqual({ changes: 1 })
      const remove = given.db.query('DELETE FROM settings')
      expect(await remove.run()).toEqual({ changes: 2 })
      expect(await remove.run()).toEqual({ changes: 0 })
    })

    test('returns the rows that it has written', async () => {
      const insert = given.db.query<{ key: string }, [string]>(
        "INSERT INTO settings (key, value) VALUES (?, '') RETURNING key",
      )
      expect(await insert.get('a')).toEqual({ key: 'a' })
      const remove = given.db.query<{ key: string }, []>('DELETE FROM settings RETURNING key')
      expect(await remove.all()).toEqual([{ key: 'a' }])
      expect(await remove.get()).toBeNull()
    })

    test('counts the rows that it names, and not those that are deleted with them', async () => {
      await insertUsers(given.db, 1, 2)
      const personal = given.db.query(
        "INSERT INTO personal (user_id, key, value) VALUES (?, 'a', '')",
      )
      for (const id of [1, 2]) await personal.run(id)
      const remove = given.db.query('DELETE FROM users WHERE id = ?')
      expect(await remove.run(1)).toEqual({ changes: 1 })
      expect(await countOf(given.db, 'personal')).toBe(1)
    })

    test('has parameters in order, with numbers, or with names', async () => {
      const numbered = given.db.query('INSERT INTO settings (key, value) VALUES (?2, ?1 || ?2)')
      await numbered.run('x', 'a')
      const named = given.db.query('INSERT INTO settings (key, value) VALUES ($key, $key || $more)')
      await named.run({ more: 'y', key: 'b' })
      const all = given.db.query<{ value: string }, []>('SELECT value FROM settings ORDER BY key')
      expect(await all.all()).toEqual([{ value: 'xa' }, { value: 'by' }])
    })

    test('refuses a missing parameter', async () => {
      const named = given.db.query('INSERT INTO settings (key, value) VALUES ($key, $value)')
      await expect(named.run({ key: 'a' })).rejects.toThrow()
      expect(await keys()).toEqual([])
    })

    test('does not see parameters in texts, names and comments', async () => {
      const query = given.db.query<Record<string, unknown>, [number]>(
        `SELECT '?1 $a ''?' AS "a ?", ? + 1 AS b -- ? $c\n`,
      )
      expect(await query.get(2)).toEqual({ 'a ?': "?1 $a '?", b: 3 })
    })
  })

  describe('a value', () => {
    test('of a number has all its digits, and counts and sums are numbers', async () => {
      const numbers = [
        0,
        -1,
        2 ** 31,
        -(2 ** 40),
        Number.MAX_SAFE_INTEGER,
        -Number.MAX_SAFE_INTEGER,
      ]
      for (const number of numbers) {
        const query = given.db.query<{ same: number }, [number]>('SELECT ? AS same')
        expect(await query.get(number)).toEqual({ same: number })
      }
      await add('a')
      await add('b')
      const sums = given.db.query<Record<string, number>, []>(
        `SELECT count(*) AS count, sum(length(key)) AS sum, max(length(key)) AS max,
           count(*) FILTER (WHERE key = 'a') AS some FROM settings`,
      )
      expect(await sums.get()).toEqual({ count: 2, sum: 2, max: 1, some: 1 })
    })

    test('of a boolean is 1 or 0, and null stays null', async () => {
      await insertUsers(given.db, 1)
      const values = { id: 'u', from: null, overwrite: true, contested: false }
      await given.db
        .query(
          `INSERT INTO uploads (id, root, user_id, path, overwrite, size_bytes, metadata, created_ms, touched_ms,
             contested, unverified_from)
           VALUES ($id, '/', 1, '/', $overwrite, 0, '{}', 0, 0, $contested, $from)`,
        )
        .run(values)
      const read = given.db.query<Record<string, unknown>, []>(
        'SELECT overwrite, contested, unverified_from FROM uploads',
      )
      expect(await read.get()).toEqual({ overwrite: 1, contested: 0, unverified_from: null })
      const truth = given.db.query<Record<string, unknown>, [number]>('SELECT 1 = ? AS is_same')
      expect([await truth.get(1), await truth.get(2)]).toEqual([{ is_same: 1 }, { is_same: 0 }])
    })

    test('of a text has all its characters', async () => {
      for (const text of [...TEXTS, ...UNUSUAL]) await add(`key ${text}`, text)
      for (const text of [...TEXTS, ...UNUSUAL]) {
        const find = given.db.query<{ value: string; length: number }, [string]>(
          'SELECT value, length(value) AS length FROM settings WHERE key = ?',
        )
        expect(await find.get(`key ${text}`)).toEqual({ value: text, length: [...text].length })
      }
    })

    test('of bytes has all of them', async () => {
      await insertUsers(given.db, 1)
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
      const insert = given.db.query<unknown, [string, Uint8Array]>(
        `INSERT INTO passkeys (id, user_id, handle, public_key, counter, rp_id, transports, is_synced, name, created_ms)
         VALUES (?, 1, '', ?, 0, '', '', 0, '', 0)`,
      )
      await insert.run('all', bytes)
      await insert.run('none', new Uint8Array())
      const read = given.db.query<{ public_key: Uint8Array }, []>(
        'SELECT public_key FROM passkeys ORDER BY id',
      )
      const [all, none] = await read.all()
      expect(all?.public_key).toEqual(bytes)
      expect(none?.public_key).toEqual(new Uint8Array())
    })
  })

  test('texts are in the order of their bytes, and their ranges contain what begins with them', async () => {
    for (const text of TEXTS.toReversed()) await add(text)
    expect(await keys()).toEqual(TEXTS)
    expect(await keys("WHERE key >= 'a' AND key < 'b'")).toEqual(['a', 'a b', 'ab'])
    const range = given.db.query<{ key: string }, [string, string]>(
      'SELECT key FROM settings WHERE key >= ? AND key < ? ORDER BY key DESC',
    )
    expect((await range.all('a', 'b')).map(({ key }) => key)).toEqual(['ab', 'a b', 'a'])
    const edges = given.db.query<Record<string, string>, []>(
      'SELECT min(key) AS first, max(key) AS last FROM settings',
    )
    expect(await edges.get()).toEqual({ first: '', last: '😀' })
  })

  describe('an error', () => {
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      )

    test('of a value that exists once is told from others', async () => {
      await insertUsers(given.db, 1)
      const twice = await failure(
        given.db
          .query("UPDATE users SET id = 2, username = 'user 1'")
          .run()
          .then(() => insertUsers(given.db, 1)),
      )
      expect([isTaken(twice), isUserGone(twice)]).toEqual([true, false])
      await add('a')
      const key = await failure(add('a'))
      expect([key instanceof Error, isTaken(key), isUserGone(key)]).toEqual([true, false, false])
    })

    test('of a row whose user is gone is told from others', async () => {
      const personal = "INSERT INTO personal (user_id, key, value) VALUES (7, 'a', '')"
      const gone = await failure(given.db.query(personal).run())
      expect([isTaken(gone), isUserGone(gone)]).toEqual([false, true])
    })

    test('of a wrong statement is neither, and the next one works', async () => {
      const wrong = await failure(given.db.query('SELECT nothing FROM nowhere').all())
      expect([wrong instanceof Error, isTaken(wrong), isUserGone(wrong)]).toEqual([
        true,
        false,
        false,
      ])
      expect(await keys()).toEqual([])
    })
  })
}
