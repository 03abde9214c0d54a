/**
 * The server is killed at random moments during changes. After each kill, every file has its old or its new content, no
 * other file exists, the database opens, and unfinished uploads continue. Every change has its journal entry, and no entry
 * is without its change: when all entries are undone, newest first, each earlier state of the tree is restored. The next
 * server finishes interrupted jobs; until then, their results are complete or not visible.
 *
 * `FILEMGR_KILLS` is the number of kills on the storage of Linux, and half of them on the portable one; `npm run faults` sets
 * 200.
 */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { clientWith, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import { ExpectedState } from './expected-state.ts'
import { SimulatedJobUser } from './job-load.ts'
import { drawFrom, SimulatedUser } from './load.ts'
import { type Moment, momentOf, undoBackTo } from './undoing.ts'

const KILLS = Number(process.env.FILEMGR_KILLS ?? 8)
const USERS = 4
/** What `stop` returns for a killed server. */
const KILLED = 128
/** The trash keeps everything, so that every change can be undone at the end. */
const KEEP_ALL = ['--trash-share', '100', '--trash-versions', '10000']

/** The number of journal entries that are begun and not done. */
function unfinishedIn(database: string): number {
  using db = new Database(database, { readonly: true })
  return db.query('SELECT count(*) FROM journal WHERE is_done = 0').values()[0]?.[0] as number
}

test.each([
  ['local', KILLS],
  ['portable', Math.ceil(KILLS / 2)],
] as const)(
  'on the %s storage, %d kills during changes lose no file, and every change can be undone',
  async (storage, kills) => {
    const seed = Number(process.env.FILEMGR_SEED ?? Date.now() % 2 ** 31)
    const draw = drawFrom(seed)
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const database = join(folder.path, 'f.db')
    const expected = new ExpectedState(root)
    const jobs = new SimulatedJobUser(root, expected, draw)
    jobs.prepare()
    let password = ''
    let token = ''
    let users: SimulatedUser[] = []
    const moments: Moment[] = []
    let [changes, resumed, undone] = [0, 0, 0]
    /** The allowed names of the instance: the last confirmed one, and those that were sent after it. */
    let names = ['']
    for (let kill = 0; kill <= kills; kill += 1) {
      const server = await startServer({
        root,
        database,
        args: ['--storage', storage, ...KEEP_ALL],
      })
      password ||= server.password
      // The client keeps its session: only to that one an upload is reported whose last response was lost.
      token ||= (await signIn(server.url, 'admin', password)).token
      const client = clientWith(server.url, token)
      await jobs.settle(client)
      expect(expected.settle(), `seed ${seed}, kill ${kill}`).toEqual([])
      for (const user of users) {
        if (await user.resume(client)) resumed += 1
      }
      const settings = await (await client.call('GET', API.settings)).json()
      expect(names).toContain(settings.branding.name)
      names = [settings.branding.name]
      expect(unfinishedIn(database), `seed ${seed}, kill ${kill}`).toBe(0)
      moments.push(await momentOf(client, root))
      if (kill === kills) {
        expect(expected.settle(), `seed ${seed}, at the end`).toEqual([])
        const { undone: count, wrong } = await undoBackTo(moments, client, root)
        expect(wrong, `seed ${seed}, undone`).toEqual([])
        undone = count
        await server.stop()
        break
      }
      users = Array.from(
        { length: USERS },
        (_, number) => new SimulatedUser(client, expected, `p${number}`, draw),
      )
      const working = [...users.map((user) => user.work()), jobs.work(client)]
      const name = `name ${kill}`
      names.push(name)
      const renaming = client
        .call('PUT', API.settings, { branding: { name } })
        .then(({ ok }) => {
          if (ok) names = [name]
        })
        .catch(() => undefined)
      await Bun.sleep(20 + draw(300))
      server.kill('SIGKILL')
      await Promise.all([...working, renaming])
      expect(await server.stop(), `seed ${seed}, a crash before kill ${kill}`).toBe(KILLED)
      expect(jobs.incompleteFolders(), `seed ${seed}, kill ${kill}`).toEqual([])
      changes += users.reduce((sum, { done }) => sum + done, 0)
    }
    folder.remove()
    process.stdout.write(
      `${kills} kills of the ${storage} storage among ${changes} changes and ${jobs.done + jobs.resumed} jobs, ${resumed} uploads and ${jobs.resumed} jobs continued, ${undone} changes undone, 0 files lost\n`,
    )
    expect(changes).toBeGreaterThan(kills)
    expect(undone).toBeGreaterThanOrEqual(changes)
  },
  KILLS * 8000 + 20_000,
)
