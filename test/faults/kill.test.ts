/**
 * The server is killed at any moment of a mix of changes. Afterwards every file is its old or its new
 * self, no other name is there, the database opens, and unfinished uploads go on. Every change has its entry in the
 * journal, and no entry is without its change: undone one after the other, they lead back by hash. Jobs that were under
 * way are finished by the next server, and until then what they bring is there whole or not at all.
 *
 * `FILEMGR_KILLS` says how often; `npm run faults` says 200.
 */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import { ExpectedState } from './expected-state.ts'
import { JobPerson } from './job-load.ts'
import { drawFrom, Person } from './load.ts'
import { type Moment, momentOf, undoBackTo } from './undoing.ts'

const KILLS = Number(process.env.FILEMGR_KILLS ?? 8)
const PEOPLE = 4
/** So that every change can be undone at the end. */
const KEEP_ALL = ['--trash-share', '100', '--trash-versions', '10000']

/** Entries of the journal that are begun and not done. */
function unfinishedIn(database: string): number {
  using db = new Database(database, { readonly: true })
  return db.query('SELECT count(*) FROM journal WHERE is_done = 0').values()[0]?.[0] as number
}

test(
  `${KILLS} kills, and nothing is lost`,
  async () => {
    const seed = Number(process.env.FILEMGR_SEED ?? Date.now() % 2 ** 31)
    const draw = drawFrom(seed)
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const database = join(folder.path, 'f.db')
    const expected = new ExpectedState(root)
    const jobs = new JobPerson(root, expected, draw)
    jobs.prepare()
    let password = ''
    let people: Person[] = []
    const moments: Moment[] = []
    let [changes, resumed, undone] = [0, 0, 0]
    /** What the name of the instance may be: the last that was answered, and those sent after it. */
    let names = ['']
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const server = await startServer({ root, database, args: KEEP_ALL })
      password ||= server.password
      const client = await signIn(server.url, 'admin', password)
      await jobs.settle(client)
      expect(expected.settle(), `seed ${seed}, kill ${kill}`).toEqual([])
      for (const person of people) {
        if (person.unfinished) resumed += 1
        await person.resume(client)
      }
      const settings = await (await client.call('GET', API.settings)).json()
      expect(names).toContain(settings.branding.name)
      names = [settings.branding.name]
      expect(unfinishedIn(database), `seed ${seed}, kill ${kill}`).toBe(0)
      moments.push(await momentOf(client, root))
      if (kill === KILLS) {
        expect(expected.settle(), `seed ${seed}, at the end`).toEqual([])
        const { undone: count, wrong } = await undoBackTo(moments, client, root)
        expect(wrong, `seed ${seed}, undone`).toEqual([])
        undone = count
        await server.stop()
        break
      }
      people = Array.from(
        { length: PEOPLE },
        (_, number) => new Person(client, expected, `p${number}`, draw),
      )
      const working = [...people.map((person) => person.work()), jobs.work(client)]
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
      await server.stop()
      expect(jobs.look(), `seed ${seed}, kill ${kill}`).toEqual([])
      changes += people.reduce((sum, { done }) => sum + done, 0)
    }
    folder.remove()
    process.stdout.write(
      `${KILLS} kills among ${changes} changes and ${jobs.done + jobs.resumed} jobs, ${resumed} uploads and ${jobs.resumed} jobs went on, ${undone} changes undone, 0 files lost\n`,
    )
    expect(changes).toBeGreaterThan(KILLS)
    expect(undone).toBeGreaterThanOrEqual(changes)
  },
  KILLS * 8000 + 20_000,
)
