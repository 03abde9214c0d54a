/** Servers with one PostgreSQL database tell each other what has changed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Outbox } from '#server/cluster/outbox.ts'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import type { PostgresDatabase } from '#server/db/postgres/postgres-database.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'

interface Told {
  outbox: Outbox
  /** The paths that this server was told of, in order. */
  paths: TreePath[]
  /** The number of looks at jobs. */
  jobs: number
  lines: string[]
  /** Resolves when the condition is true. It is looked at again after each event. */
  until(holds: () => boolean): Promise<void>
}

describe.skipIf(postgresMissing() !== undefined)('servers with one database', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.remove())

  let url: string
  let opened: { db: PostgresDatabase; outbox: Outbox }[]
  beforeEach(async () => {
    url = await postgres.create()
    opened = []
  })
  afterEach(async () => {
    for (const { db, outbox } of opened) {
      await outbox.close()
      await db.close()
    }
  })

  async function start(root = '/srv'): Promise<Told> {
    const db = await openPostgres({ url, password: POSTGRES_PASSWORD })
    const outbox = new Outbox(db.channel, root)
    opened.push({ db, outbox })
    let wake = Promise.withResolvers<void>()
    const told: Told = {
      outbox,
      paths: [],
      jobs: 0,
      lines: [],
      async until(holds) {
        while (!holds()) await wake.promise
      },
    }
    const happened = () => {
      wake.resolve()
      wake = Promise.withResolvers()
    }
    await outbox.start({
      changed(paths) {
        told.paths.push(...paths)
        happened()
      },
      jobsChanged() {
        told.jobs += 1
        happened()
      },
      log(line) {
        told.lines.push(line)
        happened()
      },
    })
    // The first connection means: look at everything.
    await told.until(() => told.paths.includes(ROOT))
    told.paths.length = 0
    return told
  }
  const path = (name: string) => name as TreePath
  /** A row as another server writes it, without a notice. */
  const insert = (values: string) =>
    postgres.run(url, `INSERT INTO outbox (process, root, paths, at) VALUES ${values}`)
  const endListening = () =>
    postgres.run(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'listen%'",
    )

  test('tell the others of changed paths once, and not themselves', async () => {
    const [one, other, third] = [await start(), await start(), await start()]
    one.outbox.changed([path('/a'), path('/b')])
    one.outbox.changed([path('/a')])
    await other.until(() => other.paths.includes(path('/b')))
    other.outbox.changed([path('/c')])
    await third.until(() => third.paths.includes(path('/c')))
    await one.until(() => one.paths.includes(path('/c')))
    expect([one.paths, other.paths, third.paths]).toEqual([
      [path('/c')],
      [path('/a'), path('/b')],
      [path('/a'), path('/b'), path('/c')],
    ])
  })

  test('only tell those that serve the same folder, and tell the last changes when they stop', async () => {
    const [one, same, different] = [await start(), await start(), await start('/other')]
    one.outbox.changed([path('/a')])
    await one.outbox.close()
    await same.until(() => same.paths.length > 0)
    const last = await start('/other')
    last.outbox.changed([path('/b')])
    await different.until(() => different.paths.length > 0)
    expect([same.paths, different.paths]).toEqual([[path('/a')], [path('/b')]])
  })

  test('tell the index of names here and the others, also without an index', async () => {
    const [one, other] = [await start(), await start()]
    const indexed: TreePath[] = []
    const index = {
      changed: (paths: readonly TreePath[]) => indexed.push(...paths),
      find: async () => undefined,
      sizes: async () => new Map([['a', 1]]),
    }
    const reported = one.outbox.reporting(index)
    reported.changed([path('/with')])
    one.outbox.reporting(undefined).changed([path('/without')])
    await other.until(() => other.paths.includes(path('/without')))
    expect(other.paths).toEqual([path('/with'), path('/without')])
    expect(indexed).toEqual([path('/with')])
    expect(await reported.sizes(ROOT)).toEqual(new Map([['a', 1]]))
  })

  test('say that anything may have changed instead of more paths than fit', async () => {
    const [one, other] = [await start(), await start()]
    const paths = Array.from({ length: 10_001 }, (_, number) => path(`/${number}`))
    one.outbox.changed(paths.slice(0, 10_000))
    await other.until(() => other.paths.length === 10_000)
    other.paths.length = 0
    one.outbox.changed(paths)
    await other.until(() => other.paths.length > 0)
    expect(other.paths).toEqual([ROOT])
  })

  test('see events without a notice, and those that are committed late', async () => {
    const told = await start()
    await insert(`('x', '/srv', '["/without"]', now())`)
    await told.until(() => told.paths.length > 0)
    await insert(`('x', '/srv', '["/late"]', now() - interval '4 seconds')`)
    await told.until(() => told.paths.length > 1)
    expect(told.paths).toEqual([path('/without'), path('/late')])
  }, 20_000)

  test('look at everything again after a break of the connection', async () => {
    const told = await start()
    await endListening()
    await told.until(() => told.paths.includes(ROOT))
    const other = await start()
    other.outbox.changed([path('/after')])
    await told.until(() => told.paths.includes(path('/after')))
  }, 20_000)

  test('tell of changes that were made while the database did not answer', async () => {
    const [one, other] = [await start(), await start()]
    await postgres.kill()
    one.outbox.changed([path('/meantime')])
    await one.until(() => one.lines.length > 0)
    await postgres.start()
    await other.until(() => other.paths.includes(path('/meantime')))
    expect(other.paths).toContain(ROOT)
    await one.until(() => one.lines.length > 1)
    expect(one.lines[0]).toStartWith('changes of other servers are not seen: ')
    expect(one.lines[1]).toBe('changes of other servers are seen again')
  }, 30_000)

  test('tell of jobs without an event, and delete old events', async () => {
    const [one, other] = [await start(), await start()]
    const before = other.jobs
    one.outbox.jobsChanged()
    await other.until(() => other.jobs > before)
    expect(await postgres.run(url, 'SELECT id FROM outbox')).toEqual([])
    await insert(`('x', '', '[]', now() - interval '61 seconds'), ('x', '', '[]', now())`)
    await opened[0]?.db.channel.forget()
    expect(await postgres.run(url, 'SELECT root FROM outbox')).toHaveLength(1)
  })
})
