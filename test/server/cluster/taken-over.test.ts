/**
 * A process loses its lease in the middle of a change, and another one decides what has happened. The first one then does
 * nothing more of it.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Origin, RecordedChange, Recorder } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { Scopes } from '#server/access/scope/scopes.ts'
import { Cluster } from '#server/cluster/cluster.ts'
import { loadConfig } from '#server/config/load.ts'
import { type Core, openCore, type ServingRows } from '#server/core.ts'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import type { PostgresDatabase } from '#server/db/postgres/postgres-database.ts'
import { ServerLeases } from '#server/db/postgres/server-leases.ts'
import { openTree, type Tree } from '#server/tree.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'

interface Process {
  core: Core & { rows: ServingRows }
  tree: Tree
  cluster: Cluster
  leases: PostgresDatabase
}

describe.skipIf(postgresMissing() !== undefined)('one of two processes', () => {
  let postgres: TestPostgres
  let url: string
  let folder: ReturnType<typeof temporaryFolder>
  let first: Process
  let second: Process
  /** How much time has passed for the first process only. */
  let sleptMs: number
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.remove())
  beforeEach(async () => {
    sleptMs = 0
    folder = temporaryFolder()
    mkdirSync(at())
    url = await postgres.create()
    first = await open(() => performance.now() + sleptMs)
    second = await open(() => performance.now())
  })
  afterEach(async () => {
    for (const { core, tree, cluster, leases } of [first, second]) {
      tree.close()
      await cluster.close()
      await core.close()
      await leases.close()
    }
    folder.remove()
  })

  const at = (...names: string[]) => join(folder.path, 'root', ...names)

  /** The rows have a connection without a lease, so that only the checks of the journal and of the storage refuse. */
  async function open(nowMs: () => number): Promise<Process> {
    const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
    const core = await openCore(loadConfig({ flags: { database: url, root: at() }, env }))
    const leases = await openPostgres({ url, password: POSTGRES_PASSWORD })
    const cluster = new Cluster(new ServerLeases(leases), nowMs)
    const { rows, flushes, shares, config } = core
    const deps = { rows, flushes, shares, cluster, isServing: true }
    return { core, tree: await openTree(at(), config, deps), cluster, leases }
  }

  /** A scope of the first process whose entries are changed. */
  function scope(
    change: (entry: RecordedChange) => Partial<RecordedChange>,
    origin?: Origin,
  ): Scope {
    const { storage, journal } = first.tree
    const recorder: Recorder = {
      keeps: (...args) => journal.keeps(...args),
      makeRoom: (...args) => journal.makeRoom(...args),
      describeFull: (...args) => journal.describeFull(...args),
      open: (...args) => {
        const entry = journal.open(...args)
        return Object.assign(entry, change(entry))
      },
    }
    const scopes = new Scopes(
      storage,
      { get: () => [], refresh: async () => undefined },
      first.core.shares,
      async () => undefined,
      recorder,
    )
    const perm = permissionsOf('admin')
    const user = { id: 1, username: 'a', perm, scope: '/', rules: [], hideDotfiles: false }
    return scopes.of(user, async () => user, origin)
  }

  /** The first process sleeps until its lease is over, and the second one takes over. */
  async function sleep(): Promise<void> {
    sleptMs += 60_000
    const number = first.tree.peers.writer.split('-')[1]
    await postgres.run(
      url,
      `UPDATE servers SET lease_until = clock_timestamp() - interval '1 s' WHERE number = ${number}`,
    )
    await second.tree.takeOver()
  }

  const sleepingAfterRecord = () =>
    scope((entry) => {
      const record = entry.record.bind(entry)
      return {
        record: async (steps) => {
          await record(steps)
          await sleep()
        },
      }
    })
  const entries = () =>
    postgres.run(url, 'SELECT verb, is_done::int AS done FROM journal ORDER BY id')
  const trashed = () => (existsSync(at('.filemgr/trash')) ? readdirSync(at('.filemgr/trash')) : [])

  test('publishes no file after it has lost its lease', async () => {
    const writing = sleepingAfterRecord().write(parsePath('/new'), Buffer.from('new'), {
      overwrite: false,
    })
    await expect(writing).rejects.toThrow('another one has taken the change over')
    expect(existsSync(at('new'))).toBe(false)
    expect(await entries()).toEqual([])
  })

  test('records nothing of a job that it had before it has come back under another name', async () => {
    const { writer } = first.tree.peers
    const ofJob = scope(() => ({}), { session: '', client: 'api', jobItem: 1, writer })
    await sleep()
    await comeBack()
    expect(first.tree.peers.writer).not.toBe(writer)
    const writing = (by: Scope) =>
      by.write(parsePath('/made/new'), Buffer.from('new'), { overwrite: false })
    await expect(writing(ofJob)).rejects.toThrow('another one has taken the change over')
    expect(existsSync(at('made'))).toBe(false)
    expect(await entries()).toEqual([])
    await writing(scope(() => ({})))
    expect(await entries()).toEqual([{ verb: 'upload', done: 1 }])
  })

  test('replaces no file then', async () => {
    writeFileSync(at('old'), 'old')
    const saving = sleepingAfterRecord().write(parsePath('/old'), Buffer.from('new'), {
      overwrite: true,
    })
    await expect(saving).rejects.toThrow('another one has taken the change over')
    expect(readFileSync(at('old'), 'utf8')).toBe('old')
    expect([await entries(), trashed()]).toEqual([[], []])
  })

  test('removes, renames and merges nothing then', async () => {
    writeFileSync(at('file'), 'file')
    for (const name of ['from/sub', 'to/sub']) mkdirSync(at(name), { recursive: true })
    writeFileSync(at('from/sub/file'), 'from')
    const refused = 'another one has taken the change over'
    const [file, from, to] = ['/file', '/from', '/to'].map(parsePath)
    if (!file || !from || !to) throw new Error('There are three paths.')
    await expect(sleepingAfterRecord().remove(file)).rejects.toThrow(refused)
    await comeBack()
    const renaming = sleepingAfterRecord().move(file, parsePath('/renamed'), { overwrite: false })
    await expect(renaming).rejects.toThrow(refused)
    await comeBack()
    const merging = sleepingAfterRecord().move(from, to, { overwrite: true })
    await expect(merging).rejects.toThrow(refused)
    expect(readFileSync(at('file'), 'utf8')).toBe('file')
    expect([readdirSync(at('from/sub')), readdirSync(at('to/sub'))]).toEqual([['file'], []])
    expect([await entries(), trashed()]).toEqual([[], []])
  })

  test('leaves the entry of a change that it has made to the other one', async () => {
    const sleeping = scope((entry) => {
      const done = entry.done.bind(entry)
      return {
        done: async () => {
          await sleep()
          await done()
        },
      }
    })
    const writing = sleeping.write(parsePath('/new'), Buffer.from('new'), { overwrite: false })
    await expect(writing).rejects.toThrow('another one has taken the change over')
    expect(readFileSync(at('new'), 'utf8')).toBe('new')
    expect(await entries()).toEqual([{ verb: 'upload', done: 1 }])
  })

  test('keeps its rows while it serves, although its folder is found at another path', async () => {
    renameSync(at(), at('..', 'moved'))
    try {
      const { core, cluster } = second
      const { rows, flushes, shares, config } = core
      const moved = openTree(at('..', 'moved'), config, { rows, flushes, shares, cluster })
      await expect(moved).rejects.toThrow('is served by another server at')
      expect(await postgres.run(url, 'SELECT path FROM roots')).toEqual([{ path: at() }])
    } finally {
      renameSync(at('..', 'moved'), at())
    }
  })

  /** The first process has a lease again, with a new number. */
  async function comeBack(): Promise<void> {
    await first.leases.transaction(() => first.leases.query('DELETE FROM failures').run())
  }
})
