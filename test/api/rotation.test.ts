/** Rotating a picture in place: who may, what is stored, and what stays as a version. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const disk = (name: string) => join(app.root, 'anna', name)
const rotate = (name: string, degrees = '90', who = app.anna, headers = {}) =>
  who.call('POST', `${API.rotation}/${name}?degrees=${degrees}`, undefined, headers)
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

test('visitors and users without the right may not rotate', async () => {
  writeFileSync(disk('a.jpg'), await picture().jpeg().toBuffer())
  const before = readFileSync(disk('a.jpg'))
  expect(await outcome(rotate('a.jpg', '90', app.anonymous))).toBe('401 unauthenticated')
  const reader = await app.person('reader', '--scope', '/anna', '--perm.modify=false')
  expect(await outcome(rotate('a.jpg', '90', reader))).toBe('403 forbidden')
  expect(await outcome(rotate('a.jpg', '90', await app.withoutDownload()))).toBe('403 forbidden')
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
