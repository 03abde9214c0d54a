/** One round: actors work at all servers, faults happen, and when all servers run again, nothing may be lost. */
import type { Job } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { ExpectedState } from '../../faults/expected-state.ts'
import { SimulatedJobUser } from '../../faults/job-load.ts'
import { type Draw, drawFrom } from '../../faults/load.ts'
import { type Moment, momentOf, undoBackTo } from '../../faults/undoing.ts'
import type { Client } from '../../support/server/client.ts'
import type { Actor } from './actor.ts'
import { drawFaults } from './faults.ts'
import { Merges } from './merges.ts'
import { NameContest } from './name-contest.ts'
import { Revocations } from './revocations.ts'
import type { SharedServers } from './servers.ts'
import { SharedUploads } from './shared-uploads.ts'
import { leftIn } from './staging.ts'
import { Undos } from './undos.ts'
import { Users } from './users.ts'

const USERS = 3
/** How many changes users make before the faults, and at least after them. */
const BEFORE_MAX = 40
const AFTER = 5
/** The longest lease, the interval of takeovers, and the work itself take less. */
const SETTLED_WITHIN_MS = 180_000
/** Consecutive seeds must not give similar numbers. */
const SPREAD = 2_654_435_761

export interface RoundReport {
  /** What has happened to the servers. */
  faults: string
  /** Changes that users made, and that were undone at the end. */
  changes: number
  undone: number
  /** Interrupted uploads and jobs that another server has continued. */
  continued: number
  /** A message for each loss. */
  wrong: string[]
}

/** What works in a round. */
interface Load {
  actors: Actor[]
  users: Users[]
  jobs: SimulatedJobUser
  expected: ExpectedState
}

export async function playRound(servers: SharedServers, seed: number): Promise<RoundReport> {
  const number = Math.imul(seed, SPREAD) >>> 0
  // The faults must not depend on how often the actors have drawn.
  const faultDraw = drawFrom(number)
  const draw = drawFrom(number + 1)
  const faults = drawFaults(servers, faultDraw)
  const admin = servers.anyClient(draw)
  const load = prepareLoad(servers, admin, draw)
  const base = await momentOf(admin, servers.root)

  let [isOver, hasEnded] = [false, false]
  const working = workOf(load, admin, () => !isOver).finally(() => {
    hasEnded = true
  })
  const more = async (count: number) => {
    const enough = changesOf(load) + count
    while (!hasEnded && changesOf(load) < enough) await Bun.sleep(5)
  }
  await more(faultDraw(BEFORE_MAX))
  for (const { happen } of faults) await happen()
  await more(AFTER)
  isOver = true
  await servers.revive()
  const wrong = await working

  const settling = settle(servers, admin, load, base)
  const settled = await within(SETTLED_WITHIN_MS, settling)
  return {
    faults: faults.map(({ name }) => name).join(', '),
    changes: changesOf(load),
    undone: settled.undone,
    continued: settled.continued,
    wrong: [...wrong, ...settled.wrong],
  }
}

function changesOf({ users }: Load): number {
  return users.reduce((sum, { done }) => sum + done, 0)
}

function prepareLoad(servers: SharedServers, admin: Client, draw: Draw): Load {
  const expected = new ExpectedState(servers.root)
  const jobs = new SimulatedJobUser(servers.root, expected, draw)
  jobs.prepare()
  const merges = new Merges(servers, admin, expected)
  merges.prepare()
  const revocations = new Revocations(servers, admin, draw)
  revocations.prepare(expected)
  const contest = new NameContest(servers, expected)
  contest.prepare()
  const uploads = new SharedUploads(servers, expected, draw)
  const undos = new Undos(admin, expected, draw)
  const users = Array.from(
    { length: USERS },
    (_, at) => new Users(admin, expected, `user-${at}`, draw),
  )
  return { actors: [merges, revocations, contest, uploads, undos], users, jobs, expected }
}

/** Lets all work until they are told to end. @returns a message for each that was refused what no fault explains */
async function workOf(
  { actors, users, jobs }: Load,
  admin: Client,
  mayGoOn: () => boolean,
): Promise<string[]> {
  const working = [...actors, ...users].map((one) => one.work(mayGoOn))
  const results = await Promise.allSettled([...working, jobs.work(admin, mayGoOn)])
  return results.flatMap((result) =>
    result.status === 'rejected' ? [`refused: ${result.reason}`] : [],
  )
}

/** Waits until nothing is undecided, looks at everything, and undoes it. */
async function settle(
  servers: SharedServers,
  admin: Client,
  { actors, users, jobs, expected }: Load,
  base: Moment,
): Promise<{ wrong: string[]; undone: number; continued: number }> {
  await servers.areReady()
  await entriesAreDecided(servers)
  await jobs.settle(admin)
  const wrong = jobs.incompleteFolders()
  for (const actor of actors) wrong.push(...(await actor.settle()))
  wrong.push(...expected.settle())
  let continued = jobs.resumed
  for (const user of users) continued += await user.resume()
  wrong.push(...expected.settle())
  const back = await undoBackTo([base], admin, servers.root)
  wrong.push(...back.wrong)
  await clear(admin)
  await entriesAreDecided(servers)
  while (leftIn(servers).length > 0) await Bun.sleep(200)
  return { wrong, undone: back.undone, continued }
}

/** Waits until each change is done or reversed. */
async function entriesAreDecided({ postgres, url }: SharedServers): Promise<void> {
  const open = 'SELECT id FROM journal WHERE is_done = 0'
  while ((await postgres.run(url, open)).length > 0) await Bun.sleep(200)
}

/** Removes ended jobs and the trash, so that a long campaign does not fill the disk. */
async function clear(admin: Client): Promise<void> {
  const jobs: Job[] = await (await admin.call('GET', API.jobs)).json()
  for (const { id } of jobs) await admin.call('DELETE', `${API.jobs}/${id}`)
  const shares: { hash: string }[] = await (await admin.call('GET', API.shares)).json()
  for (const { hash } of shares) await admin.call('DELETE', `${API.share}/${hash}`)
  await admin.call('DELETE', `${API.trash}?all=true`)
}

/** @throws Error if it takes longer, so that a campaign does not wait for ever */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`The servers did not settle in ${ms} ms.`)),
    ms,
  )
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
