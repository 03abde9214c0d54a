/**
 * Finds the JPEG that a camera has stored in its raw file, as it is shown on the camera's display. The containers are like
 * TIFF 6.0 (DNG, CR2, NEF, ARW, PEF, ORF, RW2), have a header of their own (RAF), or have boxes (CR3). The data is untrusted: every offset
 * is checked, and the numbers of directories, fields and reads are limited.
 */
import { extensionOf } from '#wire/paths.ts'
import type { FileByteReader } from './byte-reader.ts'
import { readCr3 } from './cr3.ts'

const RAW = /^\.(?:dng|cr2|cr3|nef|nrw|arw|srf|sr2|raf|rw2|orf|pef|srw)$/i

const DIRECTORIES_MAX = 24
const FIELDS_MAX = 512
/** Values of one field: a picture in more parts is not a preview. */
const VALUES_MAX = 16
const CANDIDATES_MAX = 8
const JPEG_MAX_BYTES = 64 * 2 ** 20

const TAG = {
  jpegFromRaw: 0x2e,
  previewStart: 0x101,
  previewLength: 0x102,
  stripOffsets: 0x111,
  orientation: 0x112,
  stripLengths: 0x117,
  subDirectories: 0x14a,
  jpegStart: 0x201,
  jpegLength: 0x202,
  olympusSettings: 0x2020,
  exif: 0x8769,
  makerNote: 0x927c,
} as const

/** Size of one value by its type number; 13 is the offset of a directory. */
const SIZES: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 13: 4 }

/** Where the JPEG is in the file, and how the camera was held: an orientation of Exif. */
export interface RawPicture {
  start: number
  sizeBytes: number
  orientation: number
}

/** Whether the name is that of a camera's raw file. */
export function isRawName(name: string): boolean {
  return RAW.test(extensionOf(name))
}

/** @returns the largest JPEG in a raw file; undefined if it has none that can be found */
export async function findRawPicture(file: FileByteReader): Promise<RawPicture | undefined> {
  const head = await file.at(0, Math.min(96, file.sizeBytes))
  if (!head || head.byteLength < 16) return undefined
  const finder = new Finder(file)
  const cr3 = await readCr3(file)
  if (cr3) {
    for (const { start, sizeBytes } of cr3.pictures) finder.add(start, sizeBytes)
    const main = cr3.blocks.CMT1
    const order = main && (await file.at(main.start, 8))
    const littleEndian = order !== undefined && text(order, 0, 2) === 'II'
    const at = order?.getUint32(4, littleEndian)
    if (main && at) await finder.visit({ at, base: main.start, littleEndian })
  } else if (text(head, 0, 15) === 'FUJIFILMCCD-RAW') {
    if (head.byteLength >= 92) finder.add(head.getUint32(84), head.getUint32(88))
  } else {
    const order = text(head, 0, 2)
    if (order !== 'II' && order !== 'MM') return undefined
    const littleEndian = order === 'II'
    await finder.visit({ at: head.getUint32(4, littleEndian), base: 0, littleEndian })
  }
  return finder.largest()
}

interface Directory {
  at: number
  /** What the offsets in it count from. */
  base: number
  littleEndian: boolean
}

interface Field {
  type: number
  count: number
  /** The offset of its values in the file. */
  at: number
}

class Finder {
  readonly #file: FileByteReader
  readonly #seen = new Set<number>()
  readonly #candidates: { start: number; sizeBytes: number }[] = []
  #orientation = 1

  constructor(file: FileByteReader) {
    this.#file = file
  }

  add(start: number, sizeBytes: number): void {
    const isInFile = start > 0 && sizeBytes > 0 && start + sizeBytes <= this.#file.sizeBytes
    if (isInFile && sizeBytes <= JPEG_MAX_BYTES) this.#candidates.push({ start, sizeBytes })
  }

  /** Visits a directory, those that follow it, and those inside. */
  async visit(first: Directory): Promise<void> {
    const { base, littleEndian } = first
    for (let at = first.at; at > 0; ) {
      if (this.#seen.has(base + at) || this.#seen.size >= DIRECTORIES_MAX) return
      this.#seen.add(base + at)
      const fields = await this.#fieldsOf({ at, base, littleEndian })
      if (!fields) return
      await this.#readFields(fields, { at, base, littleEndian })
      const end = base + at + 2 + fields.count * 12
      at = (await this.#file.at(end, 4))?.getUint32(0, littleEndian) ?? 0
    }
  }

  /** @returns the largest candidate that is a JPEG that browsers could show, and not the raw data in lossless JPEG */
  async largest(): Promise<RawPicture | undefined> {
    const bySize = this.#candidates.toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    for (const candidate of bySize.slice(0, CANDIDATES_MAX)) {
      const head = await this.#file.from(candidate.start)
      if (head && isShownJpeg(head)) return { ...candidate, orientation: this.#orientation }
    }
    return undefined
  }

  async #fieldsOf({ at, base, littleEndian }: Directory) {
    const count = (await this.#file.at(base + at, 2))?.getUint16(0, littleEndian)
    if (count === undefined || count > FIELDS_MAX) return undefined
    const rows = count > 0 ? await this.#file.at(base + at + 2, count * 12) : undefined
    if (!rows) return undefined
    const fields = new Map<number, Field>()
    for (let row = 0; row < rows.byteLength; row += 12) {
      const type = rows.getUint16(row + 2, littleEndian)
      const values = rows.getUint32(row + 4, littleEndian)
      const isInside = (SIZES[type] ?? 4) * values <= 4
      const offset = isInside ? at + 2 + row + 8 : rows.getUint32(row + 8, littleEndian)
      fields.set(rows.getUint16(row, littleEndian), { type, count: values, at: base + offset })
    }
    return { count, fields }
  }

  async #readFields(
    { fields }: { fields: ReadonlyMap<number, Field> },
    { base, littleEndian }: Directory,
  ): Promise<void> {
    const numbers = (tag: number) => this.#numbers(fields.get(tag), littleEndian)
    const [orientation] = await numbers(TAG.orientation)
    // The first directory describes the whole file.
    if (this.#seen.size === 1 && orientation !== undefined) this.#orientation = orientation
    const inside = fields.get(TAG.jpegFromRaw)
    if (inside?.type === 7) this.add(inside.at, inside.count)
    for (const [start, length] of [
      [TAG.jpegStart, TAG.jpegLength],
      [TAG.stripOffsets, TAG.stripLengths],
      [TAG.previewStart, TAG.previewLength],
    ] as const) {
      const starts = await numbers(start)
      const [sizeBytes] = await numbers(length)
      const [at] = starts
      if (starts.length === 1 && at !== undefined && sizeBytes !== undefined) {
        this.add(base + at, sizeBytes)
      }
    }
    for (const at of [...(await numbers(TAG.subDirectories)), ...(await numbers(TAG.exif))]) {
      await this.visit({ at, base, littleEndian })
    }
    const [settings] = base > 0 ? await numbers(TAG.olympusSettings) : []
    if (settings !== undefined) await this.visit({ at: settings, base, littleEndian })
    const note = fields.get(TAG.makerNote)
    if (note) await this.#visitOlympus(note.at)
  }

  /** The notes of Olympus and OM System have an order of bytes of their own, and offsets from their begin. */
  async #visitOlympus(base: number): Promise<void> {
    const head = await this.#file.at(base, 16)
    if (!head) return
    const at = text(head, 0, 8) === 'OLYMPUS\0' ? 12 : text(head, 0, 9) === 'OM SYSTEM' ? 16 : 0
    const order = text(head, at - 4, 2)
    if (at > 0) await this.visit({ at, base, littleEndian: order !== 'MM' })
  }

  async #numbers(field: Field | undefined, littleEndian: boolean): Promise<number[]> {
    const size = field?.type === 3 ? 2 : 4
    if (!field || ![3, 4, 13].includes(field.type) || field.count > VALUES_MAX) return []
    const values = await this.#file.at(field.at, field.count * size)
    if (!values) return []
    return Array.from({ length: field.count }, (_, index) =>
      size === 2
        ? values.getUint16(index * 2, littleEndian)
        : values.getUint32(index * 4, littleEndian),
    )
  }
}

/** Whether it is a baseline or progressive JPEG: its frame comes after some other segments. */
function isShownJpeg(head: DataView): boolean {
  if (head.byteLength < 4 || head.getUint16(0) !== 0xffd8) return false
  for (let at = 2; at + 4 <= head.byteLength; at += 2 + head.getUint16(at + 2)) {
    const marker = head.getUint16(at)
    if (marker >= 0xffc0 && marker <= 0xffc2) return true
    const isOther = marker < 0xffc4 || marker > 0xfffe || marker === 0xffda
    if (isOther || (marker > 0xffc4 && marker < 0xffd0 && marker !== 0xffcc)) return false
  }
  // Its metadata is longer than what was read, as it is for previews of full size.
  return head.getUint8(2) === 0xff
}

function text(view: DataView, offset: number, length: number): string {
  if (offset < 0 || offset + length > view.byteLength) return ''
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length))
}
