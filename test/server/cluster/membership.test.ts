/** Processes with one PostgreSQL database: their leases, and what they write without one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Membership } from '#server/cluster/membership.ts'
import { type FolderPeers, untraceable } from '#server/cluster/peers.ts'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import type { PostgresDatabase } from '#server/db/postgres/postgres-database.ts'
import { ServerLeases } from '#server/db/postgres/server-leases.ts'
import { isDatabaseSilent } from '#server/db/silence.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'

const ROOT = '/srv/files'

interface Process {
  db: PostgresDatabase
  member: Membership
  /** Lets the time of its own clock pass. */
  pass(ms: number): void
}

describe.skipIf(postgresMissing() !== undefined)('a process with a database', () => {
  let postgres: TestPostgres
  let url: string
  /** The folders of processes that have surely ended. */
  let ended: Set<string>
  let opened: Process[]
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.remove())
  beforeEach(async () => {
    for (const { db, member } of opened ?? []) {
      await member.leave()
      await db.close()
    }
    opened = []
    ended = new Set()
    url = await postgres.create()
  })

  async function join(
    name: string,
    { isServing = true, folder = folderOf(name) } = {},
  ): Promise<Process> {
    const db = await openPostgres({ url, password: POSTGRES_PASSWORD })
    let passedMs = 0
    const nowMs = () => performance.now() + passedMs
    const options = { folder, root: ROOT, isServing, nowMs }
    const member = await Membership.join(new ServerLeases(db), options)
    const pass = (ms: number) => {
      passedMs += ms
    }
    opened.push({ db, member, pass })
    return { db, member, pass }
  }

  const folderOf = (name: string): FolderPeers => ({
    writer: name,
    isGone: (other) => ended.has(other),
    isShared: () => true,
  })
  const endLeaseOf = (name: string) =>
    postgres.run(
      url,
      `UPDATE servers SET lease_until = clock_timestamp() - interval '1 s' WHERE name = '${name}'`,
    )
  const put = ({ db }: Process, key: string) =>
    db.transaction(() => db.query(`INSERT INTO settings (key, value) VALUES (?, '1')`).run(key))
  const keys = async () =>
    (await postgres.run(url, 'SELECT key FROM settings ORDER BY key')).map(({ key }) => key)

  test('writes nothing after its lease is over and another one has noticed it', async () => {
    const [first, second] = [await join('first'), await join('second')]
    const { writer } = first.member
    await put(first, 'before')
    expect(await second.member.isGone(writer)).toBe(false)
    await endLeaseOf('first')
    expect(await second.member.isGone(writer)).toBe(true)
    await expect(put(first, 'refused')).rejects.toThrow('Another server has taken over')
    await put(first, 'after')
    expect(await keys()).toEqual(['after', 'before'])
    expect(first.member.holds(writer)).toBe(false)
    expect(await second.member.isGone(writer)).toBe(true)
    expect(await second.member.isGone(first.member.writer)).toBe(false)
  })

  test('is waited for while a transaction of it runs', async () => {
    const [first, second] = [await join('first'), await join('second')]
    const { writer } = first.member
    let noticed: Promise<boolean> | undefined
    await first.db.transaction(async () => {
      await first.db.query(`INSERT INTO settings (key, value) VALUES ('last', '1')`).run()
      await endLeaseOf('first')
      noticed = second.member.isGone(writer)
      const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
      while ((await postgres.run(url, waiting)).length === 0) await Bun.sleep(10)
    })
    expect(await noticed).toBe(true)
    expect(await keys()).toEqual(['last'])
  })

  test('has a new name when it could not renew its lease in time', async () => {
    const [first, second] = [await join('first'), await join('second')]
    const { writer } = first.member
    first.pass(13_000)
    expect(first.member.holds(writer)).toBe(false)
    await put(first, 'later')
    expect(first.member.writer).not.toBe(writer)
    expect(first.member.holds(first.member.writer)).toBe(true)
    expect(await second.member.isGone(writer)).toBe(true)
  })

  test('changes nothing while it does not reach the database, and says why', async () => {
    const first = await join('first')
    await postgres.kill()
    first.pass(13_000)
    const refused: unknown = await put(first, 'during').catch((error) => error)
    expect(String(refused)).toContain('has not answered this server for 12 seconds')
    // A job is interrupted then, and goes on later.
    expect(isDatabaseSilent(refused)).toBe(true)
    await postgres.start()
    await put(first, 'after')
    expect(await keys()).toEqual(['after'])
  })

  test('is gone when its folder says so, although its lease lasts', async () => {
    const [first, second] = [await join('first'), await join('second')]
    const { writer } = first.member
    expect(second.member.mayWake(writer)).toBe(true)
    ended.add('first')
    expect(await second.member.isGone(writer)).toBe(true)
    expect(second.member.mayWake(writer)).toBe(false)
    expect((await postgres.run(url, 'SELECT name FROM servers')).map(({ name }) => name)).toEqual([
      'second',
    ])
  })

  test('does the periodic work if it has served longest; then the next one does', async () => {
    const command = await join('command', { isServing: false })
    expect(await command.member.isMaintainer()).toBe(true)
    const [first, second, third] = [await join('first'), await join('second'), await join('third')]
    const areMaintainers = (...peers: Process[]) =>
      Promise.all(peers.map(({ member }) => member.isMaintainer()))
    expect(await areMaintainers(command, first, second, third)).toEqual([false, true, false, false])
    await endLeaseOf('first')
    expect(await areMaintainers(second, third)).toEqual([true, false])
    ended.add('second')
    expect(await third.member.isMaintainer()).toBe(true)
  })

  test('leaves the others alone in a folder that cannot be written', async () => {
    const [first, second] = [
      await join('', { folder: untraceable() }),
      await join('', { folder: untraceable() }),
    ]
    expect([await second.member.isMaintainer(), await first.member.isMaintainer()]).toEqual([
      false,
      true,
    ])
    expect(await second.member.isGone(first.member.writer)).toBe(false)
  })

  test('gives its lease back at its end', async () => {
    const [first, second] = [await join('first'), await join('second')]
    await first.member.leave()
    expect(await second.member.isGone(first.member.writer)).toBe(true)
  })
})
