/** A refused retry changes nothing. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Scope } from '#server/access/scope/scope.ts'
import { ALONE, peersInFolder } from '#server/cluster/peers.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import type { ItemState, JobState } from '#wire/api/jobs.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../support/server/test-core.ts'
import { actorOf } from '../../support/storage/actor.ts'
import { NO_SHARES } from '../../support/storage/path-listener.ts'
import { code, serveForEach } from '../../support/storage/served.ts'

const ADMINISTRATOR = { id: 0, perm: permissionsOf('admin') }

const served = serveForEach()
let core: TestCore
let jobs: Jobs
let userId: number
beforeEach(async () => {
  core = await temporaryCore()
  const hash = await Bun.password.hash('right', CHEAP)
  userId = (
    await core.users.createHashed('anna', hash, { scope: '/', perm: permissionsOf('create') })
  ).id
  jobs = new Jobs(
    {
      rows: core.rows.jobs,
      storage: served.storage,
      peers: peersInFolder(served.storage.can.trash ?? ALONE),
      journalEntryOf: async () => 0,
      userOf: (id) => core.users.find(id),
      scopeOf: (user) => new Scope(served.storage, actorOf(user), NO_SHARES, async () => undefined),
      audit: () => undefined,
    },
    served.path,
  )
})
afterEach(async () => {
  await jobs.close()
  await core.close()
})

/** @returns the id of a stored job with one item */
function insert(state: JobState, itemState: ItemState): Promise<number> {
  const failure = { fault: '', reason: '', files: 0, bytes: 0 }
  const path = parsePath('/file')
  const item = { path, part: '', to: parsePath('/to'), decision: 'refuse', ...failure } as const
  return core.rows.jobs.insert(
    {
      root: served.path,
      writer: '',
      userId,
      session: '',
      client: 'api',
      scope: ROOT,
      kind: 'copy',
      to: ROOT,
      source: '',
      state,
      madeMs: 0,
      isPartial: false,
    },
    [{ ...item, copyName: `copy-${state}`, state: itemState }],
  )
}

test('a retry that is refused because the user has too many jobs leaves the failed items failed', async () => {
  const failed = await insert('failed', 'failed')
  for (let count = 0; count < CONCURRENCY_LIMITS.jobs.perKey; count += 1) {
    await insert('paused', 'waiting')
  }
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await code(jobs.control(ADMINISTRATOR, failed, 'retry'))).toBe('tooMany')
  }
  expect((await core.rows.jobs.items(failed)).map(({ state }) => state)).toEqual(['failed'])
})
