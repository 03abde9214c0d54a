/**
 * How long a request waits for the heavy work of other clients: the time of a GET of a small file, every 5 ms, while the
 * server works for another client. The budgets are milliseconds at the 99th percentile; the table shows the median too.
 */
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signIn } from '../support/server/client.ts'
import { filemgr } from '../support/server/executable.ts'
import { ended, started } from '../support/server/jobs.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noFuse } from '../support/system/fuse.ts'
import { SilentMount } from '../support/system/silent-mount.ts'
import budgets from './budgets.json' with { type: 'json' }
import { report } from './report.ts'
import { type Cell, writeTable } from './table.ts'

/** The program that requests the small file. */
const CLIENT = join(import.meta.dir, 'small-get-times.ts')
const SECONDS = 6
/** How long each flush of the slow disk takes. */
const FLUSH_MS = 500

const photo = await sharp({
  create: { width: 4000, height: 3000, channels: 3, background: 'teal' },
})
  .jpeg()
  .toBuffer()
await using resources = new AsyncDisposableStack()
const folder = temporaryFolder()
resources.defer(() => folder.remove())
const root = join(folder.path, 'root')
await fill()
const quick = await startServer({ root })
resources.defer(async () => void (await quick.stop()))
const slow = await startServer({ root, program: withSlowFlushes(filemgr()) })
resources.defer(async () => void (await slow.stop()))
/** A server with a remote folder below its root that does not answer; undefined where nothing can be mounted. */
const silent = noFuse('sshfs') === undefined ? await startSilent() : undefined
/** The server that is measured, and the session of its requests. */
let server = quick
let client = await sessionOf(quick)

/** Each is repeated while the small file is requested. Key: the beginning of the name of its budget. */
const WORK: Record<string, { name: string; run(): Promise<unknown> }> = {
  idle: { name: 'nothing', run: () => Bun.sleep(50) },
  list: { name: 'listings of 100 000 files', run: () => read(`${API.resources}/large/`) },
  archive: { name: 'a tar of 10 000 files', run: () => read(`${API.raw}/many/?algo=tar`) },
  upload: { name: 'uploads of 256 MiB', run: upload },
  slowDisk: { name: `the same, each flush takes ${FLUSH_MS} ms`, run: upload },
  thumbnails: { name: 'thumbnails of 12 megapixels', run: drawThumbnail },
  search: { name: 'searches', run: () => read(`${API.search}/?query=999`) },
  extract: { name: 'extractions of 10 000 files', run: extract },
  silent: { name: 'requests for a mount that does not answer', run: askSilentMount },
}
const SERVERS: Partial<Record<string, TestServer | undefined>> = { slowDisk: slow, silent }

let drawn = 0
let extracted = 0
const figures: Record<string, number> = {}
const rows: Cell[][] = []
for (const [key, { name, run }] of Object.entries(WORK)) {
  const serverOfWork = key in SERVERS ? SERVERS[key] : quick
  if (!serverOfWork) {
    process.stderr.write(`Skipped, because nothing can be mounted: ${name}\n`)
    continue
  }
  server = serverOfWork
  client = await sessionOf(server)
  const times = await timesDuring(run)
  const quantile = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  rows.push([name, quantile(0.5), quantile(0.99), times.at(-1) ?? Number.NaN])
  figures[`${key}P99Ms`] = quantile(0.99)
}
writeTable(
  'A small GET while the server works',
  ['work', 'median ms', 'p99 ms', 'longest ms'],
  rows,
)
report(
  'a small GET while the server works, at the 99th percentile',
  budgets.responsiveness,
  figures,
)

/** A command that runs the program with strace, which delays each flush (fsync, fdatasync) of every thread. */
function withSlowFlushes(program: [string, ...string[]]): [string, ...string[]] {
  const calls = 'fsync,fdatasync'
  const delay = `inject=${calls}:delay_enter=${FLUSH_MS * 1000}`
  // -D keeps the process id of the server; --seccomp-bpf lets other system calls run at full speed.
  const options = ['-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null']
  return ['strace', ...options, '-e', `trace=${calls}`, '-e', delay, ...program]
}

/** A server whose mount answered when it started, and falls silent. */
async function startSilent(): Promise<TestServer> {
  const mount = new SilentMount('remote')
  resources.defer(() => mount.remove())
  await mount.open()
  writeFileSync(join(mount.root, 'small.txt'), 'small')
  const started = await startServer({ root: mount.root, program: mount.program })
  resources.defer(async () => {
    mount.wake()
    await started.stop()
  })
  mount.silence()
  return started
}

function sessionOf({ url, password }: TestServer): Promise<Client> {
  return signIn(url, 'admin', password)
}

/**
 * Requests the small file while `work` is repeated.
 *
 * @returns the times of the requests in milliseconds, in ascending order
 */
async function timesDuring(work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false
  const repeat = async () => {
    while (!isOver) await work()
  }
  const request = async () => {
    try {
      return await smallGetTimes()
    } finally {
      isOver = true
    }
  }
  const [times] = await Promise.all([request(), repeat()])
  return times.sort((a, b) => a - b)
}

/** @throws Error if a request fails */
async function smallGetTimes(): Promise<number[]> {
  const url = `${server.url}${API.raw}/small.txt`
  const program = Bun.spawn([process.execPath, CLIENT, url, client.token, String(SECONDS)])
  const printed = await new Response(program.stdout).text()
  if ((await program.exited) !== 0) throw new Error('A request for the small file has failed.')
  return JSON.parse(printed)
}

async function read(address: string): Promise<void> {
  const response = await client.call('GET', address)
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  for await (const _ of response.body ?? []);
}

async function upload(): Promise<void> {
  const body = new Uint8Array(256 * 2 ** 20)
  const response = await client.call('POST', `${API.resources}/upload.bin?override=true`, body)
  if (!response.ok) throw new Error(`upload: ${response.status}`)
}

/** Adds a photo, so that its thumbnail is not stored yet, and requests it. */
async function drawThumbnail(): Promise<void> {
  drawn += 1
  writeFileSync(join(root, `photo-${drawn}.jpg`), photo)
  await read(`${API.preview}/thumb/photo-${drawn}.jpg`)
}

/** Extracts the archive into a new folder. */
async function extract(): Promise<void> {
  extracted += 1
  const to = `/extracted ${extracted}/`
  await client.call('POST', API.resources + encodeURI(to))
  const items = [{ path: '/many.tar', decision: 'refuse' as const }]
  const { id } = await started(client, { kind: 'extract', items, to })
  const { state } = await ended(client, id)
  if (state !== 'done') throw new Error(`extraction: ${state}`)
}

/** As many requests as a browser sends at once. The server refuses each after a time. */
async function askSilentMount(): Promise<void> {
  const ask = (number: number) => client.call('GET', `${API.resources}/remote/${number}`)
  const responses = await Promise.all([1, 2, 3, 4, 5, 6].map(ask))
  for (const { status } of responses) {
    if (status !== 503) throw new Error(`a silent mount: ${status}`)
  }
}

/** Creates 100 000 empty files, 10 000 files of 10 KiB, an archive of these, and the small file. */
async function fill(): Promise<void> {
  for (const [name, count, bytes] of [
    ['large', 100_000, 0],
    ['many', 10_000, 10 * 1024],
  ] as const) {
    mkdirSync(join(root, name), { recursive: true })
    for (let number = 0; number < count; number += 1) {
      const path = join(root, name, `file ${number}.txt`)
      if (bytes === 0) closeSync(openSync(path, 'w'))
      else writeFileSync(path, new Uint8Array(bytes))
    }
  }
  await Bun.$`tar -C ${root} -cf ${join(root, 'many.tar')} many`
  writeFileSync(join(root, 'small.txt'), 'small')
}
