/**
 * Fifty people do everything at once for a while: nothing fails, memory finds its level, no descriptor
 * and no process is left behind. `FILEMGR_SOAK_SECONDS` says how long; `npm run soak` half an hour.
 */
import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/routes.ts'
import { type Client, signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'

const SECONDS = Number(process.env.FILEMGR_SOAK_SECONDS ?? 6)
const PEOPLE = 50
/** What the level may differ between the middle and the end of the run: noise of the collector. */
const LEVEL_SLACK_MIB = 64
/** Memory that no run may need, however long. */
const CEILING_MIB = 450

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
    const before = descriptors(server.pid)
    const levels: number[] = []
    const watch = setInterval(() => levels.push(residentMib(server.pid)), (SECONDS * 1000) / 60)
    const until = Date.now() + SECONDS * 1000
    const counts = await Promise.all(
      Array.from({ length: PEOPLE }, (_, number) => live(admin, `p${number}`, number, until)),
    )
    clearInterval(watch)
    const requests = counts.reduce((sum, count) => sum + count, 0)

    const sixths = Array.from({ length: 6 }, (_, part) => highest(levels, part / 6, (part + 1) / 6))
    expect(highest(levels, 2 / 3, 1)).toBeLessThan(highest(levels, 1 / 3, 2 / 3) + LEVEL_SLACK_MIB)
    expect(highest(levels, 0, 1)).toBeLessThan(CEILING_MIB)
    while (descriptors(server.pid) > before + 5) await Bun.sleep(100)
    expect(childrenOf(server.pid)).toEqual([])
    process.stdout.write(
      `${requests} requests of ${PEOPLE} people in ${SECONDS} s, 0 failed; highest MiB in each sixth: ${sixths.join(' ')}; ${descriptors(server.pid)} descriptors\n`,
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
    return done(who.call(method, address, body))
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
    if (round % 10 === 0) await archive(who, home)
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

/** So many archives at once and no more: who is told to come back does. */
async function archive(who: Client, home: string): Promise<void> {
  for (;;) {
    const answer = await who.call('GET', `${API.raw}/${home}/?algo=targz`)
    await answer.arrayBuffer()
    if (answer.ok) return
    if (answer.status !== 429 && answer.status !== 503)
      throw new Error(`an archive: ${answer.status}`)
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

function residentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

/** Open files and folders. Connections are the clients' to close. */
function descriptors(pid: number): number {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
  return targets.filter((target) => target !== '' && !target.startsWith('socket:')).length
}

/** Empty for one that was closed meanwhile. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(fd)
  } catch {
    return ''
  }
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
}
