/**
 * Uploads of 2000 files of 10 KiB over five connections, in each way that the API has, with full and relaxed durability.
 * Each time is divided by that of a copy in this process, which writes the same files one by one on the same disk and
 * removes them: with a flush of each file for full durability, without flushes for relaxed. Rounds alternate. The
 * processor time of the server is printed too: other work on the machine changes it less than the time.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median, timed } from './measure.ts'
import { usageOf } from './peers/usage.ts'
import { report } from './report.ts'

const ROUNDS = 3
const FILES = 2000
const CONNECTIONS = 5
/** Files of one request. */
const BATCH = 100
const content = new Uint8Array(10 * 1024).fill(65)

/** Uploads all files into a new folder; `name` returns the name of the file with an index. */
type Upload = (client: Client, folder: string, name: (index: number) => string) => Promise<void>

const UPLOADS: Record<string, Upload> = {
  plain: (client, folder, name) =>
    inParallel(FILES, async (index) => {
      const address = `${API.resources}/${folder}/${name(index)}`
      mustBe(200, await client.call('POST', address, content))
    }),
  tus: (client, folder, name) =>
    inParallel(FILES, async (index) => {
      const length = { 'Upload-Length': String(content.length) }
      const address = `${API.tus}/${folder}/${name(index)}`
      mustBe(201, await client.call('POST', address, undefined, length))
      const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
      mustBe(204, await client.call('PATCH', address, content, headers))
    }),
  batch: (client, folder, name) =>
    inParallel(FILES / BATCH, async (batch) => {
      const form = new FormData()
      for (let index = 0; index < BATCH; index += 1) {
        form.append('file', new Blob([content]), name(batch * BATCH + index))
      }
      const response = await client.call('POST', `${API.batch}/${folder}/`, form)
      mustBe(200, response)
      const { results }: { results: { status: number }[] } = await response.json()
      const written = results.filter(({ status }) => status === 200)
      if (written.length !== BATCH) throw new Error(`${written.length} of ${BATCH} files arrived.`)
    }),
}

await using resources = new AsyncDisposableStack()
const local = temporaryFolder()
resources.defer(() => local.remove())
const servers = { full: await startClient('full'), relaxed: await startClient('relaxed') }
const times: Record<string, number[]> = {}
/** Milliseconds of processor time of the server. */
const workedMs: Record<string, number[]> = {}
for (let round = 0; round < ROUNDS; round += 1) {
  for (const durability of ['full', 'relaxed'] as const) {
    record(
      times,
      `${durability}Copy`,
      await timed(() => copy(`${durability}-${round}`, durability)),
    )
    for (const [way, upload] of Object.entries(UPLOADS)) {
      const folder = `${way}-${round}`
      const { client, pid } = servers[durability]
      const { wallMs, cpuMs } = await usageOf(pid, () =>
        upload(client, folder, (index) => `file ${index}`),
      )
      record(times, `${durability}${way}`, wallMs)
      if (cpuMs !== undefined) record(workedMs, `${durability}${way}`, cpuMs)
    }
  }
}
const figures: Record<string, number> = {}
for (const [name, figure] of Object.entries(times)) {
  const [durability = ''] = /^(full|relaxed)/.exec(name) ?? []
  const way = name.slice(durability.length)
  const perSec = Math.round((FILES / median(figure)) * 1000)
  const worked = workedMs[name]
  const perFileUs = worked && Math.round((median(worked) / FILES) * 1000)
  const processor = perFileUs === undefined ? '' : `, ${perFileUs} µs of processor time a file`
  process.stdout.write(`${durability} ${way}: ${perSec} files a second${processor}\n`)
  if (way !== 'Copy') {
    figures[`${durability}${way}ToCopy`] = median(figure) / median(times[`${durability}Copy`] ?? [])
  }
}
report('2000 files of 10 KiB over 5 connections', budgets.uploads, figures)

function record(figures: Record<string, number[]>, name: string, ms: number): void {
  figures[name] = [...(figures[name] ?? []), ms]
}

/** Starts a server, and signs in. */
async function startClient(durability: string): Promise<{ client: Client; pid: number }> {
  const server = await startServer({ args: ['--durability', durability] })
  resources.defer(async () => void (await server.stop()))
  return { client: await signIn(server.url, 'admin', server.password), pid: server.pid }
}

/** Writes the same files one by one, and removes them. */
async function copy(name: string, durability: 'full' | 'relaxed'): Promise<void> {
  const folder = join(local.path, name)
  mkdirSync(folder)
  for (let index = 0; index < FILES; index += 1) {
    const file = openSync(join(folder, `${index}`), 'w')
    writeSync(file, content)
    if (durability === 'full') fsyncSync(file)
    closeSync(file)
  }
  rmSync(folder, { recursive: true })
}

/** Calls a function for each index, with as many calls at a time as connections. */
async function inParallel(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async () => {
    for (let index = next++; index < count; index = next++) await act(index)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

function mustBe(status: number, response: Response): void {
  if (response.status !== status) throw new Error(`An upload responded with ${response.status}.`)
}
