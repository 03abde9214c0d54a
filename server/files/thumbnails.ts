/**
 * Small pictures from big ones. The only place that knows sharp; where its native files cannot be
 * loaded, Bun's own decoders do what they can.
 */
import type { Sharp } from 'sharp'
import type { Resolution } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'

export interface ThumbnailSize {
  /** Pixels. */
  width: number
  height: number
  /** `cover` fills the box and cuts what is over; `inside` fits into it. Neither enlarges. */
  fit: 'cover' | 'inside'
  /** For those who decode it themselves; otherwise what browsers show. */
  as?: 'tiff' | undefined
}

export interface Thumbnail {
  bytes: Uint8Array
  /** The Content-Type. */
  type: string
}

/** A picture of more pixels is refused before any of them is decoded. */
const PIXELS_MAX = 10_000 * 10_000
const DECODE_MAX_SECONDS = 20
/** What libvips calls its reader of vector drawings: nothing stops it, not even to tell their size. */
const SVG_TYPES = 'VipsForeignLoadSvg'
const JPEG_QUALITY = 80
const WEBP_QUALITY = 80

/**
 * Draws a picture into a box: upright, without the metadata of the original, the first frame of an
 * animation. WebP where the original has transparency, JPEG elsewhere.
 *
 * Vector drawings are refused: `drawings.ts` draws them.
 *
 * @param seconds how long it may take
 * @throws Fault unprocessable when the bytes are no picture that can be read, or not in time, tooLarge
 *   when it has too many pixels.
 */
export async function thumbnail(
  input: Uint8Array,
  want: ThumbnailSize,
  seconds = DECODE_MAX_SECONDS,
): Promise<Thumbnail> {
  const sharp = await sharpIfLoadable()
  try {
    return sharp ? await drawWithSharp(sharp, input, want, seconds) : await drawWithBun(input, want)
  } catch (cause) {
    if (/pixel limit|TOO_MANY_PIXELS/.test(describe(cause))) {
      throw new Fault('tooLarge', 'This picture has too many pixels for a preview.', { cause })
    }
    throw new Fault('unprocessable', 'This picture cannot be read.', { cause })
  }
}

/**
 * Draws anything, vector drawings too: for a process that is ended when it takes too long.
 *
 * @throws Error
 */
export async function drawHere(input: Uint8Array, want: ThumbnailSize): Promise<Thumbnail> {
  const sharp = await sharpIfLoadable()
  if (!sharp) throw new Error('There is no image library.')
  sharp.unblock({ operation: [SVG_TYPES] })
  return drawWithSharp(sharp, input, want, DECODE_MAX_SECONDS)
}

/**
 * How many bytes a picture fills when all of it is unfolded: what interlaced, progressive and turned
 * ones really need, and others at most.
 *
 * @param start the beginning of the file, where most formats keep this
 * @returns undefined when it cannot be told
 */
export async function unfoldedBytes(start: Uint8Array): Promise<number | undefined> {
  const sharp = await sharpIfLoadable()
  if (!sharp) return undefined
  try {
    const header = await sharp(start, { limitInputPixels: false }).metadata()
    const { width, height, channels, depth, format, isProgressive } = header
    // A progressive JPEG is gathered in coefficients of twice the size before it is unfolded.
    const passes = format === 'jpeg' && isProgressive ? 2 : 1
    return width * height * channels * (SAMPLE_BYTES[depth] ?? 16) * passes
  } catch {
    return undefined
  }
}

/** By libvips's names. */
const SAMPLE_BYTES: Record<string, number> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  complex: 8,
  double: 8,
}

/**
 * How large a picture is, upright.
 *
 * @param start the beginning of the file, where formats keep this
 * @returns undefined when it cannot be told
 */
export async function pictureSize(start: Uint8Array): Promise<Resolution | undefined> {
  const sharp = await sharpIfLoadable()
  if (!sharp) return undefined
  try {
    const { autoOrient } = await sharp(start, { limitInputPixels: false }).metadata()
    return { width: autoOrient.width, height: autoOrient.height }
  } catch {
    return undefined
  }
}

/**
 * Encodes one small picture with sharp, as proof that its native files load.
 *
 * @returns the versions of sharp and libvips.
 * @throws Error when they do not load.
 */
export async function probeSharp(): Promise<string> {
  const { default: sharp } = await import('sharp')
  const blank = { width: 2, height: 2, channels: 3, background: 'white' } as const
  await sharp({ create: blank }).jpeg().toBuffer()
  return `sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`
}

type SharpFactory = typeof import('sharp')['default']
let loading: Promise<SharpFactory | undefined> | undefined

/** Loaded on first use: most commands of the executable never need it. */
function sharpIfLoadable(): Promise<SharpFactory | undefined> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.block({ operation: [SVG_TYPES] })
      return sharp
    },
    () => undefined,
  )
  return loading
}

async function drawWithSharp(
  sharp: SharpFactory,
  input: Uint8Array,
  { width, height, fit, as }: ThumbnailSize,
  seconds: number,
): Promise<Thumbnail> {
  const picture = sharp(input, { limitInputPixels: PIXELS_MAX, failOn: 'error', autoOrient: true })
  const { hasAlpha } = await picture.metadata()
  const small: Sharp = picture
    .timeout({ seconds })
    .resize({ width, height, fit, withoutEnlargement: true })
    .toColourspace('srgb')
  if (as === 'tiff') {
    return { bytes: await small.tiff({ compression: 'lzw' }).toBuffer(), type: 'image/tiff' }
  }
  return hasAlpha
    ? { bytes: await small.webp({ quality: WEBP_QUALITY }).toBuffer(), type: 'image/webp' }
    : { bytes: await small.jpeg({ quality: JPEG_QUALITY }).toBuffer(), type: 'image/jpeg' }
}

/** Bun cannot cut, so a `cover` box is fitted from inside; whoever shows it cuts. */
async function drawWithBun(
  input: Uint8Array,
  { width, height }: ThumbnailSize,
): Promise<Thumbnail> {
  const picture = new Bun.Image(input, { maxPixels: PIXELS_MAX })
  const bytes = await picture
    .resize(width, height, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: WEBP_QUALITY })
    .bytes()
  return { bytes, type: 'image/webp' }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error ? `${error.code} ${error.message}` : error.message
}
