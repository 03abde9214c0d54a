import { expect, test } from 'bun:test'
import sharp from 'sharp'
import { rotatedJpeg } from '#server/files/media/jpeg-orientation.ts'
import { exifBlock, withExif } from '../../../support/files/exif.ts'

/** Two colours, so that a rotation is visible: red above blue. */
async function picture(): Promise<Buffer> {
  const blue = await sharp({ create: { width: 32, height: 32, channels: 3, background: 'blue' } })
    .png()
    .toBuffer()
  return sharp({ create: { width: 32, height: 64, channels: 3, background: 'red' } })
    .composite([{ input: blue, gravity: 'south' }])
    .jpeg()
    .toBuffer()
}

/** The size of the upright picture, and the colour of its left upper corner. */
async function shown(file: Uint8Array | undefined) {
  const { data, info } = await sharp(file, { autoOrient: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [info.width, info.height, (data[0] ?? 0) > 128 ? 'red' : 'blue']
}

/** What is stored after the metadata: the compressed pixels. */
const pixelsOf = (file: Uint8Array) =>
  Buffer.from(file).subarray(Buffer.from(file).indexOf('\xff\xda', 0, 'latin1'))

const TURNS = [
  { quarters: 1, expected: [64, 32, 'blue'] },
  { quarters: 2, expected: [32, 64, 'blue'] },
  { quarters: 3, expected: [64, 32, 'red'] },
]

test.each(TURNS)(
  'a JPEG without metadata is rotated $quarters times',
  async ({ quarters, expected }) => {
    const file = await picture()
    const turned = rotatedJpeg(file, quarters)
    expect(await shown(turned)).toEqual(expected)
    expect(pixelsOf(turned ?? file)).toEqual(pixelsOf(file))
  },
)

test.each(['II', 'MM'] as const)('camera metadata in byte order %s stays', async (order) => {
  const block = exifBlock({ main: { 272: 'X-T5' }, own: { 36867: '2026:05:01 12:00:00' } }, order)
  const file = withExif(await picture(), block)
  const turned = rotatedJpeg(file, 1)
  expect(await shown(turned)).toEqual([64, 32, 'blue'])
  const { exif } = await sharp(turned).metadata()
  expect(exif?.includes('X-T5')).toBe(true)
  // A second time, the tag is there and only its value changes.
  const again = rotatedJpeg(turned ?? file, 1)
  expect(again?.length).toBe(turned?.length)
  expect(await shown(again)).toEqual([32, 64, 'blue'])
})

test.each([
  [1, [6, 3, 8, 1]],
  [2, [7, 4, 5, 2]],
  [9, [6, 3, 8, 1]],
])('four turns from orientation %d lead back', async (start, expected) => {
  let file: Uint8Array = withExif(await picture(), exifBlock({ main: { 274: start } }))
  const orientations: (number | undefined)[] = []
  for (const _ of expected) {
    file = rotatedJpeg(file, 1) ?? file
    orientations.push((await sharp(file).metadata()).orientation)
  }
  expect(orientations).toEqual(expected)
})

test('other and damaged files are left alone', async () => {
  const file = await picture()
  expect(rotatedJpeg(await sharp(file).png().toBuffer(), 1)).toBeUndefined()
  expect(rotatedJpeg(Uint8Array.of(0xff, 0xd8), 1)).toBeUndefined()
  expect(rotatedJpeg(file.subarray(0, 100), 1)).toBeUndefined()
  const broken = withExif(
    file,
    Uint8Array.of(...Buffer.from('Exif\0\0'), 0x49, 0x49, 42, 0, 0xff, 0xff, 0, 0),
  )
  expect(rotatedJpeg(broken, 1)).toBeUndefined()
})
