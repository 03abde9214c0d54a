/**
 * Thumbnails of 200 photos of 12 megapixels, in photos a second: made by the server for 16 connections (cold), sent again
 * from its cache (warm), and made by vipsthumbnail(1) on all cores if it is installed.
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { createPhoto } from './photos.ts'
import { report } from './report.ts'
import { writeTable } from './table.ts'

const PHOTOS = 200
/** Different photos. The others are copies, which the cache of the server treats as new files. */
const DIFFERENT_PHOTOS = 8
const CONNECTIONS = 16
const ROUNDS = 3
/** How often all stored thumbnails are requested: once is too short for a measurement. */
const WARM_PASSES = 20

await using resources = new AsyncDisposableStack()
const folder = temporaryFolder()
resources.defer(() => folder.remove())
const root = join(folder.path, 'root')
mkdirSync(root)
for (let number = 0; number < DIFFERENT_PHOTOS; number += 1)
  await createPhoto(join(root, `${number}.jpg`))
for (let number = DIFFERENT_PHOTOS; number < PHOTOS; number += 1)
  copyFileSync(join(root, `${number % DIFFERENT_PHOTOS}.jpg`), join(root, `${number}.jpg`))

const perSecondOf: Record<'cold' | 'warm' | 'vips', number[]> = { cold: [], warm: [], vips: [] }
const hasVips = Bun.which('vipsthumbnail') !== null
if (!hasVips) process.stdout.write('vipsthumbnail is not installed, and is skipped.\n')
for (let round = 0; round < ROUNDS; round += 1) {
  await measureServer(join(folder.path, `${round}`))
  if (hasVips)
    perSecondOf.vips.push(await perSecond(PHOTOS, () => shrinkAll(join(folder.path, `v${round}`))))
}

const [cold, warm, vips] = [
  median(perSecondOf.cold),
  median(perSecondOf.warm),
  median(perSecondOf.vips),
]
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
    perSecondOf.cold.push(await perSecond(PHOTOS, () => requestAll(server.url, token)))
    perSecondOf.warm.push(
      await perSecond(PHOTOS * WARM_PASSES, async () => {
        for (let pass = 0; pass < WARM_PASSES; pass += 1) await requestAll(server.url, token)
      }),
    )
  } finally {
    await server.stop()
  }
}

/** The rate of `work`, which makes or sends `count` thumbnails. */
async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return count / ((performance.now() - startedAt) / 1000)
}

/** Requests the thumbnail of each photo. @throws Error if a request fails */
async function requestAll(url: string, token: string): Promise<void> {
  let next = 0
  const request = async () => {
    for (let number = next++; number < PHOTOS; number = next++) {
      const address = `${url}${API.preview}/thumb/${number}.jpg`
      const response = await fetch(address, { headers: { 'X-Auth': token } })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, request))
}

/**
 * Makes the thumbnails with one process of vipsthumbnail for each core, each for a part of the photos and with one thread.
 *
 * @param to the folder for the thumbnails, which is created
 * @throws Error if a process fails
 */
async function shrinkAll(to: string): Promise<void> {
  mkdirSync(to)
  const cores = availableParallelism()
  const work = Array.from({ length: cores }, async (_, core) => {
    const names = Array.from({ length: PHOTOS }, (_, index) => join(root, `${index}.jpg`))
    const part = names.filter((_, index) => index % cores === core)
    const options = ['--size', '256x256', '--smartcrop', 'centre', '-o', join(to, '%s.jpg[Q=80]')]
    const child = Bun.spawn(['vipsthumbnail', ...options, ...part], {
      env: { ...process.env, VIPS_CONCURRENCY: '1' },
      stderr: 'inherit',
    })
    if ((await child.exited) !== 0) throw new Error('vipsthumbnail has failed.')
  })
  await Promise.all(work)
}
