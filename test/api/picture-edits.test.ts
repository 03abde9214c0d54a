/** Rotating and cropping a picture in place: who may, what is stored, and what stays as a version. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { exifWithThumbnail, withExif } from '../support/files/exif.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const disk = (name: string) => join(app.root, 'anna', name)
const rotate = (name: string, degrees = '90', who = app.anna, headers = {}) =>
  who.call('POST', `${API.rotation}/${name}?degrees=${degrees}`, undefined, headers)
const crop = (name: string, area = 'left=10&top=0&width=5&height=8', who = app.anna) =>
  who.call('POST', `${API.crop}/${name}?${area}`)
const picture = () => sharp({ create: { width: 40, height: 20, channels: 4, background: '#08f8' } })
const sizeOf = async (name: string) => {
  const { autoOrient } = await sharp(readFileSync(disk(name))).metadata()
  return [autoOrient.width, autoOrient.height]
}

beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(disk('folder'))
  writeFileSync(disk('note.txt'), 'no picture')
  writeFileSync(disk('drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(disk('broken.png'), 'no picture')
})
afterAll(() => app.stop())

test('visitors and users without the right may not rotate and crop', async () => {
  writeFileSync(disk('a.jpg'), await picture().jpeg().toBuffer())
  const before = readFileSync(disk('a.jpg'))
  expect(await outcome(rotate('a.jpg', '90', app.anonymous))).toBe('401 unauthenticated')
  const reader = await app.person('reader', '--scope', '/anna', '--perm.modify=false')
  expect(await outcome(rotate('a.jpg', '90', reader))).toBe('403 forbidden')
  expect(await outcome(rotate('a.jpg', '90', await app.withoutDownload()))).toBe('403 forbidden')
  expect(readFileSync(disk('a.jpg'))).toEqual(before)
  expect(await outcome(crop('a.jpg', undefined, app.anonymous))).toBe('401 unauthenticated')
  expect(await outcome(crop('a.jpg', undefined, reader))).toBe('403 forbidden')
  expect(readFileSync(disk('a.jpg'))).toEqual(before)
  expect((await rotate('anna/a.jpg', '90', app.admin)).status).toBe(200)
})

test('a rotated JPEG keeps its pixels, and its earlier bytes are a version @spec-7.61', async () => {
  writeFileSync(disk('b.jpg'), await picture().jpeg().toBuffer())
  const before = readFileSync(disk('b.jpg'))
  const response = await rotate('b.jpg')
  expect(response.status).toBe(200)
  expect(await sizeOf('b.jpg')).toEqual([20, 40])
  const pixels = before.subarray(before.indexOf('\xff\xda', 0, 'latin1'))
  expect(readFileSync(disk('b.jpg')).subarray(-pixels.length)).toEqual(pixels)
  const versions = await (await app.anna.call('GET', `${API.versions}/b.jpg`)).json()
  expect(versions).toHaveLength(1)
  const kept = await app.anna.call('GET', `${API.versions}/b.jpg?id=${versions[0].id}`)
  expect(Buffer.from(await kept.arrayBuffer())).toEqual(before)
})

test.each(['png', 'webp'] as const)('a %s without loss is rotated without loss', async (format) => {
  const file = `c.${format}`
  writeFileSync(
    disk(file),
    await picture()
      .toFormat(format, format === 'webp' ? { lossless: true } : {})
      .toBuffer(),
  )
  expect((await rotate(file, '270')).status).toBe(200)
  const { data, info } = await sharp(readFileSync(disk(file)))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([20, 40])
  expect([...data.subarray(0, 4)]).toEqual([0, 0x88, 0xff, 0x88])
})

test('16 bits of a channel stay', async () => {
  const wide = { raw: { width: 2, height: 1, channels: 3 } } as const
  const pixels = Uint16Array.of(1, 2, 3, 60_001, 60_002, 60_003)
  writeFileSync(disk('deep.png'), await sharp(pixels, wide).toColourspace('rgb16').png().toBuffer())
  expect((await rotate('deep.png')).status).toBe(200)
  const { depth } = await sharp(readFileSync(disk('deep.png'))).metadata()
  expect(depth).toBe('ushort')
})

test('what is no still picture, and a picture that has changed, stay as they are', async () => {
  writeFileSync(disk('d.png'), await picture().png().toBuffer())
  expect(await outcome(rotate('d.png', '45'))).toBe('400 badRequest')
  expect(await outcome(rotate('none.png'))).toBe('404 notFound')
  expect(await outcome(rotate('note.txt'))).toBe('415 unsupported')
  expect(await outcome(rotate('drawing.svg'))).toBe('415 unsupported')
  expect(await outcome(rotate('broken.png'))).toBe('422 unprocessable')
  expect((await rotate('folder/')).status).toBeGreaterThanOrEqual(400)
  const stale = rotate('d.png', '90', app.anna, { 'If-Match': '"other"' })
  expect(await outcome(stale)).toBe('412 precondition')
  expect(await sizeOf('d.png')).toEqual([40, 20])
})

/** Red, with a blue stripe of these columns. */
const striped = (left: number, width: number) =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } }).composite([
    { input: { create: { width, height: 20, channels: 3, background: 'blue' } }, left, top: 0 },
  ])
const colourOf = async (name: string) => {
  const { channels } = await sharp(readFileSync(disk(name))).stats()
  return channels.slice(0, 3).map(({ min, max }) => (max < 60 ? 0 : min > 195 ? 1 : Number.NaN))
}

test.each(['jpeg', 'png', 'webp'] as const)(
  'a part of a %s is kept, as it is shown, and the earlier bytes are a version @spec-7.62',
  async (format) => {
    const file = `crop.${format}`
    // After a quarter turn clockwise, the first column is the first row.
    writeFileSync(
      disk(file),
      await striped(0, 12).withMetadata({ orientation: 6 }).toFormat(format).toBuffer(),
    )
    const before = readFileSync(disk(file))
    expect((await crop(file)).status).toBe(200)
    expect(await sizeOf(file)).toEqual([5, 8])
    expect(await colourOf(file)).toEqual([0, 0, 1])
    const versions = await (await app.anna.call('GET', `${API.versions}/${file}`)).json()
    const kept = await app.anna.call('GET', `${API.versions}/${file}?id=${versions[0].id}`)
    expect(Buffer.from(await kept.arrayBuffer())).toEqual(before)
  },
)

test('a part that is not in the picture is refused, and so are other files', async () => {
  writeFileSync(disk('e.png'), await picture().png().toBuffer())
  for (const area of [
    'left=36&top=0&width=5&height=5',
    'left=0&top=16&width=5&height=5',
    'left=0&top=0&width=0&height=5',
    'left=-1&top=0&width=5&height=5',
    'left=0&top=0&width=5',
    'left=0.5&top=0&width=5&height=5',
  ]) {
    expect([area, await outcome(crop('e.png', area))]).toEqual([area, '400 badRequest'])
  }
  expect(await outcome(crop('drawing.svg'))).toBe('415 unsupported')
  expect(await outcome(crop('broken.png'))).toBe('422 unprocessable')
  expect(await sizeOf('e.png')).toEqual([40, 20])
})

test('the small picture in the metadata, which shows the whole, is removed by a crop', async () => {
  const small = await sharp({ create: { width: 16, height: 8, channels: 3, background: 'blue' } })
    .jpeg()
    .toBuffer()
  const jpeg = await striped(0, 12).jpeg().toBuffer()
  const webp = await striped(0, 12).webp().toBuffer()
  const withSmall = withExif(jpeg, exifWithThumbnail(small))
  const isIn = (name: string) => readFileSync(disk(name)).includes(small.subarray(100, 160))
  writeFileSync(disk('f.jpg'), withSmall)
  expect(isIn('f.jpg')).toBe(true)
  expect((await crop('f.jpg')).status).toBe(200)
  expect(isIn('f.jpg')).toBe(false)
  const { exif } = await sharp(readFileSync(disk('f.jpg'))).metadata()
  expect(exif?.includes('ILCE-7')).toBe(true)
  const other = await sharp(withSmall).keepExif().webp().toBuffer()
  expect(other.length).toBeGreaterThan(webp.length)
  writeFileSync(disk('f.webp'), other)
  expect((await crop('f.webp')).status).toBe(200)
  expect(isIn('f.webp')).toBe(false)
})
