/**
 * Listings of folders with 1000 to 100 000 files, in milliseconds: the whole listing, the response 304 to a client that has
 * it, the listing compressed with zstd, and find(1) with names, sizes, times and modes of the same folder. The budgets are
 * ratios: the whole listing to find, the response 304 to the whole listing, and compressed bytes to uncompressed.
 */
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { medians, printRow, runToEnd } from './measure.ts'
import { createFiles } from './names.ts'
import { report } from './report.ts'

const SIZES = [1000, 10_000, 100_000]

const folder = temporaryFolder()
const root = join(folder.path, 'root')
for (const size of SIZES) {
  createFiles(size, () => join(root, `${size}`))
}
const server = await startServer({ root })
try {
  const figures: Record<string, number> = {}
  const { token } = await signIn(server.url, 'admin', server.password)
  printRow(['files', 'listing ms', 'unchanged ms', 'zstd ms', 'zstd bytes', 'find ms'])
  for (const size of SIZES) {
    const list = async (headers: Record<string, string>, status = 200) => {
      const address = `${server.url}${API.resources}/${size}/`
      const init = { headers: { 'X-Auth': token, ...headers }, decompress: false }
      const response = await fetch(address, init)
      if (response.status !== status) throw new Error(`${address}: ${response.status}`)
      return { response, bytes: (await response.arrayBuffer()).byteLength }
    }
    const plain = { 'Accept-Encoding': 'identity' }
    const compressed = { 'Accept-Encoding': 'zstd' }
    const whole = await list(plain)
    const conditional = { ...plain, 'If-None-Match': whole.response.headers.get('ETag') ?? '' }
    const times = await medians({
      listing: () => list(plain),
      unchanged: () => list(conditional, 304),
      zstd: () => list(compressed),
      find: () => runToEnd('find', join(root, `${size}`), '-printf', '%f %s %T@ %m\\n'),
    })
    const bytesToWhole = (await list(compressed)).bytes / whole.bytes
    printRow([
      String(size),
      times.listing,
      times.unchanged,
      times.zstd,
      bytesToWhole.toFixed(3),
      times.find,
    ])
    figures[`listing${size}ToFind`] = times.listing / times.find
    figures[`unchanged${size}ToWhole`] = times.unchanged / times.listing
    figures[`zstd${size}BytesToWhole`] = bytesToWhole
  }
  report('listings, as ratios', budgets.listing, figures)
} finally {
  await server.stop()
  folder.remove()
}
