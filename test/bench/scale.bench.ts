/**
 * One, two and three servers with one PostgreSQL database behind HAProxy (docs/examples/haproxy.cfg): how many small files,
 * uploads and listings they serve a second, and the 99th percentile of the times. The servers, the database, HAProxy and
 * the client share this machine, so more servers are only faster if it has cores for them.
 *
 * Before that, a server with PostgreSQL and one with the embedded database do the same in alternating rounds, without
 * HAProxy. The budgets are the ratios of their times.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, clientWith, signIn } from '../support/server/client.ts'
import { haproxyMissing, startBalancer } from '../support/server/haproxy.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { POSTGRES_PASSWORD, postgresMissing, startPostgres } from '../support/server/postgres.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { report } from './report.ts'
import { type Cell, writeTable } from './table.ts'

const ROUNDS = 5
const CONNECTIONS = 16
const LISTED_FILES = 1000
const content = new Uint8Array(10 * 1024).fill(65)

interface Work {
  name: string
  /** How many requests a round has. */
  requests: number
  send(client: Client, number: number): Promise<Response>
}

const WORK: Record<string, Work> = {
  get: {
    name: 'GET of a file of 10 KiB',
    requests: 2000,
    send: (client) => client.call('GET', `${API.raw}/small.bin`),
  },
  upload: {
    name: 'upload of a file of 10 KiB',
    requests: 500,
    send: (client, number) => client.call('POST', `${API.resources}/up/${number}`, content),
  },
  list: {
    name: `listing of ${LISTED_FILES} files`,
    requests: 300,
    send: (client) => client.call('GET', `${API.resources}/listed/`),
  },
}

interface Round {
  ms: number
  p99Ms: number
}

/** The number of requests so far, which names the uploaded files. */
let sent = 0

const refusal = postgresMissing() ?? haproxyMissing()
if (refusal) {
  process.stderr.write(`Skipped: ${refusal}\n`)
} else {
  process.stdout.write(
    `Servers, database, load balancer and client share ${availableParallelism()} cores.\n\n`,
  )
  await using resources = new AsyncDisposableStack()
  await compareDatabases(resources)
  await compareCounts(resources)
}

/** Measures a server with each kind of database, in alternating rounds. */
async function compareDatabases(resources: AsyncDisposableStack): Promise<void> {
  const embedded = await startOn(newRoot(resources), {}, resources)
  const onPostgres = await startOn(newRoot(resources), await newDatabase(resources), resources)
  const [rows, figures] = [[] as Cell[][], {} as Record<string, number>]
  for (const [key, work] of Object.entries(WORK)) {
    const rounds = { embedded: [] as Round[], onPostgres: [] as Round[] }
    for (let round = 0; round <= ROUNDS; round += 1) {
      const own = {
        embedded: await measure(work, embedded),
        onPostgres: await measure(work, onPostgres),
      }
      // The first one compiles what runs.
      if (round === 0) continue
      rounds.embedded.push(own.embedded)
      rounds.onPostgres.push(own.onPostgres)
    }
    rows.push([work.name, 'embedded', ...cellsOf(work, rounds.embedded)])
    rows.push([work.name, 'PostgreSQL', ...cellsOf(work, rounds.onPostgres)])
    figures[`${key}PostgresToEmbedded`] = msOf(rounds.onPostgres) / msOf(rounds.embedded)
  }
  writeTable('One server, by its database', ['work', 'database', 'a second', 'p99 ms'], rows)
  report(
    'times with PostgreSQL, divided by those with the embedded database',
    budgets.scale,
    figures,
  )
}

/** Measures one server more each time, behind HAProxy. */
async function compareCounts(resources: AsyncDisposableStack): Promise<void> {
  const balancer = await startBalancer()
  resources.defer(() => balancer.stop())
  const [root, database] = [newRoot(resources), await newDatabase(resources)]
  let token = ''
  const rows: Cell[][] = []
  for (const [at, port] of balancer.ports.entries()) {
    const args = ['--port', String(port), '--trusted-proxies', '127.0.0.1']
    const client = await startOn(root, { ...database, args }, resources)
    token ||= client.token
    const areUp = async () => (await balancer.states()).filter(({ isUp }) => isUp).length === at + 1
    while (!(await areUp())) await Bun.sleep(100)
    for (const work of Object.values(WORK)) {
      const rounds: Round[] = []
      for (let round = 0; round <= ROUNDS; round += 1) {
        const measured = await measure(work, clientWith(balancer.url, token))
        if (round > 0) rounds.push(measured)
      }
      rows.push([work.name, at + 1, ...cellsOf(work, rounds)])
    }
  }
  rows.sort(([one], [other]) => String(one).localeCompare(String(other)))
  writeTable('Servers behind HAProxy', ['work', 'servers', 'a second', 'p99 ms'], rows)
}

/** A folder to serve, with the files of all works. */
function newRoot(resources: AsyncDisposableStack): string {
  const folder = temporaryFolder()
  resources.defer(() => folder.remove())
  const root = join(folder.path, 'root')
  mkdirSync(join(root, 'listed'), { recursive: true })
  mkdirSync(join(root, 'up'))
  writeFileSync(join(root, 'small.bin'), content)
  for (let at = 0; at < LISTED_FILES; at += 1) writeFileSync(join(root, 'listed', `file ${at}`), '')
  return root
}

interface StartOptions {
  database?: string
  env?: Record<string, string>
  args?: string[]
}

async function newDatabase(resources: AsyncDisposableStack): Promise<StartOptions> {
  const postgres = await startPostgres({ isDurable: true })
  resources.defer(() => postgres.remove())
  const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
  return { database: await postgres.create(), env }
}

async function startOn(
  root: string,
  options: StartOptions,
  resources: AsyncDisposableStack,
): Promise<Client> {
  const server = await startServer({ root, ...options })
  resources.defer(async () => void (await server.stop()))
  return signIn(server.url, 'admin', PASSWORD)
}

/** Sends the requests of a round, as many at a time as there are connections. @throws Error if one fails */
async function measure({ name, requests, send }: Work, client: Client): Promise<Round> {
  const times: number[] = []
  const last = sent + requests
  const work = async () => {
    while (sent < last) {
      sent += 1
      const startedAt = performance.now()
      const response = await send(client, sent)
      await response.bytes()
      if (!response.ok) throw new Error(`${name}: ${response.status}`)
      times.push(performance.now() - startedAt)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const ms = performance.now() - startedAt
  const p99Ms = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  return { ms, p99Ms }
}

function msOf(rounds: readonly Round[]): number {
  return median(rounds.map(({ ms }) => ms))
}

/** Requests a second, and the 99th percentile. */
function cellsOf({ requests }: Work, rounds: readonly Round[]): Cell[] {
  return [(requests * 1000) / msOf(rounds), median(rounds.map(({ p99Ms }) => p99Ms))]
}
