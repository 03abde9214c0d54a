/**
 * How the cost of an operation grows with the number of files: 1000 to a million. Milliseconds for each 1000 files, and
 * the memory of the server after each. A curve that bends upwards is a row whose figures grow.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/routes.ts'
import { INDEX_AGE_HEADER } from '#wire/search.ts'
import { signIn } from '../support/client.ts'
import { residentMibOf } from '../support/process.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { createFiles } from './names.ts'
import { report } from './report.ts'
import { type Cell, writeTable } from './table.ts'

const SIZES = [1000, 10_000, 100_000, 1_000_000]
/** A listing and an archive of more are refused or take minutes. */
const LISTED_MAX = 100_000
const ROUNDS = 3
/** Pictures beside the other files. */
const PICTURES = 30

const rows: Cell[][] = []
for (const size of SIZES) rows.push(await measure(size))
const head = ['files', 'listing', 'archive', 'first search', 'search ms', 'thumbnail ms', 'MiB']
writeTable('Growth, in ms for each 1000 files', head, rows)
const listings = rows.map(([, listing]) => Number(listing))
const [small = Number.NaN, , large = Number.NaN] = listings
report('growth', budgets.growth, {
  listing100000To1000: large / small,
  memoryMillionMib: Number(rows.at(-1)?.at(-1)),
})

async function measure(size: number): Promise<Cell[]> {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  // Up to the limit in one folder, and in folders of 1000 beyond it.
  createFiles(size, (number) =>
    join(root, size <= LISTED_MAX ? 'flat' : `${Math.floor(number / 1000)}`),
  )
  await createPictures(join(root, 'pictures'))
  const server = await startServer({ root })
  try {
    const { token } = await signIn(server.url, 'admin', server.password)
    const ask = async (address: string) => {
      const answer = await fetch(server.url + address, { headers: { 'X-Auth': token } })
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
      for await (const _ of answer.body ?? []);
      return answer.headers
    }
    const isListed = size <= LISTED_MAX
    const listing = isListed ? await time(() => ask(`${API.resources}/flat/`)) : Number.NaN
    const archive = isListed ? await time(() => ask(`${API.raw}/flat/?algo=tar`)) : Number.NaN
    let picture = 0
    const next = () => picture++
    const find = () => ask(`${API.search}/?query=${size - 1}`)
    const startedAt = performance.now()
    while ((await find()).get(INDEX_AGE_HEADER) === null);
    const first = performance.now() - startedAt
    const search = await time(find)
    const thumbnail = await time(() => ask(`${API.preview}/thumb/pictures/${next()}.jpg`), PICTURES)
    const mib = residentMibOf(server.pid)
    const each = (ms: number) => (ms / size) * 1000
    const costs = [each(listing), each(archive), each(first), search, thumbnail, mib]
    return [String(size), ...costs]
  } finally {
    await server.stop()
    folder.remove()
  }
}

async function createPictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  for (let number = 0; number < PICTURES; number += 1) {
    const create = { width: 1600, height: 1200, channels: 3, background: 'black', noise } as const
    await sharp({ create })
      .jpeg()
      .toFile(join(folder, `${number}.jpg`))
  }
}

/** The median of several rounds. */
async function time(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return median(times)
}
