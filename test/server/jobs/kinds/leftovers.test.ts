/** Partial copies of jobs that have ended are removed; those that are needed again are kept. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { ALONE, peersInFolder } from '#server/cluster/peers.ts'
import type { StoredJob } from '#server/db/rows/job-rows.ts'
import type { JobDeps } from '#server/jobs/context/deps.ts'
import { Leftovers } from '#server/jobs/kinds/leftovers.ts'
import { newItem } from '#server/jobs/plans/plan-entry.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../../support/server/test-core.ts'

const SERVED = '/srv'

let core: TestCore
let copies: string[]
let logged: string[]
/** Called before each removal of a copy. */
let beforeRemoval: (name: string) => Promise<void>
let leftovers: Leftovers
let job: StoredJob
beforeEach(async () => {
  core = await temporaryCore()
  const hash = await Bun.password.hash('right', CHEAP)
  const userId = (await core.users.createHashed('anna', hash)).id
  const id = await core.rows.jobs.insert(
    {
      ...{ root: SERVED, writer: '', userId, session: '', client: 'api', scope: ROOT },
      ...{ kind: 'copy', to: ROOT, source: '', state: 'failed', madeMs: 1, isPartial: false },
    },
    ['/a', '/b'].map((path) =>
      newItem({
        ...{ path: parsePath(path), part: '', to: parsePath(path), decision: 'refuse' },
        ...{ isDir: false, files: 1, bytes: 1, taken: false, problem: '', fault: '' },
      }),
    ),
  )
  const stored = await core.rows.jobs.find(SERVED, id)
  if (!stored) throw new Error('The job was not stored.')
  job = stored
  copies = (await core.rows.jobs.items(id)).map(({ copyName }) => copyName)
  logged = []
  beforeRemoval = async () => undefined
  const can = {
    copies: async () => [...copies],
    removeCopy: async (name: string) => {
      await beforeRemoval(name)
      copies = copies.filter((each) => each !== name)
    },
  }
  // The only parts that are used here.
  const peers = peersInFolder(ALONE)
  const deps = { rows: core.rows.jobs, peers, storage: { can } } as unknown as JobDeps
  leftovers = new Leftovers(deps, SERVED, (line) => logged.push(line))
})
afterEach(() => core.close())

test('a job that is retried while its copies are removed keeps the others', async () => {
  beforeRemoval = async () => void (await core.rows.jobs.setState(job.id, 'waiting'))
  await leftovers.removeUnfinishedCopies()
  expect(copies).toHaveLength(1)
  expect((await core.rows.jobs.find(SERVED, job.id))?.state).toBe('waiting')
})

test('the copies of a job that is deleted meanwhile are removed', async () => {
  beforeRemoval = () => core.rows.jobs.remove(job.id)
  await leftovers.removeUnfinishedCopies()
  expect(copies).toEqual([])
})

test('a copy that cannot be removed is logged, and prevents no other removal', async () => {
  const own = [...copies]
  copies.unshift('unknown')
  beforeRemoval = async (name) => {
    if (name === 'unknown' || name === own[0]) throw new Error(`${name} is busy`)
  }
  copies.push('unknown too')
  await leftovers.removeUnfinishedCopies()
  expect(copies).toEqual(['unknown', own[0] ?? ''])
  expect(logged).toEqual([`Error: ${own[0]} is busy`, 'Error: unknown is busy'])
})
