/** After its turn a long job lets jobs of other users run, and then continues. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { Scope } from '#server/access/scope/scope.ts'
import type { ScopeOwner } from '#server/access/scope/scopes.ts'
import { ALONE, peersInFolder } from '#server/cluster/peers.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import type { Job, JobKind } from '#wire/api/jobs.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { writeEndless } from '../../support/server/endless.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../support/server/test-core.ts'
import { actorOf } from '../../support/storage/actor.ts'
import { NO_SHARES } from '../../support/storage/path-listener.ts'
import { serveForEach } from '../../support/storage/served.ts'

const FILES = 400
const LONG = ['anna', 'bert']

const served = serveForEach()
let core: TestCore
let jobs: Jobs
let people: Map<string, StoredUser>
beforeEach(async () => {
  const hash = await Bun.password.hash('right', CHEAP)
  core = await temporaryCore()
  const perm = permissionsOf('create', 'download', 'rename', 'delete', 'modify')
  people = new Map()
  for (const name of [...LONG, 'carl']) {
    people.set(name, await core.users.createHashed(name, hash, { scope: '/', perm }))
  }
  // A turn ends with the first file that others wait for.
  jobs = open({ turnMs: 0 })
  expect(LONG.length).toBe(CONCURRENCY_LIMITS.runningJobs.all)
})
afterEach(async () => {
  await jobs.close()
  await core.close()
})

function open(options: { turnMs?: number; releaseAfterMs?: number }): Jobs {
  return new Jobs(
    {
      rows: core.rows.jobs,
      storage: served.storage,
      peers: peersInFolder(served.storage.can.trash ?? ALONE),
      journalEntryOf: async () => 0,
      userOf: (id) => core.users.find(id),
      scopeOf,
      audit: () => undefined,
    },
    served.path,
    options,
  )
}

function scopeOf(user: ScopeOwner): Scope {
  return new Scope(served.storage, actorOf(user), NO_SHARES, async () => undefined)
}

function fill(folder: string, count: number): void {
  mkdirSync(served.disk(folder), { recursive: true })
  for (let at = 0; at < count; at += 1) writeFileSync(served.disk(`${folder}/${at}`), folder)
}

async function begin(name: string, kind: JobKind, paths: readonly string[]): Promise<number> {
  const user = people.get(name)
  if (!user) throw new Error(`There is no ${name}.`)
  const items = paths.map((path) => ({ path: parsePath(path), decision: 'refuse' as const }))
  const to = kind === 'sums' ? undefined : parsePath(`/to-${name}`)
  const request = { kind, items, to }
  const { tag } = await jobs.plan(scopeOf(user), request)
  const made = await jobs.create(scopeOf(user), { session: '', client: 'api' }, request, tag)
  if (!('job' in made)) throw new Error('The plan changed.')
  return made.job.id
}

const ADMINISTRATOR = { id: 0, perm: permissionsOf('admin') }
const jobOf = (id: number) => jobs.get(ADMINISTRATOR, id)

async function ended(id: number): Promise<Job> {
  while ((await jobOf(id)).ended === '') await new Promise(setImmediate)
  return jobOf(id)
}

test.each(['copy', 'move'] as const)(
  'of two jobs that %s many files, one gives way to a job of a third user, and both complete @limit-12',
  async (kind) => {
    const long: number[] = []
    for (const name of LONG) {
      const paths = Array.from({ length: FILES }, (_, at) => `/${name}/${at}`)
      fill(name, FILES)
      long.push(await begin(name, kind, paths))
    }
    fill('carl', 1)
    const short = await begin('carl', 'copy', ['/carl'])
    expect((await ended(short)).state).toBe('done')
    expect(await Promise.all(long.map(async (id) => (await jobOf(id)).ended))).toEqual(['', ''])
    for (const id of long) {
      const { state, failed, filesDone } = await ended(id)
      expect([state, failed, filesDone]).toEqual(['done', 0, FILES])
    }
    for (const name of LONG) expect(readdirSync(served.disk(`to-${name}`))).toHaveLength(FILES)
  },
  60_000,
)

test('a copy that gives way in the middle of a folder keeps the copied files @spec-7.56', async () => {
  const long: number[] = []
  for (const name of LONG) {
    fill(name, FILES)
    long.push(await begin(name, 'copy', [`/${name}`]))
  }
  fill('carl', 1)
  const short = await begin('carl', 'copy', ['/carl'])
  await ended(short)
  expect(await Promise.all(long.map(async (id) => (await jobOf(id)).ended))).toEqual(['', ''])
  const waiting = (await Promise.all(long.map(jobOf))).filter(({ state }) => state === 'waiting')
  expect(waiting.every(({ filesDone }) => filesDone > 0)).toBe(true)
  for (const id of long) {
    const { files, filesDone } = await ended(id)
    expect(filesDone).toBe(files)
  }
}, 60_000)

test('two users who read endless content delay no other user', async () => {
  jobs = open({ releaseAfterMs: 0 })
  const long: number[] = []
  for (const name of LONG) {
    fill(name, 0)
    writeEndless(served.disk(`${name}/huge`))
    long.push(await begin(name, 'sums', [`/${name}`]))
  }
  fill('carl', 1)
  const short = await begin('carl', 'copy', ['/carl'])
  expect((await ended(short)).state).toBe('done')
  expect(await Promise.all(long.map(async (id) => (await jobOf(id)).state))).toEqual([
    'running',
    'running',
  ])
  const again = await begin(LONG[0] ?? '', 'copy', ['/carl/0'])
  expect((await jobOf(again)).state).toBe('waiting')
  for (const id of long) await jobs.control(ADMINISTRATOR, id, 'cancel')
  for (const id of long) expect((await ended(id)).state).toBe('cancelled')
  expect((await ended(again)).state).toBe('done')
}, 60_000)

test('a job that waits for its next turn can be cancelled', async () => {
  const long: number[] = []
  for (const name of LONG) {
    fill(name, FILES)
    long.push(await begin(name, 'copy', [`/${name}`]))
  }
  fill('carl', FILES)
  await begin('carl', 'copy', ['/carl'])
  const states = () => Promise.all(long.map(async (id) => (await jobOf(id)).state))
  while (!(await states()).includes('waiting')) await new Promise(setImmediate)
  const given = long[(await states()).indexOf('waiting')] ?? 0
  await jobs.control(ADMINISTRATOR, given, 'cancel')
  expect((await ended(given)).state).toBe('cancelled')
}, 60_000)

test('a copy job can be paused and cancelled between two files, and is invisible until it is complete', async () => {
  fill('anna', FILES)
  const id = await begin('anna', 'copy', ['/anna'])
  // The job continues only between two turns of this loop, so it cannot have ended here.
  while ((await jobOf(id)).filesDone === 0) await new Promise(setImmediate)
  await jobs.control(ADMINISTRATOR, id, 'pause')
  while ((await jobOf(id)).state === 'running') await new Promise(setImmediate)
  expect((await jobOf(id)).state).toBe('paused')
  expect(existsSync(served.disk('to-anna/anna'))).toBe(false)
  await jobs.control(ADMINISTRATOR, id, 'resume')
  await jobs.control(ADMINISTRATOR, id, 'cancel')
  expect((await ended(id)).state).toBe('cancelled')
  expect(existsSync(served.disk('to-anna/anna'))).toBe(false)
  expect(existsSync(served.disk('.filemgr/jobs'))).toBe(false)
}, 60_000)
