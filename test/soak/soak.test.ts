/**
 * Fifty users send requests of every kind at once, and a tenth of them reset each of their connections. No request of the
 * others fails, memory and threads stop growing, and no descriptor, process, lock or work of a broken request remains.
 * `FILEMGR_SOAK_SECONDS` is the duration of the requests; `npm run soak` sets half an hour.
 */
import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { CODEC_THREADS } from '#server/archives/codecs/codec-workers.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signIn } from '../support/server/client.ts'
import {
  childrenOf,
  descriptorsOf,
  residentMibOf,
  threadsOf,
  workedBy,
} from '../support/server/process.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { disconnectRepeatedly } from './disconnecting-client.ts'

const SECONDS = Number(process.env.FILEMGR_SOAK_SECONDS ?? 6)
const USERS = 50
/** Every tenth user disconnects during requests. */
const DISCONNECTING_STEP = 10
/** Memory and threads are read so many times during the run. */
const SAMPLES = 60
/** The highest memory may differ so much between the middle and the last third: the garbage collector is irregular. */
const MEMORY_SLACK_MIB = 64
/**
 * Memory that no run may need, however long: an encoder of xz takes nearly 100 MiB, each thread has one. Short runs
 * were seen to reach 584 MiB with two threads, because the garbage collector is late.
 */
const MEMORY_MAX_MIB = 450 + 110 * CODEC_THREADS
/** In a shorter run, memory still grows at the end. */
const GROWTH_SECONDS_MIN = 60
/** Threads that start and end with the work. */
const THREAD_SLACK = 8
/** Files that the server opens once and keeps open, such as its database. */
const DESCRIPTOR_SLACK = 5

test(
  `${USERS} users for ${SECONDS} s, of whom a tenth disconnect, cause no failure and leave nothing behind`,
  async () => {
    await using resources = new AsyncDisposableStack()
    const folder = temporaryFolder()
    resources.defer(folder.remove)
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const server = await startServer({ root })
    resources.defer(async () => void (await server.stop()))
    const admin = await signIn(server.url, 'admin', server.password)
    const picture = await sharp({
      create: { width: 900, height: 600, channels: 3, background: 'teal' },
    })
      .jpeg()
      .toBuffer()
    for (let number = 0; number < USERS; number += 1) {
      const address = `${API.resources}/p${number}/picture.jpg`
      await success(await admin.call('POST', address, new Uint8Array(picture)))
    }
    const descriptorsBefore = descriptorsOf(server.pid)
    const outputLength = server.output().length
    const samples = sampleRegularly(server)
    resources.defer(samples.stop)
    const untilMs = Date.now() + SECONDS * 1000
    const counts = await Promise.all(
      Array.from({ length: USERS }, (_, number) => {
        const home = `p${number}`
        return number % DISCONNECTING_STEP === 0
          ? disconnectRepeatedly(server.url, admin, home, untilMs)
          : work(admin, home, number, untilMs)
      }),
    )
    samples.stop()
    const requests = counts.reduce((sum, count) => sum + count, 0)

    const { memoryMib, threads } = samples
    const sixths = Array.from({ length: 6 }, (_, part) => {
      return highest(memoryMib, part / 6, (part + 1) / 6)
    })
    expect(memoryMib).not.toBeEmpty()
    expect(highest(memoryMib, 0, 1)).toBeLessThan(MEMORY_MAX_MIB)
    if (SECONDS >= GROWTH_SECONDS_MIN) {
      const growth = (of: readonly number[]) => highest(of, 2 / 3, 1) - highest(of, 1 / 3, 2 / 3)
      expect(growth(memoryMib)).toBeLessThan(MEMORY_SLACK_MIB)
      expect(growth(threads)).toBeLessThan(THREAD_SLACK)
    }
    while (descriptorsOf(server.pid) > descriptorsBefore + DESCRIPTOR_SLACK) await Bun.sleep(100)
    expect(childrenOf(server.pid)).toEqual([])
    // The broken uploads hold no lock: each can be replaced. Then the server has no work.
    for (let number = 0; number < USERS; number += DISCONNECTING_STEP) {
      await uploadByTus(admin, `p${number}/unfinished`)
    }
    while ((await workedIn(server.pid, 1000)) > 10);
    const serverErrors = server
      .output()
      .slice(outputLength)
      .split('\n')
      .filter((line) => /: 5\d\d /.test(line))
    expect(serverErrors.slice(0, 5)).toEqual([])
    process.stdout.write(
      `${requests} requests of ${USERS} users in ${SECONDS} s, 0 failed; highest MiB in each sixth: ${sixths.join(' ')}; ${descriptorsOf(server.pid)} descriptors, at most ${Math.max(...threads)} threads\n`,
    )
  },
  (SECONDS + 60) * 1000,
)

/** Reads the memory and the number of threads of a server until `stop` is called. */
function sampleRegularly({ pid }: TestServer) {
  const memoryMib: number[] = []
  const threads: number[] = []
  const sample = () => {
    memoryMib.push(residentMibOf(pid))
    threads.push(threadsOf(pid))
  }
  const timer = setInterval(sample, (SECONDS * 1000) / SAMPLES)
  return { memoryMib, threads, stop: () => clearInterval(timer) }
}

/** The highest sample of a part of the run; 0 is its beginning, 1 its end. */
function highest(samples: readonly number[], from: number, to: number): number {
  return Math.max(...samples.slice(from * samples.length, Math.ceil(to * samples.length)))
}

/**
 * One user: uploads, lists, searches, downloads, shares, archives, moves and deletes, again and again.
 *
 * @param home the name of the folder in which the user works
 * @param seed the number of the first round, so that users differ
 * @param untilMs milliseconds since the epoch
 * @returns the number of requests
 * @throws Error if a request fails
 */
async function work(client: Client, home: string, seed: number, untilMs: number): Promise<number> {
  let count = 0
  const ask = async (method: string, address: string, body?: BodyInit | object) => {
    count += 1
    return successWithRetries(() => client.call(method, address, body))
  }
  for (let round = seed; Date.now() < untilMs; round += 1) {
    const name = `${home}/f${round % 7}.bin`
    const bytes = new Uint8Array(randomBytes(1 + ((round * 7919) % 200_000)))
    await ask('POST', `${API.resources}/${name}?override=true`, bytes)
    const read = await ask('GET', `${API.raw}/${name}`)
    if (read.length !== bytes.length)
      throw new Error(`${name}: ${read.length} of ${bytes.length} bytes`)
    await ask('GET', `${API.resources}/${home}/`)
    if (round % 3 === 0) await ask('GET', `${API.search}/${home}/?query=f`)
    if (round % 4 === 0) await ask('GET', `${API.preview}/thumb/${home}/picture.jpg?key=${round}`)
    if (round % 5 === 0) await ask('GET', `${API.resources}/${name}?checksum=sha256`)
    if (round % 10 === 0) await ask('GET', `${API.raw}/${home}/?algo=targz`)
    if (round % 6 === 0) {
      const share = JSON.parse(
        Buffer.from(await ask('POST', `${API.share}/${name}`, {})).toString(),
      )
      await ask('GET', `${API.publicShare}/${share.hash}`)
      await ask('DELETE', `${API.share}/${share.hash}`)
    }
    const moved = encodeURIComponent(`/${home}/moved.bin`)
    await ask('PATCH', `${API.resources}/${name}?action=rename&override=true&destination=${moved}`)
    await ask('DELETE', `${API.resources}/${home}/moved.bin`)
  }
  return count
}

/** Repeats a request while a concurrency limit refuses it. @throws Error for any other refusal */
async function successWithRetries(call: () => Promise<Response>): Promise<Uint8Array> {
  for (;;) {
    const response = await call()
    if (response.status !== 429 && response.status !== 503) return success(response)
    await response.arrayBuffer()
    await Bun.sleep(50)
  }
}

/** @returns the body of a successful response. @throws Error for any other status */
async function success(response: Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.ok) return bytes
  throw new Error(`${response.url}: ${response.status} ${Buffer.from(bytes).toString()}`)
}

/** Replaces a broken upload by a new one, and completes it. @throws Error if the server refuses */
async function uploadByTus(client: Client, path: string): Promise<void> {
  const tus = { 'Tus-Resumable': '1.0.0' }
  const length = { ...tus, 'Upload-Length': '3' }
  const bytes = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
  await success(await client.call('POST', `${API.tus}/${path}?override=true`, '', length))
  await success(await client.call('PATCH', `${API.tus}/${path}`, 'own', bytes))
}

/** The processor time of a process during `spanMs`, in hundredths of a second. */
async function workedIn(pid: number, spanMs: number): Promise<number> {
  const before = workedBy(pid)
  await Bun.sleep(spanMs)
  return workedBy(pid) - before
}
