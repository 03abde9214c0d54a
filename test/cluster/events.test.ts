/**
 * Changes through one server reach the event streams and the index of names of the others. Each server has a mount of its
 * own, as on machines of their own, so that the system reports no change of another one.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signIn } from '../support/server/client.ts'
import { jobOf, started } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../support/server/postgres.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noFuse, withFuse } from '../support/system/fuse.ts'
import { JuiceVolume, noJuiceFs } from '../support/system/juicefs.ts'
import { withMounts } from '../support/system/mounts.ts'

/**
 * Opens the event stream of a folder. `heard` resolves with the next event of these names, and `forget` leaves out those
 * that have arrived.
 */
async function listen(who: Client, path: string) {
  const answer = await who.call('GET', `${API.events}${path}`)
  expect(answer.status).toBe(200)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let [text, hasEnded] = ['', false]
  let arrived = Promise.withResolvers<void>()
  const receive = async () => {
    while (!hasEnded) {
      const part = await reader?.read()
      text += part?.value ?? ''
      hasEnded = part?.done ?? true
      arrived.resolve()
      arrived = Promise.withResolvers()
    }
  }
  void receive()
  const heard = async (...names: string[]): Promise<string> => {
    for (;;) {
      const [line, name] = new RegExp(`event: (${names.join('|')})\n`).exec(text) ?? []
      if (line && name) {
        text = text.slice(text.indexOf(line) + line.length)
        return name
      }
      if (hasEnded) return 'ended'
      await arrived.promise
    }
  }
  const forget = () => {
    text = ''
  }
  return { heard, forget, leave: () => reader?.cancel() }
}

/** Longer than the test. */
const CACHE_SEC = 60

const refusal = postgresMissing() ?? noJuiceFs()
if (refusal) process.stdout.write(`${refusal}\n`)

describe.skipIf(refusal !== undefined)('a change through one server @spec-10.19', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let postgres: TestPostgres
  /** The database of the volume, which answers while that of the servers does not. */
  let namesOfVolume: TestPostgres
  let volume: JuiceVolume
  let database: string
  let servers: TestServer[]
  let first: Client
  let second: Client
  let sentinels = 0
  beforeAll(async () => {
    folder = temporaryFolder()
    postgres = await startPostgres()
    database = await postgres.create()
    namesOfVolume = await startPostgres()
    volume = new JuiceVolume(await namesOfVolume.create())
    servers = []
    first = await start()
    second = await start()
  }, 120_000)
  afterAll(async () => {
    for (const server of servers) await server.stop()
    volume.remove()
    await namesOfVolume.remove()
    await postgres.remove()
    folder.remove()
  })
  const root = () => join(folder.path, 'root')

  async function start(): Promise<Client> {
    mkdirSync(root(), { recursive: true })
    const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
    const server = await startServer({
      root: root(),
      database,
      env,
      program: withMounts(root(), [{ at: '', folder: volume.mount(CACHE_SEC) }]),
    })
    servers.push(server)
    return signIn(server.url, 'admin', PASSWORD)
  }

  /** Waits until earlier changes have been reported: events arrive in the order of the changes. */
  const quiet = async () => {
    for (const _ of [1, 2]) {
      sentinels += 1
      await create(`/sentinel-${sentinels}/`)
      const { heard, leave } = await listen(second, `/sentinel-${sentinels}/`)
      await create(`/sentinel-${sentinels}/file`)
      await heard('changed')
      await leave()
    }
  }
  const create = async (path: string) => {
    expect((await first.call('POST', `${API.resources}${path}`)).status).toBe(200)
  }
  const save = async (path: string, content: string) => {
    const answer = await first.call('PUT', `${API.resources}${path}`, content)
    expect(answer.status, await answer.text()).toBe(200)
  }

  // The mounts remember the times of folders, so that no server finds out by itself.
  test('reaches who has the folder open at the other', async () => {
    await create('/seen/')
    const { heard, forget, leave } = await listen(second, '/seen/')
    await quiet()
    forget()
    await create('/seen/file')
    expect(await heard('changed')).toBe('changed')
    await quiet()
    forget()
    await save('/seen/file', 'new content')
    expect(await heard('changed')).toBe('changed')
    await leave()
  }, 15_000)

  test('reaches who has the folder open, although the database has crashed since', async () => {
    await create('/crashed/')
    const { heard, forget, leave } = await listen(second, '/crashed/')
    await quiet()
    forget()
    await postgres.kill()
    await postgres.start()
    // The table of events is empty now, so each folder is looked at again.
    expect(await heard('changed')).toBe('changed')
    await quiet()
    forget()
    await create('/crashed/after')
    expect(await heard('changed')).toBe('changed')
    await leave()
  }, 60_000)

  test('of jobs reaches who sees them at the other', async () => {
    await create('/copied/')
    const { heard, leave } = await listen(second, '/')
    await create('/into/')
    const { id } = await started(first, { kind: 'copy', items: [{ path: '/copied' }], to: '/into' })
    await heard('jobs')
    while ((await jobOf(second, id)).state !== 'done') await heard('jobs')
    await leave()
  })
})

const uncached = noFuse('uncachedSshfs')
if (uncached) process.stdout.write(`${uncached}\n`)

test.skipIf(uncached !== undefined)(
  'a change by another program on another machine reaches who has the folder open',
  async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const server = await startServer({ root, program: withFuse('uncachedSshfs', root) })
    const { heard, leave } = await listen(await signIn(server.url, 'admin', PASSWORD), '/')
    // This file system has whole seconds, so the folder may have the same time after a single change.
    let files = 0
    const writing = setInterval(() => {
      files += 1
      writeFileSync(`${root}-uncachedSshfs/${files}`, '')
    }, 500)
    expect(await heard('changed')).toBe('changed')
    clearInterval(writing)
    await leave()
    await server.stop()
    folder.remove()
  },
  30_000,
)
