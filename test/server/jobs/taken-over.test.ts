/** A job goes on with the partial copy of its process only if that one has surely ended. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Scope } from '#server/access/scope/scope.ts'
import { ALONE, peersInFolder } from '#server/cluster/peers.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../support/server/test-core.ts'
import { actorOf } from '../../support/storage/actor.ts'
import { NO_SHARES } from '../../support/storage/path-listener.ts'
import { serveForEach } from '../../support/storage/served.ts'

const served = serveForEach()
let core: TestCore
let jobs: Jobs | undefined
beforeEach(async () => {
  core = await temporaryCore()
})
afterEach(async () => {
  await jobs?.close()
  await core.close()
})

const disk = (...names: string[]) => join(served.path, ...names)

/** Stores a job of another process, with a partial copy. */
async function leaveJob(): Promise<number> {
  const hash = await Bun.password.hash('right', CHEAP)
  const perm = permissionsOf('create', 'download', 'modify')
  const { id: userId } = await core.users.createHashed('anna', hash, { scope: '/', perm })
  writeFileSync(disk('file'), 'right')
  mkdirSync(disk('.filemgr/jobs/copy'), { recursive: true })
  writeFileSync(disk('.filemgr/jobs/copy/part1'), 'ri')
  const job = { session: '', client: 'api', scope: ROOT, to: ROOT, source: '', madeMs: 0 } as const
  const item = { path: parsePath('/file'), to: parsePath('/to'), part: '', files: 1, bytes: 5 }
  return core.rows.jobs.insert(
    {
      ...job,
      root: served.path,
      writer: 'other',
      userId,
      kind: 'copy',
      state: 'running',
      isPartial: false,
    },
    [
      {
        ...item,
        decision: 'refuse',
        copyName: 'copy',
        state: 'running',
        fault: '',
        reason: '',
      },
    ],
  )
}

/** Takes the job over, and waits for its end. */
async function takeOver(id: number, { mayWake }: { mayWake: boolean }): Promise<void> {
  const { storage } = served
  const inFolder = peersInFolder(storage.can.trash ?? ALONE)
  jobs = new Jobs(
    {
      rows: core.rows.jobs,
      storage,
      peers: {
        ...inFolder,
        writer: inFolder.writer,
        isGone: async (writer) => writer === 'other',
        mayWake: () => mayWake,
      },
      journalEntryOf: async () => 0,
      userOf: (user) => core.users.find(user),
      scopeOf: (user) => new Scope(storage, actorOf(user), NO_SHARES, async () => undefined),
      audit: () => undefined,
    },
    served.path,
  )
  await jobs.start((line) => process.stdout.write(`${line}\n`))
  while ((await core.rows.jobs.find(served.path, id))?.endedMs === 0) await Bun.sleep(10)
  expect(await core.rows.jobs.find(served.path, id)).toMatchObject({ state: 'done' })
}

const copyNameOf = async (id: number) => (await core.rows.jobs.items(id))[0]?.copyName

test('the copy of a process that has ended is continued', async () => {
  const id = await leaveJob()
  await takeOver(id, { mayWake: false })
  expect(await copyNameOf(id)).toBe('copy')
})

test('the copy of a process that may wake up is not used again, and is removed', async () => {
  const id = await leaveJob()
  await takeOver(id, { mayWake: true })
  expect(await copyNameOf(id)).not.toBe('copy')
  expect(readFileSync(disk('to'), 'utf8')).toBe('right')
  expect(readdirSync(disk('.filemgr'))).not.toContain('jobs')
})
