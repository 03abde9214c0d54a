/** An imported file is published under a free name when it is complete. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Scope } from '#server/access/scope/scope.ts'
import { ALONE, peersInFolder } from '#server/cluster/peers.ts'
import { openImport } from '#server/imports/import-source.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import type { Job } from '#wire/api/jobs.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../../support/server/test-core.ts'
import { actorOf } from '../../../support/storage/actor.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { serveForEach } from '../../../support/storage/served.ts'

const ADMINISTRATOR = { id: 0, perm: permissionsOf('admin') }

const served = serveForEach()
let core: TestCore
let jobs: Jobs
let server: ReturnType<typeof Bun.serve>
let scope: Scope
let answer: () => Response
beforeEach(async () => {
  mkdirSync(served.disk('in'))
  core = await temporaryCore()
  server = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => answer() })
  const perm = permissionsOf('create')
  const hash = await Bun.password.hash('right', CHEAP)
  const anna = await core.users.createHashed('anna', hash, { scope: '/', perm })
  scope = new Scope(served.storage, actorOf(anna), NO_SHARES, async () => undefined)
  // In this test every host name has the address of this machine.
  const network = { resolve: async () => ['127.0.0.1'], isAllowed: () => true }
  const limits = { hosts: [`files.test:${server.port}`], sizeMaxBytes: 100 }
  jobs = new Jobs(
    {
      rows: core.rows.jobs,
      storage: served.storage,
      peers: peersInFolder(served.storage.can.trash ?? ALONE),
      journalEntryOf: async () => 0,
      userOf: (user) => core.users.find(user),
      scopeOf: () => scope,
      audit: () => undefined,
      imports: {
        requireAllowed: () => undefined,
        open: (source, stopped) => openImport(source, limits, stopped, network),
      },
    },
    served.path,
  )
})
afterEach(async () => {
  await jobs.close()
  await server.stop(true)
  await core.close()
})

async function begin(): Promise<number> {
  const source = `http://files.test:${server.port}/a.txt`
  const request = { kind: 'import' as const, items: [], to: parsePath('/in'), source }
  const { tag } = await jobs.plan(scope, request)
  const made = await jobs.create(scope, { session: '', client: 'api' }, request, tag)
  if (!('job' in made)) throw new Error('The plan changed.')
  return made.job.id
}

async function ended(id: number): Promise<Job> {
  while ((await jobs.get(ADMINISTRATOR, id)).ended === '') await new Promise(setImmediate)
  return jobs.get(ADMINISTRATOR, id)
}

test('an imported file gets a free name in the folder', async () => {
  writeFileSync(served.disk('in/a.txt'), 'own')
  answer = () => new Response('theirs')
  const job = await ended(await begin())
  expect([job.state, job.failed]).toEqual(['done', 0])
  expect(readdirSync(served.disk('in')).toSorted()).toEqual(['a(1).txt', 'a.txt'])
  expect(readFileSync(served.disk('in/a.txt'), 'utf8')).toBe('own')
  expect(readFileSync(served.disk('in/a(1).txt'), 'utf8')).toBe('theirs')
})

test('an import gets the next free name if another user takes its name during the download', async () => {
  const taken = Promise.withResolvers<void>()
  answer = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('the'))
          await taken.promise
          controller.enqueue(new TextEncoder().encode('irs'))
          controller.close()
        },
      }),
    )
  const id = await begin()
  while ((await jobs.get(ADMINISTRATOR, id)).bytesDone === 0) await new Promise(setImmediate)
  writeFileSync(served.disk('in/a.txt'), 'own')
  taken.resolve()
  const job = await ended(id)
  expect([job.state, job.failed]).toEqual(['done', 0])
  expect(readFileSync(served.disk('in/a.txt'), 'utf8')).toBe('own')
  expect(readFileSync(served.disk('in/a(1).txt'), 'utf8')).toBe('theirs')
})

test('the log gets the cause of an unexpected failure', async () => {
  const log: string[] = []
  await jobs.start((line) => void log.push(line))
  answer = () => new Response('theirs')
  const { actor } = scope
  scope = new Scope(served.storage, actor, NO_SHARES, async () => {
    throw new Fault('internal', 'The command failed.', { cause: 'ended with 1' })
  })
  const job = await ended(await begin())
  expect(job.problems[0]?.fault).toBe('internal')
  expect(log).toEqual(['Fault: The command failed. Cause: ended with 1'])
})

test('an import that is too large leaves nothing', async () => {
  answer = () => new Response('x'.repeat(101))
  const { state, problems } = await ended(await begin())
  expect([state, problems[0]?.fault]).toEqual(['failed', 'tooLarge'])
  expect(readdirSync(served.disk('in'))).toEqual([])
})

test('an import is invisible until it is complete, and leaves nothing if it is cancelled @spec-7.56', async () => {
  const sent = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  answer = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(new Uint8Array(10))
          sent.resolve()
          await rest.promise
          controller.enqueue(new Uint8Array(10))
          controller.close()
        },
      }),
    )
  const id = await begin()
  await sent.promise
  while ((await jobs.get(ADMINISTRATOR, id)).bytesDone === 0) await new Promise(setImmediate)
  expect(readdirSync(served.disk('in'))).toEqual([])
  // The other server sends nothing more after that.
  await jobs.control(ADMINISTRATOR, id, 'cancel')
  expect((await ended(id)).state).toBe('cancelled')
  rest.resolve()
  expect(readdirSync(served.disk('in'))).toEqual([])
  // Shorter than the time limit for a server that sends nothing: only the cancellation can end the job here.
}, 20_000)

test('an import that waits can be paused and cancelled at once @spec-2.40', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const waiting = new Response(
    new ReadableStream({
      async start(controller) {
        await answered.promise
        controller.close()
      },
    }),
  )
  answer = () => {
    asked.resolve()
    return waiting
  }
  const first = await begin()
  await asked.promise
  answer = () => new Response('theirs')
  const [second, third] = [await begin(), await begin()]
  expect((await jobs.control(ADMINISTRATOR, second, 'pause')).state).toBe('paused')
  expect((await jobs.control(ADMINISTRATOR, third, 'cancel')).state).toBe('cancelled')
  expect((await jobs.control(ADMINISTRATOR, second, 'resume')).state).toBe('waiting')
  expect((await jobs.control(ADMINISTRATOR, second, 'cancel')).state).toBe('cancelled')
  expect((await jobs.get(ADMINISTRATOR, first)).state).toBe('running')
  answered.resolve()
  expect((await ended(first)).state).toBe('done')
})
