/** The progress of a job in the form that clients receive. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { JobMeter } from '#server/jobs/context/meter.ts'
import { presentJob } from '#server/jobs/present.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../support/server/test-core.ts'

let core: TestCore
beforeEach(async () => {
  core = await temporaryCore()
})
afterEach(() => core.close())

test('what a cancelled job was copying does not count, although its run ends a moment later', async () => {
  const hash = await Bun.password.hash('right', CHEAP)
  const { id: userId } = await core.users.createHashed('anna', hash, { scope: '/' })
  const { jobs } = core.rows
  const common = {
    session: '',
    client: 'api',
    scope: ROOT,
    to: ROOT,
    source: '',
    madeMs: 0,
  } as const
  const id = await jobs.insert(
    { ...common, root: '/', writer: '', userId, kind: 'copy', state: 'running', isPartial: false },
    [
      {
        ...{ path: parsePath('/file'), to: parsePath('/to'), part: '', files: 1, bytes: 5 },
        ...{ decision: 'refuse', copyName: '', state: 'running', fault: '', reason: '' },
      },
    ],
  )
  const meter = new JobMeter()
  meter.bytes += 3
  const running = await jobs.find('/', id)
  if (!running) throw new Error('There is no job.')
  expect((await presentJob(jobs, running, meter)).bytesDone).toBe(3)
  const cancelled = { ...running, state: 'cancelled' } as const
  expect((await presentJob(jobs, cancelled, meter)).bytesDone).toBe(0)
})
