/**
 * Reads duration and size of videos: MP4 and QuickTime (ISO 14496-12), Matroska and WebM (RFC 9559), AVI. Only
 * headers are read; a file without an index may give partial data.
 */
import type { AlbumFacts } from '#wire/api/media.ts'
import { DAY_MS } from '#wire/units.ts'
import { boxes } from './boxes.ts'
import { type FileByteReader, fourLetters } from './byte-reader.ts'
import { defined } from './exif.ts'

/** Seconds from 1904, the epoch of these formats, to 1970. */
const EPOCH_SECONDS = 2_082_844_800
const SECONDS_MAX = 10 ** 7

export async function filmFacts(reader: FileByteReader): Promise<AlbumFacts> {
  const start = await reader.from(0)
  if (!start) return {}
  if (fourLetters(start, 0) === 'RIFF' && fourLetters(start, 8) === 'AVI ') return aviFacts(start)
  if (start.byteLength > 4 && start.getUint32(0) === 0x1a45dfa3) return matroskaFacts(start)
  return boxedFacts(reader)
}

async function boxedFacts(reader: FileByteReader): Promise<AlbumFacts> {
  for await (const { type, start, end } of boxes(reader, 0, reader.sizeBytes)) {
    if (type === 'moov') return movieFacts(reader, start, end)
  }
  return {}
}

async function movieFacts(reader: FileByteReader, from: number, to: number): Promise<AlbumFacts> {
  let facts: AlbumFacts = {}
  for await (const { type, start, end } of boxes(reader, from, to)) {
    if (type === 'mvhd') facts = { ...facts, ...(await headFacts(reader, start)) }
    if (type === 'trak' && facts.width === undefined) {
      for await (const inner of boxes(reader, start, end)) {
        if (inner.type !== 'tkhd') continue
        facts = { ...facts, ...(await trackFacts(reader, inner.start)) }
        break
      }
    }
  }
  return facts
}

async function headFacts(reader: FileByteReader, offset: number): Promise<AlbumFacts> {
  const head = await reader.at(offset, 32)
  if (!head) return {}
  const is64Bit = head.getUint8(0) === 1
  const created = is64Bit ? Number(head.getBigUint64(4)) : head.getUint32(4)
  const scale = head.getUint32(is64Bit ? 20 : 12)
  const length = is64Bit ? Number(head.getBigUint64(24)) : head.getUint32(16)
  return defined({
    seconds: plausibleSeconds(length / scale),
    taken: momentOf(created - EPOCH_SECONDS),
  })
}

/** The size of a track; empty for audio tracks, which have none. */
async function trackFacts(reader: FileByteReader, offset: number): Promise<AlbumFacts> {
  const version = (await reader.at(offset, 1))?.getUint8(0)
  const matrixAt = offset + (version === 1 ? 52 : 40)
  const head = await reader.at(matrixAt, 44)
  if (!head) return {}
  const [width, height] = [head.getUint32(36) >>> 16, head.getUint32(40) >>> 16]
  // A phone's upright video is stored sideways with a rotation.
  const isRotated = head.getInt32(0) === 0 && head.getInt32(16) === 0
  return isRotated ? size(height, width) : size(width, height)
}

/** Ids of Matroska elements, with their length bits. */
const EBML = {
  segment: 0x18538067,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  track: 0xae,
  video: 0xe0,
  scale: 0x2ad7b1,
  length: 0x4489,
  width: 0xb0,
  height: 0xba,
} as const
/** Elements whose children are read. */
const CONTAINERS: readonly number[] = [EBML.segment, EBML.info, EBML.tracks, EBML.track, EBML.video]

/** Reads the elements before the first cluster, which contain all metadata. */
function matroskaFacts(start: DataView): AlbumFacts {
  const numbers = new Map<number, number>()
  let offset = 0
  for (let count = 0; count < 512; count += 1) {
    const id = variableNumber(start, offset, true)
    const length = id && variableNumber(start, offset + id.bytes, false)
    if (!id || !length) break
    const body = offset + id.bytes + length.bytes
    if (CONTAINERS.includes(id.value)) {
      offset = body
      continue
    }
    const value = numberAt(start, body, length.value)
    if (value !== undefined && !numbers.has(id.value)) numbers.set(id.value, value)
    offset = body + length.value
  }
  const nanoseconds =
    (numbers.get(EBML.scale) ?? 1_000_000) * (numbers.get(EBML.length) ?? Number.NaN)
  return {
    ...defined({ seconds: plausibleSeconds(nanoseconds / 1e9) }),
    ...size(numbers.get(EBML.width), numbers.get(EBML.height)),
  }
}

/**
 * Reads a variable-length number, whose first bits give its length.
 *
 * @param keepsLength whether the bits of the length are part of the value, as in the ids of elements
 * @returns the number and its length in bytes; undefined if the data ends before
 */
function variableNumber(
  view: DataView,
  offset: number,
  keepsLength: boolean,
): { value: number; bytes: number } | undefined {
  if (offset >= view.byteLength) return undefined
  const first = view.getUint8(offset)
  const bytes = Math.clz32(first) - 23
  if (bytes > 8 || offset + bytes > view.byteLength) return undefined
  let value = keepsLength ? first : first & (0xff >> bytes)
  for (let index = 1; index < bytes; index += 1) value = value * 256 + view.getUint8(offset + index)
  return { value, bytes }
}

/** Four and eight bytes are a float, other lengths an integer: the integers read here are shorter than four bytes. */
function numberAt(view: DataView, offset: number, length: number): number | undefined {
  if (length < 1 || length > 8 || offset + length > view.byteLength) return undefined
  if (length === 8) return view.getFloat64(offset)
  if (length === 4) return view.getFloat32(offset)
  let value = 0
  for (let index = 0; index < length; index += 1)
    value = value * 256 + view.getUint8(offset + index)
  return value
}

function aviFacts(start: DataView): AlbumFacts {
  if (start.byteLength < 72 || fourLetters(start, 24) !== 'avih') return {}
  const frameMicros = start.getUint32(32, true)
  return {
    ...defined({ seconds: plausibleSeconds((frameMicros * start.getUint32(48, true)) / 1e6) }),
    ...size(start.getUint32(64, true), start.getUint32(68, true)),
  }
}

/** A duration in seconds, rounded to milliseconds; undefined if it is not plausible. */
export function plausibleSeconds(seconds: number): number | undefined {
  return seconds > 0 && seconds < SECONDS_MAX ? Math.round(seconds * 1000) / 1000 : undefined
}

function momentOf(seconds: number): string | undefined {
  // Programs without a clock write the beginning of 1904 or of 1970.
  const isSensible = seconds > 0 && seconds * 1000 < Date.now() + DAY_MS
  return isSensible ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` : undefined
}

function size(width = 0, height = 0): AlbumFacts {
  const isSensible = [width, height].every(
    (side) => Number.isInteger(side) && side > 0 && side < 65_536,
  )
  return isSensible ? { width, height } : {}
}
