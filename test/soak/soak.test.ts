/**
 * Fifty people do everything at once for a while, and a tenth of them leave in the middle of all they
 * begin: nothing fails, memory and threads find their level, no descriptor, process, lock or work is left
 * behind. `FILEMGR_SOAK_SECONDS` says how long; `npm run soak` half an hour.
 */
import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { CODEC_THREADS } from '#server/files/codec-workers.ts'
import { API } from '#wire/routes.ts'
import { type Client, signIn } from '../support/client.ts'
import {
  childrenOf,
  descriptorsOf,
  residentMibOf,
  threadsOf,
  workedBy,
} from '../support/process.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import { leave } from './leavers.ts'

const SECONDS = Number(process.env.FILEMGR_SOAK_SECONDS ?? 6)
const PEOPLE = 50
/** Of whom every tenth leaves. */
const LEAVES = 10
/** What the level may differ between the middle and the end of the run: noise of the collector. */
const LEVEL_SLACK_MIB = 64
/**
 * Memory that no run may need, however long: an encoder of xz takes nearly 100 MiB, each thread has one. Short runs
 * were seen to reach 584 MiB with two threads, because the collector is late.
 */
const CEILING_MIB = 450 + 110 * CODEC_THREADS
/** Below this a run is over before anything has found its level. */
const LEVEL_SECONDS = 60
/** Threads that come and go with the work. */
const THREAD_SLACK = 8

test(
  `${PEOPLE} people for ${SECONDS} s`,
  async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const server = await startServer({ root })
    const admin = await signIn(server.url, 'admin', server.password)
    const picture = await sharp({
      create: { width: 900, height: 600, channels: 3, background: 'teal' },
    })
      .jpeg()
      .toBuffer()
    for (let number = 0; number < PEOPLE; number += 1) {
      await done(
        admin.call('POST', `${API.resources}/p${number}/picture.jpg`, new Uint8Array(picture)),
      )
    }
    const before = descriptorsOf(server.pid)
    const answer = server.output().length
    const levels: number[] = []
    const threads: number[] = []
    const watch = setInterval(
      () => {
        levels.push(residentMibOf(server.pid))
        threads.push(threadsOf(server.pid))
      },
      (SECONDS * 1000) / 60,
    )
    const until = Date.now() + SECONDS * 1000
    const counts = await Promise.all(
      Array.from({ length: PEOPLE }, (_, number) => {
        const home = `p${number}`
        if (number % LEAVES === 0) return leave(server.url, admin, home, until)
        return live(admin, home, number, until)
      }),
    )
    clearInterval(watch)
    const requests = counts.reduce((sum, count) => sum + count, 0)

    const sixths = Array.from({ length: 6 }, (_, part) => highest(levels, part / 6, (part + 1) / 6))
    expect(highest(levels, 0, 1)).toBeLessThan(CEILING_MIB)
    if (SECONDS >= LEVEL_SECONDS) {
      const rise = (of: readonly number[]) => highest(of, 2 / 3, 1) - highest(of, 1 / 3, 2 / 3)
      expect(rise(levels)).toBeLessThan(LEVEL_SLACK_MIB)
      expect(rise(threads)).toBeLessThan(THREAD_SLACK)
    }
    while (descriptorsOf(server.pid) > before + 5) await Bun.sleep(100)
    expect(childrenOf(server.pid)).toEqual([])
    // Nothing holds what the leavers left: their uploads go on, and then nobody works any more.
    for (let number = 0; number < PEOPLE; number += LEAVES) {
      await finish(admin, `p${number}/unfinished`)
    }
    while ((await workedIn(server.pid, 1000)) > 10);
    const unforeseen = server
      .output()
      .slice(answer)
      .split('\n')
      .filter((line) => /: 5\d\d /.test(line))
    expect(unforeseen.slice(0, 5)).toEqual([])
    process.stdout.write(
      `${requests} requests of ${PEOPLE} people in ${SECONDS} s, 0 failed; highest MiB in each sixth: ${sixths.join(' ')}; ${descriptorsOf(server.pid)} descriptors, at most ${Math.max(...threads)} threads\n`,
    )
    await server.stop()
    folder.remove()
  },
  (SECONDS + 60) * 1000,
)

/** The highest level between two shares of the run. */
function highest(levels: readonly number[], from: number, to: number): number {
  return Math.max(...levels.slice(from * levels.length, Math.ceil(to * levels.length)))
}

/** One person: uploads, looks, searches, downloads, shares, archives, moves and deletes, again and again. */
async function live(who: Client, home: string, seed: number, until: number): Promise<number> {
  let count = 0
  const ask = async (method: string, address: string, body?: BodyInit | object) => {
    count += 1
    return patiently(() => who.call(method, address, body))
  }
  for (let round = seed; Date.now() < until; round += 1) {
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
      const made = JSON.parse(Buffer.from(await ask('POST', `${API.share}/${name}`, {})).toString())
      await ask('GET', `${API.publicShare}/${made.hash}`)
      await ask('DELETE', `${API.share}/${made.hash}`)
    }
    const moved = encodeURIComponent(`/${home}/moved.bin`)
    await ask('PATCH', `${API.resources}/${name}?action=rename&override=true&destination=${moved}`)
    await ask('DELETE', `${API.resources}/${home}/moved.bin`)
  }
  return count
}

/** So many of a kind at once and no more: who is told to come back does. */
async function patiently(call: () => Promise<Response>): Promise<Uint8Array> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 429 && answer.status !== 503) return done(Promise.resolve(answer))
    await answer.arrayBuffer()
    await Bun.sleep(50)
  }
}

/** @throws Error for anything but a success */
async function done(answered: Promise<Response>): Promise<Uint8Array> {
  const answer = await answered
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (answer.ok) return bytes
  throw new Error(`${answer.url}: ${answer.status} ${Buffer.from(bytes).toString()}`)
}

/** A resumable upload to a name at which others were left in the middle is completed. */
async function finish(who: Client, path: string): Promise<void> {
  const tus = { 'Tus-Resumable': '1.0.0' }
  const length = { ...tus, 'Upload-Length': '3' }
  const bytes = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
  await done(who.call('POST', `${API.tus}/${path}?override=true`, '', length))
  await done(who.call('PATCH', `${API.tus}/${path}`, 'own', bytes))
}

/** Hundredths of a second that a process works in a span of time. */
async function workedIn(pid: number, spanMs: number): Promise<number> {
  const before = workedBy(pid)
  await Bun.sleep(spanMs)
  return workedBy(pid) - before
}
