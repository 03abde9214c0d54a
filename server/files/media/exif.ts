/**
 * Parses the displayed Exif tags of a picture (Exif 2.32, TIFF 6.0). The data is untrusted: every offset is checked,
 * and invalid values are dropped.
 */
import type { Exposure, GeoPosition, MediaFacts } from '#wire/api/media.ts'

/** A directory has some dozens of fields; those after so many are ignored. */
const FIELDS_MAX = 512
/** Characters of a text. */
const TEXT_MAX = 100

const TAG = {
  make: 0x010f,
  model: 0x0110,
  exif: 0x8769,
  gps: 0x8825,
  exposureTime: 0x829a,
  aperture: 0x829d,
  iso: 0x8827,
  taken: 0x9003,
  zone: 0x9011,
  focalLength: 0x920a,
  lens: 0xa434,
} as const

const GPS = { latitudeRef: 1, latitude: 2, longitudeRef: 3, longitude: 4 } as const

/** Size of one value by its type number. */
const SIZES: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 }

export type CameraFacts = Omit<MediaFacts, 'width' | 'height' | 'seconds'>

/**
 * @param block the Exif block of a picture, with or without its `Exif` marker
 * @returns empty for other data
 */
export function readExif(block: Uint8Array): CameraFacts {
  const tiff = openTiff(ascii(block, 0, 4) === 'Exif' ? block.subarray(6) : block)
  if (!tiff) return {}
  const { view, littleEndian, main } = tiff
  const exif = directory(view, main.number(TAG.exif), littleEndian)
  const gps = directory(view, main.number(TAG.gps), littleEndian)
  return factsIn(main, exif, gps)
}

/** As `readExif`, of metadata whose directories are the first ones of blocks of their own. */
export function readExifBlocks(main: Uint8Array, exif: Uint8Array, gps: Uint8Array): CameraFacts {
  const [first, second, third] = [main, exif, gps].map((block) => openTiff(block)?.main ?? EMPTY)
  return factsIn(first ?? EMPTY, second ?? EMPTY, third ?? EMPTY)
}

function openTiff(block: Uint8Array) {
  if (block.length < 8) return undefined
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  const order = ascii(block, 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const littleEndian = order === 'II'
  if (view.getUint16(2, littleEndian) !== 42) return undefined
  return {
    view,
    littleEndian,
    main: directory(view, view.getUint32(4, littleEndian), littleEndian),
  }
}

function factsIn(main: Directory, exif: Directory, gps: Directory): CameraFacts {
  return defined({
    taken: takenOf(exif),
    camera: cameraOf(main.text(TAG.make), main.text(TAG.model)),
    lens: exif.text(TAG.lens),
    exposure: exposureOf(exif),
    position: positionOf(gps),
  })
}

interface Directory {
  text(tag: number): string | undefined
  number(tag: number): number | undefined
  numbers(tag: number): number[]
}

const EMPTY: Directory = { text: () => undefined, number: () => undefined, numbers: () => [] }

interface Field {
  type: number
  count: number
  /** The offset of its values. */
  offset: number
}

function directory(view: DataView, offset: number | undefined, littleEndian: boolean): Directory {
  const fields =
    offset === undefined ? new Map<number, Field>() : fieldsAt(view, offset, littleEndian)
  const numbers = (tag: number) => numbersOf(view, fields.get(tag), littleEndian)
  return {
    numbers,
    number: (tag) => numbers(tag)[0],
    text(tag) {
      const field = fields.get(tag)
      return field?.type === 2 ? textOf(view, field) : undefined
    },
  }
}

function fieldsAt(view: DataView, start: number, littleEndian: boolean): Map<number, Field> {
  const fields = new Map<number, Field>()
  if (start + 2 > view.byteLength) return fields
  const count = Math.min(view.getUint16(start, littleEndian), FIELDS_MAX)
  for (
    let row = start + 2;
    row < start + 2 + count * 12 && row + 12 <= view.byteLength;
    row += 12
  ) {
    const type = view.getUint16(row + 2, littleEndian)
    const valueCount = view.getUint32(row + 4, littleEndian)
    const bytes = (SIZES[type] ?? 0) * valueCount
    // Values of up to four bytes are in the field itself.
    const offset = bytes <= 4 ? row + 8 : view.getUint32(row + 8, littleEndian)
    if (bytes === 0 || offset + bytes > view.byteLength) continue
    fields.set(view.getUint16(row, littleEndian), { type, count: valueCount, offset })
  }
  return fields
}

function numbersOf(view: DataView, field: Field | undefined, littleEndian: boolean): number[] {
  if (!field) return []
  const { type, offset: start } = field
  return Array.from({ length: Math.min(field.count, 4) }, (_, index) => {
    const offset = start + index * (SIZES[type] ?? 0)
    if (type === 3) return view.getUint16(offset, littleEndian)
    if (type === 4) return view.getUint32(offset, littleEndian)
    if (type === 5)
      return view.getUint32(offset, littleEndian) / view.getUint32(offset + 4, littleEndian)
    if (type === 10)
      return view.getInt32(offset, littleEndian) / view.getInt32(offset + 4, littleEndian)
    return Number.NaN
  })
}

function textOf(view: DataView, { offset, count }: Field): string | undefined {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + offset, Math.min(count, 4 * TEXT_MAX))
  const end = bytes.indexOf(0)
  return plainText(new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)))
}

/** Makes a short single line of visible characters. */
export function plainText(text: string): string | undefined {
  const visible = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return visible.slice(0, TEXT_MAX).toWellFormed() || undefined
}

function ascii(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length))
}

/** "NIKON CORPORATION" and "NIKON D750" become "NIKON D750". */
function cameraOf(make: string | undefined, model: string | undefined): string | undefined {
  if (!make || !model) return model ?? make
  const [first = ''] = make.split(' ')
  return model.toLowerCase().startsWith(first.toLowerCase()) ? model : `${make} ${model}`
}

function takenOf(exif: Directory): string | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(exif.text(TAG.taken) ?? '')
  if (!parts) return undefined
  const moment = `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}`
  const zone = /^[+-](?:0\d|1[0-4]):[0-5]\d$/.exec(exif.text(TAG.zone) ?? '')?.[0] ?? ''
  return isMoment(moment) ? moment + zone : undefined
}

/** Whether the time is valid: cameras without a clock write zeros. */
function isMoment(moment: string): boolean {
  const time = new Date(`${moment}Z`)
  return Number.isFinite(time.getTime()) && time.toISOString().startsWith(moment)
}

function exposureOf(exif: Directory): Exposure | undefined {
  const exposure = defined({
    seconds: sensible(exif.number(TAG.exposureTime), 86_400),
    aperture: sensible(exif.number(TAG.aperture), 1000),
    iso: sensible(exif.number(TAG.iso), 10_000_000),
    focalLength: sensible(exif.number(TAG.focalLength), 10_000),
  })
  return Object.keys(exposure).length > 0 ? exposure : undefined
}

function positionOf(gps: Directory): GeoPosition | undefined {
  const latitude = degrees(gps.numbers(GPS.latitude), gps.text(GPS.latitudeRef), 'S', 90)
  const longitude = degrees(gps.numbers(GPS.longitude), gps.text(GPS.longitudeRef), 'W', 180)
  if (latitude === undefined || longitude === undefined) return undefined
  // A receiver that does not know its position writes zeros.
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude }
}

function degrees(
  [whole = Number.NaN, minutes = 0, seconds = 0]: number[],
  ref: string | undefined,
  negative: string,
  most: number,
): number | undefined {
  const value = whole + minutes / 60 + seconds / 3600
  if (!(value >= 0 && value <= most) || !ref) return undefined
  return (ref === negative ? -1 : 1) * Number(value.toFixed(6))
}

function sensible(value: number | undefined, most: number): number | undefined {
  return value !== undefined && value > 0 && value <= most ? value : undefined
}

/** Removes undefined values. */
export function defined<T extends object>(facts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
