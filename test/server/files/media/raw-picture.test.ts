import { expect, test } from 'bun:test'
import sharp from 'sharp'
import { FileByteReader } from '#server/files/media/byte-reader.ts'
import { orientedJpeg } from '#server/files/media/jpeg-orientation.ts'
import { findRawPicture, isRawName } from '#server/files/media/raw-picture.ts'
import { cr3File } from '../../../support/files/cr3.ts'

const jpegOf = (width: number) =>
  sharp({ create: { width, height: 40, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
const [large, small] = [await jpegOf(600), await jpegOf(60)]
/** A lossless JPEG, as raw data is stored: it begins like any other, and is larger. */
const lossless = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 11, 14, 0, 40, 0, 60, 1, 0, 0x11, 0]),
  Buffer.alloc(100_000),
])

type Order = 'II' | 'MM'
/** A field: a number, a part of the file whose offset it has, or the bytes of a value. */
type Value = number | { at: number; type?: number } | { bytes: number; at: number }

/** Writes a directory. */
function directory(order: Order, fields: Record<number, Value>, next = 0): Buffer {
  const rows = Object.entries(fields)
  const bytes = Buffer.alloc(2 + rows.length * 12 + 4)
  const u16 = (value: number, at: number) =>
    order === 'II' ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const u32 = (value: number, at: number) =>
    order === 'II' ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  u16(rows.length, 0)
  for (const [index, [tag, value]] of rows.entries()) {
    const row = 2 + index * 12
    u16(Number(tag), row)
    const isBytes = typeof value === 'object' && 'bytes' in value
    u16(isBytes ? 7 : 4, row + 2)
    u32(isBytes ? value.bytes : 1, row + 4)
    u32(typeof value === 'number' ? value : value.at, row + 8)
  }
  u32(next, bytes.length - 4)
  return bytes
}

/** Puts parts at fixed offsets. */
function fileOf(parts: Record<number, Uint8Array | string>): Buffer {
  const end = Math.max(...Object.entries(parts).map(([at, part]) => Number(at) + part.length))
  const file = Buffer.alloc(end)
  for (const [at, part] of Object.entries(parts))
    file.set(Buffer.from(part as string, 'latin1'), Number(at))
  return file
}

const header = (order: Order, magic = order === 'II' ? '*\0' : '\0*') =>
  Buffer.concat([
    Buffer.from(order + magic, 'latin1'),
    order === 'II' ? Buffer.from([8, 0, 0, 0]) : Buffer.from([0, 0, 0, 8]),
  ])

const find = (file: Buffer) =>
  findRawPicture(
    new FileByteReader(file.length, async (first, last) => file.subarray(first, last + 1)),
  )

const inJpegTags = (at: number, jpeg: Buffer) => ({ 513: { at }, 514: jpeg.length })
const inStrip = (at: number, jpeg: Buffer) => ({ 273: { at }, 279: jpeg.length })
const FILES: [name: string, file: Buffer][] = [
  [
    'ARW: in the first directory',
    fileOf({ 0: header('II'), 8: directory('II', inJpegTags(1000, large)), 1000: large }),
  ],
  [
    'NEF: in a directory inside, after a small one',
    fileOf({
      0: header('MM'),
      8: directory('MM', { 273: { at: 3000 }, 279: small.length, 330: { at: 500 } }),
      500: directory('MM', inJpegTags(6000, large)),
      3000: small,
      6000: large,
    }),
  ],
  [
    'CR2: in a strip',
    fileOf({ 0: header('II'), 8: directory('II', inStrip(1000, large)), 1000: large }),
  ],
  [
    'DNG: beside the raw data in lossless JPEG',
    fileOf({
      0: header('II'),
      8: directory('II', { 273: { at: 20_000 }, 279: lossless.length, 330: { at: 500 } }),
      500: directory('II', inStrip(6000, large)),
      6000: large,
      20000: lossless,
    }),
  ],
  [
    'PEF: in a later directory',
    fileOf({
      0: header('MM'),
      8: directory('MM', { 256: 1 }, 200),
      200: directory('MM', inJpegTags(1000, large)),
      1000: large,
    }),
  ],
  [
    'RW2: as the value of a field',
    fileOf({
      0: header('II', 'U\0'),
      8: directory('II', { 46: { bytes: large.length, at: 1000 } }),
      1000: large,
    }),
  ],
  [
    'ORF: in the notes of the camera',
    fileOf({
      0: header('II', 'RO'),
      8: directory('II', { 34665: { at: 100 } }),
      100: directory('II', { 37500: { bytes: 400, at: 200 } }),
      200: 'OLYMPUS\0II\x03\0',
      212: directory('II', { 8224: { at: 100 } }),
      300: directory('II', { 257: { at: 800 }, 258: large.length }),
      1000: large,
    }),
  ],
  [
    'RAF: named by its header',
    fileOf({
      0: 'FUJIFILMCCD-RAW ',
      84: Buffer.from([0, 0, 0x03, 0xe8, 0, 0, large.length >> 8, large.length & 0xff]),
      1000: large,
    }),
  ],
]

FILES.push(
  [
    'CR3: the sample of the first track',
    cr3File({ thumbnail: small, preview: small, full: large }),
  ],
  [
    'CR3: the preview, if there is none in full size',
    cr3File({ thumbnail: small, preview: large }),
  ],
  ['CR3: the thumbnail, if there is no other', cr3File({ thumbnail: large })],
)

test.each(FILES)('%s', async (_, file) => {
  const found = await find(file)
  expect(found && file.subarray(found.start, found.start + found.sizeBytes)).toEqual(large)
})

test('a picture without metadata of its own is turned as the camera was held', async () => {
  const file = fileOf({
    0: header('II'),
    8: directory('II', { 274: 6, ...inJpegTags(1000, large) }),
    1000: large,
  })
  const found = await find(file)
  expect(found?.orientation).toBe(6)
  const { autoOrient } = await sharp(orientedJpeg(large, 6)).metadata()
  expect([autoOrient.width, autoOrient.height]).toEqual([40, 600])
  expect(orientedJpeg(orientedJpeg(large, 6), 6)).toEqual(orientedJpeg(large, 6))
})

test('damaged files end: directories in a circle, offsets outside, too many fields', async () => {
  const circle = fileOf({
    0: header('II'),
    8: directory('II', { 330: { at: 8 }, 34665: { at: 8 } }, 8),
  })
  expect(await find(circle)).toBeUndefined()
  const outside = fileOf({
    0: header('II'),
    8: directory('II', { 513: { at: 5_000_000 }, 514: 10 }),
  })
  expect(await find(outside)).toBeUndefined()
  expect(await find(fileOf({ 0: header('II'), 8: Buffer.alloc(5000, 0xff) }))).toBeUndefined()
  expect(await find(Buffer.from('II'))).toBeUndefined()
  expect(await find(Buffer.alloc(200))).toBeUndefined()
  expect(await find(fileOf({ 0: 'FUJIFILMCCD-RAW ', 20: 'x' }))).toBeUndefined()
  const canon = cr3File({ preview: small, full: large })
  expect(await find(canon.subarray(0, 1000))).toBeUndefined()
  expect(await find(Buffer.from(canon).fill(0xff, 24))).toBeUndefined()
  expect(await find(Buffer.from(canon).fill(0, 24))).toBeUndefined()
})

test.each(['a.DNG', 'a.cr2', 'a.cr3', 'a.nef', 'a.arw', 'a.raf', 'a.rw2', 'a.orf', 'a.pef'])(
  '%s is a raw file',
  (name) => {
    expect(isRawName(name)).toBe(true)
    expect(isRawName(`${name}.jpg`)).toBe(false)
  },
)
