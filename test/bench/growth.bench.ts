/**
 * How the cost of an operation grows with the number of files, from 1000 to a million. Listing, archive and the wait for
 * the first index are milliseconds for each 1000 files; a search and a thumbnail are milliseconds. The last column is the
 * memory of the server afterwards. A cost that grows faster than the number of files grows from row to row.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { INDEX_AGE_HEADER } from '#server/files/search/search-hit.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { residentMibOf } from '../support/server/process.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median, timed } from './measure.ts'
import { createFiles } from './names.ts'
import { report } from './report.ts'
import { type Cell, writeTable } from './table.ts'

const SIZES = [1000, 10_000, 100_000, 1_000_000]
/** A listing of more files is refused, and an archive of them takes minutes. */
const LISTED_MAX = 100_000
const ROUNDS = 3
/** Pictures beside the other files; each thumbnail is made once. */
const PICTURES = 30

const rows: Cell[][] = []
for (const size of SIZES) rows.push(await measure(size))
const head = ['files', 'listing', 'archive', 'first index', 'search ms', 'thumbnail ms', 'MiB']
writeTable('Growth, in ms for each 1000 files', head, rows)
const listings = rows.map(([, listing]) => Number(listing))
const [small = Number.NaN, , large = Number.NaN] = listings
report('growth', budgets.growth, {
  listing100000To1000: large / small,
  memoryMillionMib: Number(rows.at(-1)?.at(-1)),
})

async function measure(size: number): Promise<Cell[]> {
  await using resources = new AsyncDisposableStack()
  const folder = temporaryFolder()
  resources.defer(folder.remove)
  const root = join(folder.path, 'root')
  // Up to the limit in one folder, and in folders of 1000 beyond it.
  createFiles(size, (number) =>
    join(root, size <= LISTED_MAX ? 'flat' : `${Math.floor(number / 1000)}`),
  )
  await createPictures(join(root, 'pictures'))
  const server = await startServer({ root })
  resources.defer(async () => void (await server.stop()))
  const { token } = await signIn(server.url, 'admin', server.password)
  const get = async (address: string) => {
    const response = await fetch(server.url + address, { headers: { 'X-Auth': token } })
    if (!response.ok) throw new Error(`${address}: ${response.status}`)
    for await (const _ of response.body ?? []);
    return response.headers
  }
  const isListed = size <= LISTED_MAX
  const listing = isListed ? await medianMs(() => get(`${API.resources}/flat/`)) : Number.NaN
  const archive = isListed ? await medianMs(() => get(`${API.raw}/flat/?algo=tar`)) : Number.NaN
  const search = () => get(`${API.search}/?query=${size - 1}`)
  const firstIndexMs = await timed(async () => {
    while ((await search()).get(INDEX_AGE_HEADER) === null);
  })
  const searchMs = await medianMs(search)
  let picture = 0
  const thumbnail = () => get(`${API.preview}/thumb/pictures/${picture++}.jpg`)
  const thumbnailMs = await medianMs(thumbnail, PICTURES)
  const memoryMib = residentMibOf(server.pid)
  const perThousand = (ms: number) => (ms / size) * 1000
  const costs = [perThousand(listing), perThousand(archive), perThousand(firstIndexMs)]
  return [String(size), ...costs, searchMs, thumbnailMs, memoryMib]
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

/** The median of several rounds, in milliseconds. */
async function medianMs(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await timed(work))
  return median(times)
}
