/** An upgrade of one server after the other: two versions of the schema are used at the same time. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '#server/db/migrations.ts'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { cluster, type Member } from '../support/server/cluster.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { laterVersion } from '../support/server/later-version.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { POSTGRES_PASSWORD, postgresMissing } from '../support/server/postgres.ts'

const CHANGED_TABLES = [
  'users',
  'sessions',
  'shares',
  'uploads',
  'journal',
  'journal_steps',
  'kept',
]
/** What a later version adds. */
const EXPANSION = [
  ...CHANGED_TABLES.map(
    (name) => `ALTER TABLE ${name} ADD COLUMN later INTEGER NOT NULL DEFAULT 0;`,
  ),
  'CREATE TABLE later (id INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL) STRICT;',
]
/** What the version after that one removes. */
const CONTRACTION = [...EXPANSION, 'ALTER TABLE users DROP COLUMN later;']
/** How often each kind of request is sent before and after the tables change: more than a server has connections. */
const REQUESTS = 60

describe.skipIf(postgresMissing() !== undefined)('an upgrade of one server after the other', () => {
  const servers = cluster(1)
  let folder: ReturnType<typeof temporaryFolder>
  let expanded: [string, ...string[]]
  let contracted: [string, ...string[]]
  beforeAll(() => {
    folder = temporaryFolder()
    const make = (name: string, steps: readonly string[], needed: 'as before' | 'all') => {
      mkdirSync(join(folder.path, name))
      return laterVersion(join(folder.path, name), steps, { needed })
    }
    expanded = make('expanded', EXPANSION, 'as before')
    contracted = make('contracted', CONTRACTION, 'all')
  })
  afterAll(() => folder.remove())

  const version = async () => {
    const rows = await servers().postgres.run(
      servers().url,
      'SELECT version::int FROM schema_version',
    )
    return rows[0]?.version
  }
  const isRefused = (program?: [string, ...string[]]) =>
    servers()
      .start(program ? { program } : {})
      .then(() => 'started', String)
  /** Signs in, lists, saves, deletes and undoes at a server. @returns what was not answered as it should be */
  const use = async ({ server }: Member, name: string) => {
    const client = await signIn(server.url, 'admin', PASSWORD)
    const path = `${API.resources}/${name}`
    const answers = [
      await outcome(client.call('POST', path, 'first')),
      await outcome(client.call('PUT', path, 'second')),
      await outcome(client.call('GET', API.users)),
      await outcome(client.call('POST', `${API.share}/${name}`, {})),
    ]
    const deleted = await client.call('DELETE', path)
    const id = Number(deleted.headers.get(JOURNAL_HEADER))
    answers.push(
      await outcome(Promise.resolve(deleted)),
      await outcome(client.call('POST', `${API.journal}/undo`, { id })),
    )
    return answers.filter((answer) => !answer.startsWith('2'))
  }

  test('older servers go on while a newer one adds to the tables, and can be started again', async () => {
    const [old] = servers().members
    if (!old) throw new Error('The first server is missing.')
    const failed: string[] = []
    let isUpgraded = false
    const send = async (lane: number) => {
      let after = 0
      for (let count = 0; after < REQUESTS; count += 1) {
        if (isUpgraded) after += 1
        failed.push(...(await use(old, `file-${lane}-${count}`)))
      }
    }
    const sending = Promise.all([1, 2, 3].map(send))
    const newer = await servers().start({ program: expanded })
    expect(await version()).toBe(MIGRATIONS.length + EXPANSION.length)
    isUpgraded = true
    await sending
    expect(failed).toEqual([])
    expect(await use(newer, 'of the newer one')).toEqual([])
    const again = await servers().start()
    await again.server.says(
      /A newer version of filemgr uses this database too\. Upgrade this server\./,
    )
    expect(await use(again, 'of the older one')).toEqual([])
    expect(readFileSync(servers().at('of the older one'), 'utf8')).toBe('second')
    expect(await version()).toBe(MIGRATIONS.length + EXPANSION.length)
  }, 120_000)

  test('an older version copies no rows of which it does not know all columns', async () => {
    const home = temporaryFolder()
    const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
    const args = ['backup', join(home.path, 'copy'), '--database', servers().url]
    const { code, stderr } = await runFilemgr(args, { home: home.path, env })
    home.remove()
    expect([code, stderr]).toEqual([1, expect.stringContaining('was written by a newer filemgr')])
  })

  test('what older servers use is removed only after all of them have ended', async () => {
    expect(await isRefused(contracted)).toContain('Stop the servers of that version first')
    for (const { server } of servers().members) await server.stop()
    const newest = await servers().start({ program: contracted })
    expect(await use(newest, 'of the newest one')).toEqual([])
    expect(await isRefused(expanded)).toContain('was written by a newer filemgr')
    expect(await isRefused()).toContain('was written by a newer filemgr')
  }, 60_000)
})
