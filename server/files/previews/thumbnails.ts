/**
 * Makes small pictures from large ones. This is the only module that uses sharp; if its native files cannot be
 * loaded, Bun's own decoders are used.
 */
import type { Sharp } from 'sharp'
import type { Resolution } from '#wire/api/entry.ts'
import type { PictureArea } from '#wire/api/media.ts'
import { Fault } from '#wire/fault.ts'
import { clearExifThumbnail } from '../media/exif-thumbnail.ts'

export interface ThumbnailSize {
  /** Pixels. */
  width: number
  height: number
  /** `cover` fills the box and crops the rest; `inside` fits into it. Neither enlarges. */
  fit: 'cover' | 'inside'
  /** The part that `cover` keeps; the middle by default. */
  position?: 'top' | undefined
  /** For callers that decode it themselves; otherwise a format for browsers. */
  as?: 'tiff' | undefined
}

export interface Thumbnail {
  bytes: Uint8Array
  /** The Content-Type. */
  type: string
}

/** Larger pictures are refused before they are decoded. */
const PIXELS_MAX = 10_000 * 10_000
const DECODE_MAX_SECONDS = 20
/** libvips' name of its SVG loader, which cannot be interrupted. */
const SVG_TYPES = 'VipsForeignLoadSvg'
const JPEG_QUALITY = 80
const WEBP_QUALITY = 80

/**
 * Scales a picture into a box: upright, without metadata, the first frame of an animation. The result is WebP if the
 * original has transparency, otherwise JPEG.
 *
 * SVG files are refused; `svg-renderer.ts` renders them.
 *
 * @param seconds the time limit
 * @throws Fault unprocessable if the bytes cannot be decoded in time, tooLarge if there are too many pixels
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
    throw decodingFault(cause)
  }
}

/** Lighter values are white: JPEG changes them a little. */
const WHITE_MIN = 240

/**
 * Whether a picture is only white or transparent, as libraries store for a document that they have not drawn.
 *
 * @throws Fault unprocessable, tooLarge
 */
export async function isWhite(input: Uint8Array): Promise<boolean> {
  const sharp = await sharpIfLoadable()
  if (!sharp) return false
  try {
    const picture = openPicture(sharp, input).timeout({ seconds: DECODE_MAX_SECONDS })
    const pixels = await picture.flatten({ background: '#fff' }).greyscale().raw().toBuffer()
    return pixels.every((value) => value >= WHITE_MIN)
  } catch (cause) {
    throw decodingFault(cause)
  }
}

function decodingFault(cause: unknown): Fault {
  return /pixel limit|TOO_MANY_PIXELS/.test(describe(cause))
    ? new Fault('tooLarge', 'This picture has too many pixels for a preview.', { cause })
    : new Fault('unprocessable', 'This picture cannot be read.', { cause })
}

/** The formats that `edited` writes. */
const EDITED_FORMATS = ['jpeg', 'png', 'webp'] as const
/** Higher than for previews: the result replaces the picture. */
const EDITED_QUALITY = 95

/** What becomes of a picture: a rotation by quarter turns clockwise, or only a part of it. */
export type PictureEdit = { quarters: number } | { area: PictureArea }

/**
 * Rotates or crops a picture, and keeps its format and its metadata. PNG and lossless WebP stay lossless; other pictures
 * are encoded again in high quality. `rotatedJpeg` rotates most JPEG files without it. A crop removes the small picture
 * in the metadata, too, since it shows the whole.
 *
 * @throws Fault unsupported (another format, an animation, or there is no image library), badRequest (the area is not in
 *   the picture), unprocessable, tooLarge
 */
export async function edited(input: Uint8Array, edit: PictureEdit): Promise<Uint8Array> {
  const sharp = await sharpIfLoadable()
  if (!sharp) throw new Fault('unsupported', 'This server has no image library.')
  try {
    const picture = openPicture(sharp, input)
    const { format, pages = 1, depth, space, autoOrient } = await picture.metadata()
    const known = EDITED_FORMATS.find((name) => name === format)
    if (!known || pages > 1) {
      throw new Fault('unsupported', 'Pictures of this format cannot be changed.')
    }
    const isLossless = known === 'webp' && isLosslessWebp(input)
    const options = { jpeg: {}, png: {}, webp: { lossless: isLossless } }[known]
    picture.timeout({ seconds: DECODE_MAX_SECONDS })
    if ('area' in edit) {
      requireInside(edit.area, autoOrient)
      picture.extract(edit.area)
    } else picture.rotate(edit.quarters * 90)
    // The Exif block of a PNG has a checksum, so that no part of it can be removed afterwards.
    if ('area' in edit && known === 'png') picture.keepIccProfile().keepXmp()
    else picture.keepMetadata()
    // Otherwise 16 bits of a channel become 8.
    if (depth === 'ushort') picture.toColourspace(space)
    if (known !== 'png') Object.assign(options, { quality: EDITED_QUALITY })
    const output = await picture.toFormat(known, options).toBuffer()
    if ('area' in edit) clearExifThumbnail(output)
    return output
  } catch (cause) {
    throw cause instanceof Fault ? cause : decodingFault(cause)
  }
}

/** @throws Fault badRequest */
function requireInside({ left, top, width, height }: PictureArea, size: Resolution): void {
  const isInside = left + width <= size.width && top + height <= size.height
  if (!isInside || width < 1 || height < 1)
    throw new Fault('badRequest', 'This area is not in the picture.')
}

/** The main chunk of a WebP file is `VP8L` if it is lossless; the extended format puts other chunks before it. */
function isLosslessWebp(file: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(file.subarray(12, 4096)).includes('VP8L')
}

/**
 * Renders a picture of any format, including SVG, in the calling process. Only `filemgr draw` calls it, in a child
 * process of the server: the rendering of an SVG file can last for ever, and allows SVG in the whole process.
 *
 * @throws Error if there is no image library, or the picture cannot be read
 */
export async function renderIncludingSvg(
  input: Uint8Array,
  want: ThumbnailSize,
): Promise<Thumbnail> {
  const sharp = await sharpIfLoadable()
  if (!sharp) throw new Error('There is no image library.')
  sharp.unblock({ operation: [SVG_TYPES] })
  return drawWithSharp(sharp, input, want, DECODE_MAX_SECONDS)
}

/**
 * The memory that a decoded picture needs; exact for interlaced, progressive and rotated ones, an upper bound
 * otherwise.
 *
 * @param start the beginning of the file
 * @returns undefined if it cannot be determined
 */
export async function decodedBytes(start: Uint8Array): Promise<number | undefined> {
  const sharp = await sharpIfLoadable()
  if (!sharp) return undefined
  try {
    const header = await sharp(start, { limitInputPixels: false }).metadata()
    const { width, height, channels, depth, format, isProgressive } = header
    // A progressive JPEG is decoded from coefficients of twice the size.
    const passes = format === 'jpeg' && isProgressive ? 2 : 1
    return width * height * channels * (SAMPLE_BYTES[depth] ?? 16) * passes
  } catch {
    return undefined
  }
}

/** Bytes of a sample by libvips' name of its type. */
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

/** Metadata from the beginning of a picture file. */
export interface PictureHeader {
  /** Of the upright picture. */
  size: Resolution
  /** The Exif block, not decoded. */
  exif: Uint8Array | undefined
}

/**
 * The size of a picture, upright, and its Exif block.
 *
 * @param start the beginning of the file
 * @returns undefined if it cannot be determined
 */
export async function pictureHeader(start: Uint8Array): Promise<PictureHeader | undefined> {
  const sharp = await sharpIfLoadable()
  if (!sharp) return undefined
  try {
    const { autoOrient, exif } = await sharp(start, { limitInputPixels: false }).metadata()
    return { size: { width: autoOrient.width, height: autoOrient.height }, exif }
  } catch {
    return undefined
  }
}

/**
 * Encodes a small picture with sharp, to verify that its native files load.
 *
 * @returns the versions of sharp and libvips
 * @throws Error if they do not load
 */
export async function probeSharp(): Promise<string> {
  const { default: sharp } = await import('sharp')
  const blank = { width: 2, height: 2, channels: 3, background: 'white' } as const
  await sharp({ create: blank }).jpeg().toBuffer()
  return `sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`
}

type SharpFactory = typeof import('sharp')['default']
let loading: Promise<SharpFactory | undefined> | undefined

/** Loaded on first use, since most commands do not need it. */
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
  { width, height, fit, position, as }: ThumbnailSize,
  seconds: number,
): Promise<Thumbnail> {
  const picture = openPicture(sharp, input)
  const { hasAlpha } = await picture.metadata()
  const small: Sharp = picture
    .timeout({ seconds })
    .resize({ width, height, fit, withoutEnlargement: true, ...(position && { position }) })
    .toColourspace('srgb')
  if (as === 'tiff') {
    return { bytes: await small.tiff({ compression: 'lzw' }).toBuffer(), type: 'image/tiff' }
  }
  return hasAlpha
    ? { bytes: await small.webp({ quality: WEBP_QUALITY }).toBuffer(), type: 'image/webp' }
    : { bytes: await small.jpeg({ quality: JPEG_QUALITY }).toBuffer(), type: 'image/jpeg' }
}

/** Opens an upright picture of any size that is decoded; an incomplete one is an error. */
function openPicture(sharp: SharpFactory, input: Uint8Array): Sharp {
  return sharp(input, { limitInputPixels: PIXELS_MAX, failOn: 'error', autoOrient: true })
}

/** Bun cannot crop, so `cover` is treated as `inside`; the interface crops. */
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
