/** Pictures that are small on the disk and large in memory, many at once. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { thumbnail } from '#server/files/previews/thumbnails.ts'
import { CONCURRENCY_LIMITS, PREVIEW_MEMORY_BYTES } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { beginRequest, until } from '../support/server/broken-connection.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { code } from '../support/storage/served.ts'

const MIB = 2 ** 20
/** Of each side: 9000 × 9000 pixels of four bytes are 309 MiB. */
const SIDE = 9000
const PICTURES = 2

let app: TestApp
let picture: Buffer
beforeAll(async () => {
  // As many processors as pictures: memory alone holds them back.
  app = await openTestApp({ args: ['--image-processors', String(PICTURES), '--cache-size', '0'] })
  picture = await sharp({
    create: { width: SIDE, height: SIDE, channels: 4, background: '#f008' },
  })
    .png({ progressive: true })
    .toBuffer()
})
afterAll(() => app.stop())

const disk = (name: string) => join(app.root, 'anna', name)
const thumb = (name: string) => outcome(app.anna.call('GET', `${API.preview}/thumb/${name}`))

/** Bytes, at the highest since it was asked to forget. */
const peak = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${app.server.pid}/status`, 'utf8'))?.[1]) * 1024
const forgetPeak = () => writeFileSync(`/proc/${app.server.pid}/clear_refs`, '5')

test('interlaced pictures share a bounded memory', async () => {
  const names = Array.from({ length: PICTURES }, (_, at) => `interlaced ${at}.png`)
  for (const name of names) writeFileSync(disk(name), picture)
  forgetPeak()
  const before = peak()
  const answer = await Promise.all(names.map(thumb))
  expect(new Set(answer)).toEqual(new Set(['200']))
  expect(peak() - before).toBeLessThan(PREVIEW_MEMORY_BYTES + 64 * MIB)
}, 60_000)

test('a picture that needs more memory than all may have is refused, and so is a file beyond the limit @limit-35', async () => {
  const samples = Buffer.from(picture)
  // 16 bits a sample, in the header alone.
  samples[24] = 16
  samples.writeUInt32BE(Bun.hash.crc32(samples.subarray(12, 29)), 29)
  writeFileSync(disk('deep.png'), samples)
  expect(await thumb('deep.png')).toBe('413 tooLarge')
  // Small in memory, so that its file alone is too much.
  const small = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  writeFileSync(disk('long.png'), small)
  truncateSync(disk('long.png'), 256 * MIB + 1)
  expect(await thumb('long.png')).toBe('413 tooLarge')
  truncateSync(disk('long.png'), small.length)
  expect(await thumb('long.png')).toBe('200')
}, 60_000)

test('a picture that takes too long is cancelled', async () => {
  // Noise in passes, hardly made smaller, takes several seconds: the shortest time limit is one.
  const side = 8000
  const noise = await sharp(randomBytes(side * side * 3), {
    raw: { width: side, height: side, channels: 3 },
  })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4', progressive: true })
    .toBuffer()
  const box = { width: side - 1, height: side - 1, fit: 'cover' } as const
  expect(await code(thumbnail(noise, box, 1))).toBe('unprocessable')
}, 60_000)

test('one user waits for a limited number of pictures @limit-24', async () => {
  writeFileSync(disk('first.png'), picture)
  const lines = await Promise.all(
    Array.from({ length: CONCURRENCY_LIMITS.previews.perKey }, async (_, at) => {
      linkSync(disk('first.png'), disk(`queued ${at}.png`))
      const target = `GET ${API.preview}/thumb/queued%20${at}.png`
      return beginRequest(app.url, target, { 'X-Auth': app.anna.token })
    }),
  )
  await until(async () => (await thumb('first.png')) === '429 tooMany')
  expect(await outcome(app.admin.call('GET', `${API.resources}/`))).toBe('200')
  for (const { cut } of lines) cut()
  // Making all previews, without a waiting client, would take minutes.
  const small = { create: { width: 9, height: 9, channels: 3, background: 'red' } } as const
  writeFileSync(disk('small.png'), await sharp(small).png().toBuffer())
  await until(async () => (await thumb('small.png')) === '200')
}, 60_000)
