/** PostgreSQL: which databases are refused, and what happens when the server does not answer for a while. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import type { PostgresDatabase } from '#server/db/postgres/postgres-database.ts'
import { asFault } from '#server/http/context/faults.ts'
import { Fault } from '#wire/fault.ts'
import { poolerMissing, startPooler } from '../../support/server/pooler.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'

describe.skipIf(postgresMissing() !== undefined)('a PostgreSQL server', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  /** @returns the code and the message of the refusal */
  const refusal = async (url: string, password = POSTGRES_PASSWORD): Promise<string> => {
    try {
      await (await openPostgres({ url, password })).close()
      return 'opened'
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return `${error.code}: ${error.message}`
    }
  }

  describe('is refused', () => {
    test('with a wrong password, which no message contains', async () => {
      const refused = await refusal(await server.create(), 'not the password')
      expect(refused).toMatch(
        /^forbidden: The database test\d+ at 127\.0\.0\.1:\d+ refuses the user filemgr/,
      )
    })

    test('if it has no such database, stores other characters, or can only be read', async () => {
      expect(await refusal((await server.create()).replace(/test\d+$/, 'none'))).toContain(
        'notFound: There is no database none',
      )
      expect(await refusal(await server.create({ encoding: 'LATIN1' }))).toContain('as LATIN1')
      const url = await server.create()
      const name = url.split('/').at(-1)
      await server.run(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
      expect(await refusal(url)).toMatch(/^readOnly: .* can only be read/)
    })

    test('if it is of a newer version, or of another program', async () => {
      const url = await server.create()
      expect(await refusal(url)).toBe('opened')
      await server.run(url, 'UPDATE schema_version SET version = 9999, needed = 9999')
      expect(await refusal(url)).toMatch(/^conflict: .* was written by a newer filemgr/)
      const foreign = await server.create()
      await server.run(foreign, 'CREATE TABLE users (id int)')
      expect(await refusal(foreign)).toMatch(/^conflict: .* has tables of another program/)
      expect(await server.run(foreign, 'SELECT * FROM users')).toEqual([])
    })

    test.skipIf(poolerMissing() !== undefined)('behind a pooler in transaction mode', async () => {
      const ours = 'statement_timeout,idle_in_transaction_session_timeout,client_min_messages'
      const url = await server.create()
      for (const ignored of [ours, 'extra_float_digits']) {
        const pooler = await startPooler(url, ignored)
        const refused = await refusal(pooler.url)
        await pooler.remove()
        expect(refused).toMatch(/^badRequest: .* is behind a pooler/)
      }
      expect(await refusal(url)).toBe('opened')
    })

    test('if nothing answers', async () => {
      expect(await refusal('postgres://filemgr@127.0.0.1:1/x')).toBe(
        'unavailable: The database x at 127.0.0.1:1 does not answer.',
      )
    })
  })

  test('refuses a text with a character that it does not store, as a fault of the request', async () => {
    const db = await openPostgres({ url: await server.create(), password: POSTGRES_PASSWORD })
    const find = db.query<unknown, [string]>('SELECT 1 FROM settings WHERE key = ?')
    const refused = await find.get('a\0b').catch((error: unknown) => asFault(error))
    expect(refused).toMatchObject({ code: 'badRequest' })
    await db.close()
  })

  test('has flushed what is acknowledged', async () => {
    const db = await openPostgres({ url: await server.create(), password: POSTGRES_PASSWORD })
    const insert = db.query("INSERT INTO settings (key, value) VALUES (?, '')")
    const end = db.query<{ end: string }, []>(
      'SELECT CAST(pg_current_wal_insert_lsn() AS TEXT) AS end',
    )
    const isFlushed = db.query<{ is_flushed: number }, [string]>(
      'SELECT pg_current_wal_flush_lsn() >= CAST(? AS pg_lsn) AS is_flushed',
    )
    const changes = Array.from({ length: 20 }, async (_, number) => {
      const written = await db.transaction(async () => {
        await insert.run(`${number}`)
        return end.get()
      })
      return (await isFlushed.get(written?.end ?? ''))?.is_flushed
    })
    expect(new Set(await Promise.all(changes))).toEqual(new Set([1]))
    await db.close()
  })

  test('has ids in the order in which other processes see them', async () => {
    const url = await server.create()
    const open = () => openPostgres({ url, password: POSTGRES_PASSWORD })
    const [one, other, reader] = [await open(), await open(), await open()]
    const insert = (db: PostgresDatabase) =>
      db.lazily(async () => {
        await db.query("INSERT INTO ended_uploads (root, id) VALUES ('', '')").run()
        await db
          .query(
            `INSERT INTO audit (at_ms, user_id, username, session, address, action, path, target, bytes, status, share)
             VALUES (0, 0, '', '', '', '', '', '', 0, 0, '')`,
          )
          .run()
      })
    const seen: number[] = []
    const newest = reader.query<{ id: number | null; count: number }, []>(
      'SELECT max(id) AS id, count(*) AS count FROM audit',
    )
    let isEnded = false
    const reading = (async () => {
      while (!isEnded) {
        const { id, count } = (await newest.get()) ?? { id: 0, count: 0 }
        seen.push((id ?? 0) - count)
      }
    })()
    await Promise.all(Array.from({ length: 60 }, (_, index) => insert(index % 2 ? one : other)))
    isEnded = true
    await reading
    expect(new Set(seen)).toEqual(new Set([0]))
    for (const db of [one, other, reader]) await db.close()
  })

  describe('tells what others have changed', () => {
    const open = (url: string) => openPostgres({ url, password: POSTGRES_PASSWORD })
    const SESSION = `INSERT INTO users (id, username, password_hash, scope, lock_password, perm, commands, rules, preferences, changed_ms)
       VALUES (1, 'anna', '', '/', 0, '{}', '[]', '[]', '{}', 0);
     INSERT INTO sessions (id, user_id, created_ms, seen_ms, expires_ms, address, agent) VALUES ('s', 1, 0, 0, 9, '', '')`
    /** Writes many notes: one for each process, as commands do. */
    const noteMany = (url: string) =>
      server.run(
        url,
        "INSERT INTO noted_changes SELECT 'command ' || number, 'access', 1 FROM generate_series(1, 300) AS number",
      )
    const notes = async (url: string) =>
      (await server.run(url, 'SELECT process FROM noted_changes')).map(({ process }) => process)

    test('although the notes were deleted since', async () => {
      const url = await server.create()
      const [one, other, third] = [await open(url), await open(url), await open(url)]
      await server.run(url, SESSION)
      while (!(await notes(url)).includes('')) await third.outsideVersion('access')
      const before = await one.outsideVersion('access')
      await other.query("DELETE FROM sessions WHERE id = 's'").run()
      await noteMany(url)
      while ((await notes(url)).length > 1) await third.outsideVersion('access')
      expect(await one.outsideVersion('access')).not.toBe(before)
      for (const db of [one, other, third]) await db.close()
    })

    test('although a crash of the server has deleted the notes', async () => {
      const url = await server.create()
      const [one, other] = [await open(url), await open(url)]
      await server.run(url, SESSION)
      const before = await one.outsideVersion('access')
      await other.query("DELETE FROM sessions WHERE id = 's'").run()
      await server.kill()
      await server.start()
      expect(await notes(url)).toEqual([])
      expect(await one.outsideVersion('access')).not.toBe(before)
      for (const db of [one, other]) await db.close()
    })

    test('and not the time of the last use', async () => {
      const url = await server.create()
      const [one, other] = [await open(url), await open(url)]
      await server.run(url, SESSION)
      while (!(await notes(url)).includes('')) await one.outsideVersion('access')
      const before = [await one.outsideVersion('access'), await one.outsideVersion('jobs')]
      await other.query("UPDATE sessions SET seen_ms = 5, address = 'x' WHERE id = 's'").run()
      await other.query('UPDATE users SET signed_in_ms = 5').run()
      await other.query("INSERT INTO settings (key, value) VALUES ('writeCheck', '1')").run()
      const after = [await one.outsideVersion('access'), await one.outsideVersion('jobs')]
      expect(after).toEqual(before)
      await other.query('UPDATE sessions SET expires_ms = 5').run()
      expect(await one.outsideVersion('access')).not.toBe(before[0])
      expect(await one.outsideVersion('jobs')).toBe(before[1] ?? '')
      for (const db of [one, other]) await db.close()
    })
  })

  describe('that goes away', () => {
    let db: PostgresDatabase
    let url: string
    beforeEach(async () => {
      url = await server.create()
      db = await openPostgres({ url, password: POSTGRES_PASSWORD })
    })
    afterEach(() => db.close())
    const add = (key: string) =>
      db.query("INSERT INTO settings (key, value) VALUES (?, '')").run(key)
    const keys = async () =>
      (await server.run(url, 'SELECT key FROM settings')).map(({ key }) => String(key)).toSorted()
    /** Ends the connection that asks. */
    const END = 'SELECT pg_terminate_backend(pg_backend_pid())'

    test('before a commit: the work is repeated, and its rows are there once', async () => {
      let runs = 0
      await db.transaction(async () => {
        runs += 1
        await add('one')
        if (runs === 1) await db.query(END).get()
        await add('two')
      })
      expect([runs, await keys()]).toEqual([2, ['one', 'two']])
    })

    test('during a commit: the caller gets an error, and nothing is repeated', async () => {
      await server.run(
        url,
        `CREATE FUNCTION vanish() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER vanish AFTER INSERT ON settings DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW WHEN (NEW.key = 'lost') EXECUTE FUNCTION vanish()`,
      )
      let runs = 0
      const lost = db.transaction(async () => {
        runs += 1
        await add('lost')
      })
      await expect(lost).rejects.toMatchObject({ code: 'POSTGRES_UNCERTAIN' })
      await add('next')
      expect([runs, await keys()]).toEqual([1, ['next']])
    })

    test('and comes back: requests wait, and no acknowledged row is lost', async () => {
      const acknowledged: string[] = []
      let isEnded = false
      const write = async (name: string) => {
        for (let count = 0; !isEnded; count += 1) {
          // An error during a commit is allowed: the row is not acknowledged then.
          await add(`${name}-${count}`).then(
            () => acknowledged.push(`${name}-${count}`),
            (error: { code: string }) => expect(error.code).toBe('POSTGRES_UNCERTAIN'),
          )
        }
      }
      const read = async () => {
        while (!isEnded) await db.query('SELECT 1 FROM settings LIMIT 1').get()
      }
      const all = Promise.all([...['a', 'b', 'c', 'd'].map(write), read()])
      const someMore = async () => {
        const before = acknowledged.length
        while (acknowledged.length < before + 20) await Bun.sleep(5)
      }
      await someMore()
      await server.kill()
      await server.start()
      await someMore()
      isEnded = true
      await all
      const stored = new Set(await keys())
      expect(acknowledged.filter((key) => !stored.has(key))).toEqual([])
    })

    test('for long: the error says so', async () => {
      await server.kill()
      const failures = await Promise.allSettled([add('a'), db.query('SELECT 1').get()])
      const reason = { code: 'POSTGRES_UNREACHABLE' }
      expect(failures).toMatchObject([{ reason }, { reason }])
      const [failure] = failures
      expect(failure?.status === 'rejected' && asFault(failure.reason)).toMatchObject({
        code: 'unavailable',
        message: 'The database does not answer. Try again in a moment.',
      })
      await server.start()
      await add('b')
      expect(await keys()).toEqual(['b'])
    })
  })
})
