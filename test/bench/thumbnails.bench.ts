/**
 * Thumbnails of 200 photos of 12 megapixels: by the server for 16 connections, cold and warm, and by vipsthumbnail(1)
 * on all cores where it is installed, in photos a second.
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { takePhoto } from './photos.ts'
import { report } from './report.ts'
import { writeTable } from './table.ts'

const PHOTOS = 200
/** Different photos; the others are copies, which no cache knows. */
const KINDS = 8
const CONNECTIONS = 16
const ROUNDS = 3
/** How often the stored thumbnails are requested: one pass is too short for a measurement. */
const WARM_PASSES = 20

await using resources = new AsyncDisposableStack()
const folder = temporaryFolder()
resources.defer(() => folder.remove())
const root = join(folder.path, 'root')
mkdirSync(root)
for (let number = 0; number < KINDS; number += 1) await takePhoto(join(root, `${number}.jpg`))
for (let number = KINDS; number < PHOTOS; number += 1)
  copyFileSync(join(root, `${number % KINDS}.jpg`), join(root, `${number}.jpg`))

const taken: Record<'cold' | 'warm' | 'vips', number[]> = { cold: [], warm: [], vips: [] }
const hasVips = Bun.which('vipsthumbnail') !== null
if (!hasVips) process.stdout.write('vipsthumbnail is not installed, and is left out.\n')
for (let round = 0; round < ROUNDS; round += 1) {
  await measureServer(join(folder.path, `${round}`))
  if (hasVips)
    taken.vips.push(await perSecond(PHOTOS, () => shrinkAll(join(folder.path, `v${round}`))))
}

const [cold, warm, vips] = [median(taken.cold), median(taken.warm), median(taken.vips)]
writeTable(
  'Thumbnails of 12 megapixels',
  ['by', 'a second'],
  [
    ['filemgr, cold', cold],
    ['filemgr, warm', warm],
    ['vipsthumbnail', vips],
  ],
)
if (hasVips) {
  report('thumbnails, vipsthumbnail as a part of filemgr', budgets.thumbnails, {
    vipsToCold: vips / cold,
  })
}

/** @param cache the folder for the stored thumbnails, which must be empty */
async function measureServer(cache: string): Promise<void> {
  const server = await startServer({ root, args: ['--cache-dir', cache] })
  try {
    const { token } = await signIn(server.url, 'admin', server.password)
    taken.cold.push(await perSecond(PHOTOS, () => askForAll(server.url, token)))
    taken.warm.push(
      await perSecond(PHOTOS * WARM_PASSES, async () => {
        for (let pass = 0; pass < WARM_PASSES; pass += 1) await askForAll(server.url, token)
      }),
    )
  } finally {
    await server.stop()
  }
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return count / ((performance.now() - startedAt) / 1000)
}

async function askForAll(url: string, token: string): Promise<void> {
  let next = 0
  const ask = async () => {
    for (let number = next++; number < PHOTOS; number = next++) {
      const address = `${url}${API.preview}/thumb/${number}.jpg`
      const answer = await fetch(address, { headers: { 'X-Auth': token } })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask))
}

/** As many processes as cores, each with a share of the photos and one thread. */
async function shrinkAll(to: string): Promise<void> {
  mkdirSync(to)
  const cores = availableParallelism()
  const work = Array.from({ length: cores }, async (_, core) => {
    const names = Array.from({ length: PHOTOS }, (_, index) => join(root, `${index}.jpg`))
    const own = names.filter((_, index) => index % cores === core)
    const words = ['--size', '256x256', '--smartcrop', 'centre', '-o', join(to, '%s.jpg[Q=80]')]
    const child = Bun.spawn(['vipsthumbnail', ...words, ...own], {
      env: { ...process.env, VIPS_CONCURRENCY: '1' },
      stderr: 'inherit',
    })
    if ((await child.exited) !== 0) throw new Error('vipsthumbnail has failed.')
  })
  await Promise.all(work)
}
