import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { probeSharp, thumbnail } from '#server/files/previews/thumbnails.ts'
import { isFault } from '#wire/fault.ts'

const RED = { r: 220, g: 20, b: 20 }
const BLUE = { r: 20, g: 20, b: 220 }

/** Red on the left, blue on the right. */
function twoHalves(width: number, height: number) {
  const half = { create: { width: width / 2, height, channels: 3, background: BLUE } } as const
  return sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    { input: half, left: width / 2, top: 0 },
  ])
}

describe('a thumbnail', () => {
  test('a square thumbnail is filled, and the rest of the picture is cut off', async () => {
    const { bytes, type } = await thumbnail(await twoHalves(400, 200).jpeg().toBuffer(), {
      width: 64,
      height: 64,
      fit: 'cover',
    })
    expect(type).toBe('image/jpeg')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 64 })
  })

  test('a preview fits into its size and keeps its proportions', async () => {
    const original = await twoHalves(400, 200).png().toBuffer()
    const { bytes } = await thumbnail(original, { width: 100, height: 100, fit: 'inside' })
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 100, height: 50 })
  })

  test('a thumbnail is never larger than the original', async () => {
    const original = await twoHalves(40, 20).png().toBuffer()
    const { bytes } = await thumbnail(original, { width: 1000, height: 1000, fit: 'inside' })
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 20 })
  })

  test('a thumbnail keeps transparency', async () => {
    const clear = { width: 8, height: 8, channels: 4, background: { ...RED, alpha: 0 } } as const
    const original = await sharp({ create: clear }).png().toBuffer()
    const { bytes, type } = await thumbnail(original, { width: 4, height: 4, fit: 'cover' })
    expect(type).toBe('image/webp')
    expect((await sharp(bytes).stats()).isOpaque).toBe(false)
  })

  test('a thumbnail is rotated as the camera’s orientation says @spec-11.21', async () => {
    const rotated = await twoHalves(200, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { bytes } = await thumbnail(rotated, { width: 50, height: 100, fit: 'inside' })
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 50, height: 100 })
    const pixel = (x: number, y: number) => {
      const at = (y * info.width + x) * info.channels
      return { red: (data[at] ?? 0) > 128, blue: (data[at + 2] ?? 0) > 128 }
    }
    expect(pixel(25, 10)).toEqual({ red: true, blue: false })
    expect(pixel(25, 90)).toEqual({ red: false, blue: true })
  })

  test('a thumbnail contains no metadata of the original', async () => {
    const tagged = await twoHalves(40, 20)
      .withExif({ IFD0: { Artist: 'Anna' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer()
    expect((await sharp(tagged).metadata()).exif).toBeDefined()
    const { bytes } = await thumbnail(tagged, { width: 20, height: 20, fit: 'inside' })
    const { exif, xmp, iptc } = await sharp(bytes).metadata()
    expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined })
  })
})

describe('refused', () => {
  const faultOf = (input: Uint8Array) =>
    thumbnail(input, { width: 64, height: 64, fit: 'cover' }).catch((fault: unknown) => fault)

  test('a file that is not a picture gets no thumbnail', async () => {
    expect(isFault(await faultOf(new TextEncoder().encode('plain text')), 'unprocessable')).toBe(
      true,
    )
    expect(isFault(await faultOf(new Uint8Array()), 'unprocessable')).toBe(true)
  })

  test('an incomplete picture gets no thumbnail', async () => {
    const whole = await twoHalves(400, 200).png().toBuffer()
    expect(isFault(await faultOf(whole.subarray(0, whole.length / 2)), 'unprocessable')).toBe(true)
  })

  test('a small file that claims a huge canvas is refused before it is decoded', async () => {
    expect(isFault(await faultOf(pngHeader(50_000, 50_000)), 'tooLarge')).toBe(true)
  })
})

test('the self-check names the loaded image library', async () => {
  expect(await probeSharp()).toBe(`sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`)
})

/** A valid PNG of one row of nothing, whose header says otherwise (G-94). */
function pngHeader(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(Bun.hash.crc32(named))
    return Buffer.concat([length, named, crc])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', Bun.deflateSync(new Uint8Array(16))),
    chunk('IEND', new Uint8Array()),
  ])
}
