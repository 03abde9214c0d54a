/**
 * 2000 files of 10 KiB over five connections, each way in which they can be sent, with durability full and relaxed. The
 * time of each is divided by that of the same files written one by one on the same disk: with a flush for each where
 * ours is durable, without any where it is relaxed. Rounds alternate; files a second are printed beside it.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { type Client, signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median, timed } from './measure.ts'
import { report } from './report.ts'

const ROUNDS = 3
const FILES = 2000
const CONNECTIONS = 5
const BATCH = 100
const content = new Uint8Array(10 * 1024).fill(65)

type Send = (client: Client, folder: string, name: (at: number) => string) => Promise<void>

const WAYS: Record<string, Send> = {
  plain: (client, folder, name) =>
    inParallel(FILES, async (at) => {
      const address = `${API.resources}/${folder}/${name(at)}`
      mustBe(200, await client.call('POST', address, content))
    }),
  tus: (client, folder, name) =>
    inParallel(FILES, async (at) => {
      const length = { 'Upload-Length': String(content.length) }
      const address = `${API.tus}/${folder}/${name(at)}`
      mustBe(201, await client.call('POST', address, undefined, length))
      const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
      mustBe(204, await client.call('PATCH', address, content, headers))
    }),
  batch: (client, folder, name) =>
    inParallel(FILES / BATCH, async (at) => {
      const form = new FormData()
      for (let one = 0; one < BATCH; one += 1) {
        form.append('file', new Blob([content]), name(at * BATCH + one))
      }
      const answer = await client.call('POST', `${API.batch}/${folder}/`, form)
      mustBe(200, answer)
      const { results }: { results: { status: number }[] } = await answer.json()
      const written = results.filter(({ status }) => status === 200)
      if (written.length !== BATCH) throw new Error(`${written.length} of ${BATCH} files arrived.`)
    }),
}

await using resources = new AsyncDisposableStack()
const local = temporaryFolder()
resources.defer(() => local.remove())
const clients = { full: await startClient('full'), relaxed: await startClient('relaxed') }
const times: Record<string, number[]> = {}
for (let round = 0; round < ROUNDS; round += 1) {
  for (const durability of ['full', 'relaxed'] as const) {
    note(`${durability}Copy`, await timed(() => copy(`${durability}-${round}`, durability)))
    for (const [way, send] of Object.entries(WAYS)) {
      const folder = `${way}-${round}`
      const time = timed(() => send(clients[durability], folder, (at) => `file ${at}`))
      note(`${durability}${way}`, await time)
    }
  }
}
const figures: Record<string, number> = {}
for (const [name, figure] of Object.entries(times)) {
  const [durability = ''] = /^(full|relaxed)/.exec(name) ?? []
  const way = name.slice(durability.length)
  const perSec = Math.round((FILES / median(figure)) * 1000)
  process.stdout.write(`${durability} ${way}: ${perSec} files a second\n`)
  if (way !== 'Copy') {
    figures[`${durability}${way}ToCopy`] = median(figure) / median(times[`${durability}Copy`] ?? [])
  }
}
report('2000 files of 10 KiB over 5 connections', budgets.uploads, figures)

function note(name: string, ms: number): void {
  times[name] = [...(times[name] ?? []), ms]
}
/** Starts a server, and signs in. */
async function startClient(durability: string): Promise<Client> {
  const server = await startServer({ args: ['--durability', durability] })
  resources.defer(async () => void (await server.stop()))
  return signIn(server.url, 'admin', server.password)
}

/** The same files, one by one, as a careful program writes them. */
async function copy(name: string, durability: 'full' | 'relaxed'): Promise<void> {
  const folder = join(local.path, name)
  mkdirSync(folder)
  for (let at = 0; at < FILES; at += 1) {
    const file = openSync(join(folder, `${at}`), 'w')
    writeSync(file, content)
    if (durability === 'full') fsyncSync(file)
    closeSync(file)
  }
  rmSync(folder, { recursive: true })
}

async function inParallel(count: number, act: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async () => {
    for (let at = next++; at < count; at = next++) await act(at)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

function mustBe(status: number, answer: Response): void {
  if (answer.status !== status) throw new Error(`An upload answered ${answer.status}.`)
}
