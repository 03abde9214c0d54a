/** Metrics for Prometheus (text format 0.0.4), and for `filemgr status`. */

import type { App } from '#server/app.ts'
import type { IndexStatus } from '#server/index/protocol.ts'
import { readGauges } from '#server/limits/gauges.ts'
import { VERSION } from '#server/version.ts'
import type { IndexReport, ServerStatus } from '#wire/api/status.ts'

/** Histogram buckets of the time to the first byte, in seconds. */
const BUCKETS_S = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

interface Times {
  /** How many responses fall in each bucket of `BUCKETS_S`; one more for longer times. */
  within: number[]
  sumSec: number
}

/** Counts requests. The labels are routes, so that their number is bounded. */
export class Metrics {
  readonly #startedMs = Date.now()
  /** The key is method, route and status, such as `GET /api/raw/* 200`. */
  readonly #responses = new Map<string, { labels: Labels; count: number }>()
  readonly #times: Times = { within: BUCKETS_S.map(() => 0).concat(0), sumSec: 0 }
  /** Route → requests whose last byte is not sent yet. */
  readonly #inFlight = new Map<string, number>()
  /** Route → bytes of files. */
  readonly #bytes = { received: new Map<string, number>(), sent: new Map<string, number>() }
  /** All responses since the start of the process. */
  #total = 0

  /**
   * Called when the route of a request is known.
   *
   * @returns a function to call when the last byte is sent
   */
  startRequest(route: string): () => void {
    this.#inFlight.set(route, (this.#inFlight.get(route) ?? 0) + 1)
    return () => this.#inFlight.set(route, (this.#inFlight.get(route) ?? 1) - 1)
  }

  /** Adds to the bytes of files that a route has received from clients, or sent to them. */
  countBytes(
    direction: 'received' | 'sent',
    route: { path: string } | undefined,
    bytes: number,
  ): void {
    const counts = this.#bytes[direction]
    const path = route?.path ?? '/'
    counts.set(path, (counts.get(path) ?? 0) + bytes)
  }

  recordResponse(labels: Labels, seconds: number): void {
    const key = `${labels.method} ${labels.route} ${labels.status}`
    const known = this.#responses.get(key) ?? { labels, count: 0 }
    known.count += 1
    this.#responses.set(key, known)
    this.#total += 1
    const bucket = BUCKETS_S.findIndex((end) => seconds <= end)
    const index = bucket < 0 ? BUCKETS_S.length : bucket
    this.#times.within[index] = (this.#times.within[index] ?? 0) + 1
    this.#times.sumSec += seconds
  }

  async status(app: App): Promise<ServerStatus> {
    return { ...(await this.#known(app)), unfinishedUploads: await unfinishedUploadsOf(app) }
  }

  /** What is known without asking a disk. */
  async #known(app: App): Promise<Omit<ServerStatus, 'unfinishedUploads'>> {
    return {
      version: VERSION,
      startedAt: new Date(this.#startedMs).toISOString(),
      memoryBytes: process.memoryUsage.rss(),
      requests: this.#total,
      readOnly: app.readOnly,
      users: await app.users.count(),
      sessions: (await app.sessions.list()).length,
      shares: (await app.shares.listAll()).length,
      index: indexReport(app.index?.status),
      work: readGauges().filter(({ atWork, waiting }) => atWork + waiting > 0),
    }
  }

  /** All metrics in Prometheus' text format. */
  async text(app: App): Promise<string> {
    return [
      ...this.#processFamilies(await this.#known(app)),
      ...this.#requestFamilies(),
      ...diskFamilies(app),
      ...workFamilies(),
      '',
    ].join('\n')
  }

  #processFamilies(status: Omit<ServerStatus, 'unfinishedUploads'>): string[] {
    return [
      ...family('filemgr_info', 'gauge', 'The build.', [[{ version: status.version }, 1]]),
      ...family('process_start_time_seconds', 'gauge', 'When the process started.', [
        [{}, this.#startedMs / 1000],
      ]),
      ...family('process_resident_memory_bytes', 'gauge', 'Resident memory.', [
        [{}, status.memoryBytes],
      ]),
      ...family('filemgr_users', 'gauge', 'User accounts.', [[{}, status.users]]),
      ...family('filemgr_sessions', 'gauge', 'Active sessions.', [[{}, status.sessions]]),
      ...family('filemgr_shares', 'gauge', 'Public links.', [[{}, status.shares]]),
      ...indexFamilies(status.index),
    ]
  }

  #requestFamilies(): string[] {
    return [
      ...family(
        'filemgr_http_requests_total',
        'counter',
        'Requests with a response.',
        [...this.#responses.values()].map(({ labels, count }) => [labels, count]),
      ),
      ...family(
        'filemgr_http_requests_in_flight',
        'gauge',
        'Requests until their last byte is sent; of /api/raw, /api/tus and /api/public/dl: transfers.',
        byRoute(this.#inFlight),
      ),
      ...family(
        'filemgr_received_bytes_total',
        'counter',
        'Bytes of files from clients.',
        byRoute(this.#bytes.received),
      ),
      ...family(
        'filemgr_sent_bytes_total',
        'counter',
        'Bytes of files and archives to clients.',
        byRoute(this.#bytes.sent),
      ),
      ...this.#histogram('filemgr_http_request_seconds', 'Time until a response begins.'),
    ]
  }

  #histogram(name: string, help: string): string[] {
    const { within, sumSec } = this.#times
    let sum = 0
    const buckets = within.map((count, index) => {
      sum += count
      return line(`${name}_bucket`, { le: String(BUCKETS_S[index] ?? '+Inf') }, sum)
    })
    return [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} histogram`,
      ...buckets,
      line(`${name}_sum`, {}, sumSec),
      line(`${name}_count`, {}, sum),
    ]
  }
}

async function unfinishedUploadsOf({ uploads }: App): Promise<ServerStatus['unfinishedUploads']> {
  if (!uploads) return { count: 0, bytes: 0 }
  const { unfinished } = uploads
  try {
    await unfinished.diskAnswers()
    return { count: await unfinished.count(), bytes: await unfinished.receivedInAll() }
  } catch {
    return { count: await unfinished.count() }
  }
}

function indexReport(status: IndexStatus | undefined): IndexReport {
  if (!status) return { state: 'off', names: 0, folders: 0, memoryBytes: 0, ageSec: null }
  const { checkedMs, ...rest } = status
  const ageSec = checkedMs === 0 ? null : Math.max(0, (Date.now() - checkedMs) / 1000)
  return { ...rest, ageSec }
}

/** The age is left out for an index that was never compared with the disk. */
function indexFamilies({ state, names, memoryBytes, ageSec }: IndexReport): string[] {
  return [
    ...family('filemgr_index_state', 'gauge', 'The index of names.', [[{ state }, 1]]),
    ...family('filemgr_index_names', 'gauge', 'Names in the index.', [[{}, names]]),
    ...family('filemgr_index_memory_bytes', 'gauge', 'Memory of the index.', [[{}, memoryBytes]]),
    ...family(
      'filemgr_index_age_seconds',
      'gauge',
      'Time since the index was compared with the disk.',
      ageSec === null ? [] : [[{}, ageSec]],
    ),
  ]
}

function diskFamilies({ tree }: App): string[] {
  return family(
    'filemgr_disk_state',
    'gauge',
    'The disk of the root, and those mounted below it: responds, slow or silent.',
    tree.storage.states().map(({ path, state }) => [{ path, state }, 1]),
  )
}

function workFamilies(): string[] {
  const gauges = readGauges()
  return [
    ...family(
      'filemgr_work_running',
      'gauge',
      'Work with a limit.',
      gauges.map(({ what, atWork }) => [{ what }, atWork]),
    ),
    ...family(
      'filemgr_work_waiting',
      'gauge',
      'Work that waits for its turn.',
      gauges.map(({ what, waiting }) => [{ what }, waiting]),
    ),
  ]
}

function byRoute(counts: ReadonlyMap<string, number>): Sample[] {
  return [...counts].map(([route, count]) => [{ route }, count])
}

interface Labels {
  method: string
  route: string
  status: number
}

type Sample = readonly [labels: object, value: number]

function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => line(name, labels, value)),
  ]
}

function line(name: string, labels: object, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(`${text}`)}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
