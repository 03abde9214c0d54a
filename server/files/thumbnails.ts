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
}

export interface Thumbnail {
  bytes: Uint8Array
  /** The Content-Type. */
  type: string
}

/** A picture of more pixels is refused before any of them is decoded. */
const PIXELS_MAX = 10_000 * 10_000
const DECODE_MAX_SECONDS = 20
const JPEG_QUALITY = 80
const WEBP_QUALITY = 80

/**
 * Draws a picture into a box: upright, without the metadata of the original, the first frame of an
 * animation. WebP where the original has transparency, JPEG elsewhere.
 *
 * @throws Fault unprocessable when the bytes are no picture that can be read, tooLarge when it has
 *   too many pixels.
 */
export async function thumbnail(input: Uint8Array, want: ThumbnailSize): Promise<Thumbnail> {
  const sharp = await sharpIfLoadable()
  try {
    return sharp ? await drawWithSharp(sharp, input, want) : await drawWithBun(input, want)
  } catch (cause) {
    if (/pixel limit|TOO_MANY_PIXELS/.test(describe(cause))) {
      throw new Fault('tooLarge', 'This picture has too many pixels for a preview.', { cause })
    }
    throw new Fault('unprocessable', 'This picture cannot be read.', { cause })
  }
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
    (module) => module.default,
    () => undefined,
  )
  return loading
}

async function drawWithSharp(
  sharp: SharpFactory,
  input: Uint8Array,
  { width, height, fit }: ThumbnailSize,
): Promise<Thumbnail> {
  const picture = sharp(input, { limitInputPixels: PIXELS_MAX, failOn: 'error', autoOrient: true })
  const { hasAlpha } = await picture.metadata()
  const small: Sharp = picture
    .timeout({ seconds: DECODE_MAX_SECONDS })
    .resize({ width, height, fit, withoutEnlargement: true })
    .toColourspace('srgb')
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
