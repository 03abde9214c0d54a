/** Two servers with one folder and one database: each controls the jobs and uploads of the other, also of a killed one. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { writeEndless } from '../support/server/endless.ts'
import { control, ended, jobOf, started, until } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const TUS = { 'Tus-Resumable': '1.0.0' }
const LARGE = 2 * 2 ** 20

let folder: ReturnType<typeof temporaryFolder>
let servers: TestServer[]
let first: Client
let second: Client
beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(at('root'))
  servers = []
  first = await start()
  second = await start()
}, 30_000)
afterEach(async () => {
  for (const server of servers) {
    server.kill('SIGKILL')
    await server.stop()
  }
  folder.remove()
})

const at = (...names: string[]) => join(folder.path, ...names)

async function start(): Promise<Client> {
  const server = await startServer({ root: at('root'), database: at('filemgr.db') })
  servers.push(server)
  return signIn(server.url, 'admin', PASSWORD)
}

/** Begins an archive that ends when its file is truncated. */
async function endless(client: Client): Promise<{ job: Job; file: string }> {
  mkdirSync(at('root/endless'))
  const file = at('root/endless/zeros')
  writeEndless(file)
  const items = [{ path: '/endless' }]
  const { id } = await started(client, { kind: 'archive', items, to: '/made.tar.gz' })
  return { job: await until(client, id, ({ bytesDone }) => bytesDone > 0), file }
}

async function create(client: Client, name: string, bytes: number): Promise<string> {
  const headers = { ...TUS, 'Upload-Length': String(bytes) }
  const created = await client.call('POST', `${API.tus}/${name}`, undefined, headers)
  expect(created.status).toBe(201)
  return created.headers.get('location') ?? ''
}

function send(client: Client, address: string, offset: number, body: BodyInit): Promise<string> {
  const headers = {
    ...TUS,
    'Upload-Offset': String(offset),
    'Content-Type': 'application/offset+octet-stream',
  }
  return outcome(client.call('PATCH', address, body, headers))
}

async function offsetOf(client: Client, address: string): Promise<number> {
  const { headers } = await client.call('HEAD', address, undefined, TUS)
  return Number(headers.get('upload-offset') ?? Number.NaN)
}

/** A body that sends one part and then waits for the end of the test. */
const unfinished = (part: Uint8Array<ArrayBuffer>) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => controller.enqueue(part) })

/** Waits until all bytes that were sent to an upload are staged. */
async function staged(address: string, bytes: number): Promise<void> {
  const id = new URL(address, 'http://localhost').searchParams.get('upload') ?? ''
  const file = at('root/.filemgr/uploads', id)
  while ((await Bun.file(file).exists()) === false || Bun.file(file).size < bytes) {
    await Bun.sleep(20)
  }
}

test('a job is paused, continued and cancelled on the other server', async () => {
  const { job } = await endless(first)
  expect(await (await control(second, job.id, 'pause')).json()).toMatchObject({ state: 'paused' })
  expect((await jobOf(first, job.id)).state).toBe('paused')
  expect(await outcome(control(second, job.id, 'resume'))).toBe('200')
  await until(first, job.id, ({ state, bytesDone }) => state === 'running' && bytesDone > 0)
  const cancelled: Job = await (await control(second, job.id, 'cancel')).json()
  expect(cancelled.state).toBe('cancelled')
  const { state, bytesDone } = await ended(first, job.id)
  expect(state).toBe('cancelled')
  expect(bytesDone).toBe(0)
  expect(await outcome(control(second, job.id, 'cancel'))).toBe('409 conflict')
}, 60_000)

test('a job of a killed server goes on at the other one', async () => {
  const { job, file } = await endless(first)
  servers[0]?.kill('SIGKILL')
  await until(second, job.id, ({ state, bytesDone }) => state === 'running' && bytesDone > 0)
  expect(await outcome(control(second, job.id, 'pause'))).toBe('200')
  await until(second, job.id, ({ state }) => state === 'paused')
  truncateSync(file, 5)
  expect(await outcome(control(second, job.id, 'resume'))).toBe('200')
  expect((await ended(second, job.id)).state).toBe('done')
}, 60_000)

test('a small upload is known to the other server at once', async () => {
  for (let number = 0; number < 20; number += 1) {
    const address = await create(first, `small-${number}`, 4)
    expect(await offsetOf(second, address)).toBe(0)
    expect(await send(second, address, 0, 'four')).toBe('204')
  }
})

test('an upload that goes on at the other server stops the request of the first one', async () => {
  const bytes = new Uint8Array(LARGE).fill(1)
  const address = await create(first, 'large', LARGE)
  const abandoned = send(first, address, 0, unfinished(new Uint8Array(1000).fill(1)))
  await staged(address, 1000)
  const offset = await offsetOf(second, address)
  expect(offset).toBe(1000)
  expect(await send(second, address, offset, bytes.slice(offset))).toBe('204')
  expect(await abandoned).toBe('423 locked')
  expect(Buffer.compare(readFileSync(at('root/large')), bytes)).toBe(0)
}, 60_000)

test('the upload of a killed server goes on at the other one', async () => {
  const bytes = new Uint8Array(LARGE).fill(2)
  const address = await create(first, 'large', LARGE)
  const abandoned = send(first, address, 0, unfinished(new Uint8Array(1000).fill(2))).catch(
    () => 'no response',
  )
  await staged(address, 1000)
  servers[0]?.kill('SIGKILL')
  expect(await abandoned).toBe('no response')
  expect(await send(second, address, await offsetOf(second, address), bytes.slice(1000))).toBe(
    '204',
  )
  expect(Buffer.compare(readFileSync(at('root/large')), bytes)).toBe(0)
}, 60_000)
