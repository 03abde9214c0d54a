/**
 * A folder of 1000 to 100 000 files: the whole listing, the answer to a client that has it, and find(1) with names, sizes
 * and times of the same folder, in milliseconds. The budgets are parts of what find and the whole listing take.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { medians, row, runToEnd } from './measure.ts'
import { report } from './report.ts'

const SIZES = [1000, 10_000, 100_000]

const folder = temporaryFolder()
const root = join(folder.path, 'root')
for (const size of SIZES) {
  mkdirSync(join(root, `${size}`), { recursive: true })
  for (let at = 0; at < size; at += 1)
    closeSync(openSync(join(root, `${size}`, `Name ${at}.txt`), 'w'))
}
const server = await startServer({ root })
try {
  const figures: Record<string, number> = {}
  const { token } = await signIn(server.url, 'admin', server.password)
  row(['files', 'listing ms', 'unchanged ms', 'zstd ms', 'bytes to 1', 'find ms'])
  for (const size of SIZES) {
    const ask = async (headers: Record<string, string>, status = 200) => {
      const address = `${server.url}${API.resources}/${size}/`
      const init = { headers: { 'X-Auth': token, ...headers }, decompress: false }
      const answer = await fetch(address, init)
      if (answer.status !== status) throw new Error(`${address}: ${answer.status}`)
      return { answer, bytes: (await answer.arrayBuffer()).byteLength }
    }
    const plain = { 'Accept-Encoding': 'identity' }
    const packed = { 'Accept-Encoding': 'zstd' }
    const whole = await ask(plain)
    const tag = { ...plain, 'If-None-Match': whole.answer.headers.get('ETag') ?? '' }
    const taken = await medians({
      listing: () => ask(plain),
      unchanged: () => ask(tag, 304),
      zstd: () => ask(packed),
      find: () => runToEnd('find', join(root, `${size}`), '-printf', '%f %s %T@ %m\\n'),
    })
    const share = (await ask(packed)).bytes / whole.bytes
    row([String(size), taken.listing, taken.unchanged, taken.zstd, share.toFixed(3), taken.find])
    figures[`listing${size}ToFind`] = taken.listing / taken.find
    figures[`unchanged${size}ToWhole`] = taken.unchanged / taken.listing
    figures[`zstd${size}BytesToWhole`] = share
  }
  report('a folder, as a part of what find takes', budgets.listing, figures)
} finally {
  await server.stop()
  folder.remove()
}
