/** Previews of the raw files of cameras: the JPEG inside, upright. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { cr3File } from '../support/files/cr3.ts'
import { exifBlock } from '../support/files/exif.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const disk = (name: string) => join(app.root, 'anna', name)
const preview = (name: string) =>
  app.anna.call('GET', `${API.preview}/big/${name}`, undefined, { Accept: 'image/webp' })

beforeAll(async () => {
  app = await openTestApp()
  const create = { width: 60, height: 40, channels: 3, background: 'teal' } as const
  const jpeg = await sharp({ create }).jpeg().toBuffer()
  // The block is a TIFF file of 4096 bytes after its mark; a short integer is enough for these offsets.
  const main = { 271: 'SONY', 272: 'ILCE-7', 274: 6, 513: 4096, 514: jpeg.length }
  const block = exifBlock({ main, own: { 36867: '2026:05:01 12:00:00' } })
  const tiff = block.subarray(Buffer.from(block).indexOf('II'))
  const start = Buffer.alloc(4096)
  start.set(tiff.subarray(0, 4096))
  writeFileSync(disk('photo.arw'), Buffer.concat([start, jpeg]))
  writeFileSync(disk('broken.nef'), 'no picture')
})
afterAll(() => app.stop())

test('the picture in a raw file is its preview, turned as the camera was held', async () => {
  const response = await preview('photo.arw')
  expect(response.status).toBe(200)
  const { width, height } = await sharp(await response.arrayBuffer()).metadata()
  expect([width, height]).toEqual([40, 60])
  const entry = await (await app.anna.call('GET', `${API.resources}/photo.arw`)).json()
  expect(entry.type).toBe('image')
  const facts = await (await app.anna.call('GET', `${API.media}/photo.arw`)).json()
  expect(facts).toEqual({ camera: 'SONY ILCE-7', taken: '2026-05-01T12:00:00' })
})

test('a CR3 file of Canon has the same: preview, facts and position', async () => {
  const create = { width: 60, height: 40, channels: 3, background: 'teal' } as const
  const full = await sharp({ create }).jpeg().toBuffer()
  writeFileSync(disk('photo.CR3'), cr3File({ full }, 8))
  const response = await preview('photo.CR3')
  expect(response.status).toBe(200)
  const { width, height } = await sharp(await response.arrayBuffer()).metadata()
  expect([width, height]).toEqual([40, 60])
  const entry = await (await app.anna.call('GET', `${API.resources}/photo.CR3`)).json()
  expect(entry.type).toBe('image')
  const facts = await (await app.anna.call('GET', `${API.media}/photo.CR3`)).json()
  expect(facts).toEqual({
    camera: 'Canon EOS R5',
    taken: '2026-05-01T12:00:00',
    exposure: { iso: 400 },
    position: { latitude: 60.5, longitude: 5 },
  })
})

test('a damaged raw file is refused', async () => {
  expect(await outcome(preview('broken.nef'))).toBe('422 unprocessable')
})
