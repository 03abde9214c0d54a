/**
 * Two servers on a shared file system: a volume of JuiceFS with a mount for each server, as on two machines. A third mount
 * shows what is on it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { ExpectedState } from '../faults/expected-state.ts'
import { drawFrom, SimulatedUser } from '../faults/load.ts'
import { momentOf, undoBackTo } from '../faults/undoing.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, clientWith, outcome, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../support/server/postgres.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { createUpload, offsetOf, sendPart, slowBody } from '../support/server/tus.ts'
import { JuiceVolume, noJuiceFs } from '../support/system/juicefs.ts'
import { withMounts } from '../support/system/mounts.ts'

const ROUNDS = 5
const KEEP_ALL = ['--trash-share', '100', '--trash-versions', '10000']
const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }

const missing = postgresMissing() ?? noJuiceFs()
if (missing) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('two servers with mounts of their own @spec-10.22', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let postgres: TestPostgres
  let volume: JuiceVolume
  let database: string
  let root: string
  /** The mount of the test. */
  let shown: string
  let servers: TestServer[]
  let one: Client
  let two: Client
  beforeAll(async () => {
    folder = temporaryFolder()
    root = join(folder.path, 'root')
    mkdirSync(root)
    postgres = await startPostgres()
    volume = new JuiceVolume(await postgres.create())
    database = await postgres.create()
    shown = volume.mount()
    servers = []
    one = await start()
    two = await start()
  }, 60_000)
  afterAll(async () => {
    for (const server of servers) {
      server.kill('SIGKILL')
      await server.stop()
    }
    volume.remove()
    await postgres.remove()
    folder.remove()
  })

  const onMount = (at: string) => withMounts(root, [{ at: '', folder: at }])
  async function start(): Promise<Client> {
    const program = onMount(volume.mount())
    const server = await startServer({ root, database, env, program, args: KEEP_ALL })
    servers.push(server)
    return signIn(server.url, 'admin', PASSWORD)
  }
  const save = async (who: Client, name: string, content: string, method = 'PUT') => {
    const answer = await who.call(method, `${API.resources}/${name}`, content)
    expect(answer.status, await answer.text()).toBe(200)
    return Number(answer.headers.get(JOURNAL_HEADER))
  }
  const content = async (who: Client, name: string) =>
    (await who.call('GET', `${API.raw}/${name}`)).text()
  const undo = (who: Client, id: number) => outcome(who.call('POST', `${API.journal}/undo`, { id }))

  test('start, since the file system has what they rely on, which doctor says too', async () => {
    for (const server of servers) {
      await server.says(/^Storage: /m)
      expect(server.output()).not.toMatch(/Only one server|On the file system/)
    }
    const doctor = ['doctor', root, '--database', database]
    const { stdout } = await runFilemgr(doctor, { home: folder.path, env, program: onMount(shown) })
    expect(stdout).toContain(`ok       The file system of ${root} has what several servers rely on`)
    expect(readdirSync(join(shown, '.filemgr')).filter((name) => name.includes('-'))).toEqual([])
  })

  test('reverse what a killed one has left, and lose nothing that it has acknowledged', async () => {
    const [first, second] = servers
    if (!first || !second) throw new Error('There are two servers.')
    const seed = Number(process.env.FILEMGR_SEED ?? Date.now() % 2 ** 31)
    const draw = drawFrom(seed)
    const expected = new ExpectedState(shown)
    const client = clientWith(second.url, two.token)
    const staging = outcome(
      one.call('POST', `${API.resources}/staged`, slowBody('part').body),
    ).catch(() => 'no response')
    const moments = [await momentOf(client, shown)]
    let isEnding = false
    const clientOf = (server: TestServer): Client => ({
      token: two.token,
      call(...request) {
        if (isEnding) throw new Error('The test sends nothing more.')
        return clientWith(server.url, two.token).call(...request)
      },
    })
    const users = [first, first, second].map(
      (server, number) => new SimulatedUser(clientOf(server), expected, `p${number}`, draw),
    )
    const work = users.map((user) => user.work().catch(() => undefined))
    await Bun.sleep(2000 + draw(1000))
    first.kill('SIGKILL')
    expect(await staging).toBe('no response')
    isEnding = true
    await Promise.all(work)
    const unfinished = () => postgres.run(database, 'SELECT 1 FROM journal WHERE is_done = 0')
    const processes = () => readdirSync(join(shown, '.filemgr/work'))
    while ((await unfinished()).length > 0 || processes().length > 1) await Bun.sleep(100)
    expect(expected.settle(), `seed ${seed}`).toEqual([])
    for (const user of users) await user.resume(client)
    expect(expected.settle(), `seed ${seed}, with all uploads`).toEqual([])
    const { undone, wrong } = await undoBackTo(moments, client, shown)
    expect(wrong, `seed ${seed}`).toEqual([])
    const changes = users.reduce((sum, { done }) => sum + done, 0)
    process.stdout.write(`${changes} changes, ${undone} undone\n`)
    expect(undone).toBeGreaterThanOrEqual(changes)
    one = await start()
  }, 60_000)

  test('see what the other one has saved, at the next request', async () => {
    await save(one, 'saved', 'first', 'POST')
    for (let round = 0; round < ROUNDS; round += 1) {
      expect(await content(two, 'saved')).toBe(round === 0 ? 'first' : `of two, ${round - 1}`)
      await save(one, 'saved', `of one, ${round}`)
      expect(await content(two, 'saved')).toBe(`of one, ${round}`)
      await save(two, 'saved', `of two, ${round}`)
      expect(await content(one, 'saved')).toBe(`of two, ${round}`)
    }
  })

  test('publish one name at once: one succeeds', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `round-${round}`
      const post = (who: Client, text: string) =>
        outcome(who.call('POST', `${API.resources}/${name}`, text))
      const seen = await Promise.all([post(one, 'of one'), post(two, 'of two')])
      expect(seen.toSorted()).toEqual(['200', '409 conflict'])
      const winner = seen[0] === '200' ? 'of one' : 'of two'
      for (const who of [one, two]) expect(await content(who, name)).toBe(winner)
    }
  })

  test('continue the uploads of each other', async () => {
    const [first, second] = ['1'.repeat(700_000), '2'.repeat(300_000)]
    for (const [begins, goesOn, name] of [
      [one, two, 'upload-one'],
      [two, one, 'upload-two'],
    ] as const) {
      const address = await createUpload(begins, name, 1_000_000)
      expect(await sendPart(begins, address, 0, first)).toBe('204')
      expect(await offsetOf(goesOn, address)).toBe(700_000)
      expect(await sendPart(goesOn, address, 700_000, second)).toBe('204')
      for (const who of [one, two]) expect((await content(who, name)) === first + second).toBe(true)
    }
  })

  test('undo what the other one has deleted, saved and renamed', async () => {
    await save(one, 'kept', 'before', 'POST')
    const saved = await save(one, 'kept', 'after')
    const deleted = await one.call('DELETE', `${API.resources}/kept`)
    expect(deleted.status).toBe(204)
    expect(await outcome(two.call('GET', `${API.raw}/kept`))).toBe('404 notFound')
    expect(await undo(two, Number(deleted.headers.get(JOURNAL_HEADER)))).toBe('200')
    expect(await content(one, 'kept')).toBe('after')
    expect(await undo(two, saved)).toBe('200')
    expect(await content(one, 'kept')).toBe('before')
    const renamed = await two.call(
      'PATCH',
      `${API.resources}/kept?action=rename&destination=/renamed`,
    )
    expect(renamed.status).toBe(200)
    expect(await content(one, 'renamed')).toBe('before')
    expect(await undo(one, Number(renamed.headers.get(JOURNAL_HEADER)))).toBe('200')
    expect(await content(two, 'kept')).toBe('before')
  })

  test('open the shares of each other, of a file and of a folder', async () => {
    await save(one, 'shared', 'of one', 'POST')
    expect(await outcome(one.call('POST', `${API.resources}/album/`))).toBe('200')
    await save(two, 'album/picture', 'of two', 'POST')
    for (const [owner, other, path, contained] of [
      [one, two, 'shared', 'shared'],
      [two, one, 'album', 'picture'],
    ] as const) {
      const { hash } = await (await owner.call('POST', `${API.share}/${path}`, '{}')).json()
      for (const who of [other, owner, other]) {
        const answer = await who.call('GET', `${API.publicShare}/${hash}`)
        expect(answer.status).toBe(200)
        expect(await answer.text()).toContain(contained)
      }
    }
  })
})
