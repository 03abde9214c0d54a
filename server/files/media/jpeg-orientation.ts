/**
 * Rotates a JPEG without decoding it: the Exif tag Orientation (TIFF 6.0, Exif 2.32 4.6.4) says how a program shows the
 * pixels. The pixels and all other metadata stay as they are.
 */

const TAG_ORIENTATION = 0x0112
const SHORT = 3
const FIELD_BYTES = 12
/** The largest length that a segment can state. */
const SEGMENT_MAX_BYTES = 0xffff
/** `Exif\0\0` */
const EXIF_MARK = [0x45, 0x78, 0x69, 0x66, 0, 0] as const

/** The next orientation after a quarter turn clockwise: of plain pictures, and of mirrored ones. */
const CLOCKWISE: Record<number, number> = { 1: 6, 6: 3, 3: 8, 8: 1, 2: 7, 7: 4, 4: 5, 5: 2 }

/**
 * @param quarters the number of quarter turns clockwise
 * @returns the rotated file; undefined if it is no JPEG, or its metadata is damaged or full
 */
export function rotatedJpeg(file: Uint8Array, quarters: number): Uint8Array | undefined {
  const segments = segmentsOf(file)
  if (!segments) return undefined
  const exif = segments.find((segment) => isExif(file, segment))
  if (!exif) {
    const [first] = segments
    // The segment of JFIF is always the first one.
    const at = first?.marker === 0xe0 ? first.end : 2
    return joined([file.subarray(0, at), newSegment(turned(1, quarters)), file.subarray(at)])
  }
  const tiff = rotatedTiff(file.slice(exif.start + 10, exif.end), quarters)
  if (!tiff || tiff.length + 8 > SEGMENT_MAX_BYTES) return undefined
  return joined([file.subarray(0, exif.start), exifSegment(tiff), file.subarray(exif.end)])
}

/** The quarter turns of orientations without a mirror. */
const QUARTERS: Record<number, number> = { 6: 1, 3: 2, 8: 3 }

/**
 * @param orientation as in Exif
 * @returns the file with this orientation, if it has no Exif metadata of its own
 */
export function orientedJpeg(file: Uint8Array, orientation: number): Uint8Array {
  const quarters = QUARTERS[orientation]
  const hasOwn = segmentsOf(file)?.some((segment) => isExif(file, segment)) ?? true
  return quarters === undefined || hasOwn ? file : (rotatedJpeg(file, quarters) ?? file)
}

/** @returns the file without Exif metadata, so that its pixels are shown as they are stored */
export function withoutExif(file: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  for (const segment of segmentsOf(file) ?? []) {
    if (!isExif(file, segment)) continue
    parts.push(file.subarray(at, segment.start))
    at = segment.end
  }
  return at === 0 ? file : joined([...parts, file.subarray(at)])
}

/** A segment with its marker: from `start` to before `end`. */
interface Segment {
  marker: number
  start: number
  end: number
}

/** @returns the segments before the pixels; undefined for other files */
function segmentsOf(file: Uint8Array): Segment[] | undefined {
  if (file[0] !== 0xff || file[1] !== 0xd8) return undefined
  const segments: Segment[] = []
  let start = 2
  while (start + 4 <= file.length) {
    const marker = file[start + 1] ?? 0
    if (file[start] !== 0xff) return undefined
    // The scan with the pixels.
    if (marker === 0xda) return segments
    const end = start + 2 + (((file[start + 2] ?? 0) << 8) | (file[start + 3] ?? 0))
    if (end < start + 4 || end > file.length) return undefined
    segments.push({ marker, start, end })
    start = end
  }
  return undefined
}

function isExif(file: Uint8Array, { marker, start }: Segment): boolean {
  return marker === 0xe1 && EXIF_MARK.every((byte, index) => file[start + 4 + index] === byte)
}

/** Changes the orientation in a TIFF block, or adds it. */
function rotatedTiff(tiff: Uint8Array, quarters: number): Uint8Array | undefined {
  if (tiff.length < 8) return undefined
  const order = String.fromCharCode(tiff[0] ?? 0, tiff[1] ?? 0)
  if (order !== 'II' && order !== 'MM') return undefined
  const littleEndian = order === 'II'
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const at = view.getUint32(4, littleEndian)
  if (at + 2 > tiff.length) return undefined
  const count = view.getUint16(at, littleEndian)
  const end = at + 2 + count * FIELD_BYTES
  if (end + 4 > tiff.length) return undefined
  for (let field = at + 2; field < end; field += FIELD_BYTES) {
    if (view.getUint16(field, littleEndian) !== TAG_ORIENTATION) continue
    if (view.getUint16(field + 2, littleEndian) !== SHORT) return undefined
    const present = view.getUint16(field + 8, littleEndian)
    view.setUint16(field + 8, turned(present, quarters), littleEndian)
    return tiff
  }
  return withOrientation(tiff, { at, count, littleEndian }, turned(1, quarters))
}

interface Directory {
  at: number
  count: number
  littleEndian: boolean
}

/** Writes the main directory with one more field to the end of the block: what other offsets refer to does not move. */
function withOrientation(
  tiff: Uint8Array,
  { at, count, littleEndian }: Directory,
  orientation: number,
): Uint8Array {
  const old = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const start = tiff.length + (tiff.length % 2)
  const grown = new Uint8Array(start + 2 + (count + 1) * FIELD_BYTES + 4)
  grown.set(tiff)
  const view = new DataView(grown.buffer)
  view.setUint32(4, start, littleEndian)
  view.setUint16(start, count + 1, littleEndian)
  const fields = Array.from({ length: count }, (_, index) => at + 2 + index * FIELD_BYTES)
  // The fields are in the order of their tags.
  const before = fields.filter((field) => old.getUint16(field, littleEndian) < TAG_ORIENTATION)
  const own = start + 2 + before.length * FIELD_BYTES
  fields.forEach((field, index) => {
    const to = start + 2 + (index < before.length ? index : index + 1) * FIELD_BYTES
    grown.set(tiff.subarray(field, field + FIELD_BYTES), to)
  })
  writeField(view, own, orientation, littleEndian)
  const next = at + 2 + count * FIELD_BYTES
  grown.set(tiff.subarray(next, next + 4), grown.length - 4)
  return grown
}

function writeField(view: DataView, at: number, orientation: number, littleEndian: boolean): void {
  view.setUint16(at, TAG_ORIENTATION, littleEndian)
  view.setUint16(at + 2, SHORT, littleEndian)
  view.setUint32(at + 4, 1, littleEndian)
  view.setUint16(at + 8, orientation, littleEndian)
}

/** An Exif segment that contains only the orientation. */
function newSegment(orientation: number): Uint8Array {
  const tiff = new Uint8Array(8 + 2 + FIELD_BYTES + 4)
  const view = new DataView(tiff.buffer)
  view.setUint16(0, 0x4d4d)
  view.setUint16(2, 42)
  view.setUint32(4, 8)
  view.setUint16(8, 1)
  writeField(view, 10, orientation, false)
  return exifSegment(tiff)
}

function exifSegment(tiff: Uint8Array): Uint8Array {
  const length = 2 + EXIF_MARK.length + tiff.length
  return joined([Uint8Array.of(0xff, 0xe1, length >> 8, length & 0xff, ...EXIF_MARK), tiff])
}

/** An invalid orientation counts as upright, as viewers show it. */
function turned(orientation: number, quarters: number): number {
  let result = orientation in CLOCKWISE ? orientation : 1
  for (let turn = 0; turn < quarters; turn += 1) result = CLOCKWISE[result] ?? 1
  return result
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
