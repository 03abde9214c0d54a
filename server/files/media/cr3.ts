/**
 * Reads the raw files of newer Canon cameras: boxes of the ISO base media file format. They contain JPEG pictures (the
 * thumbnail in `THMB`, a smaller one in `PRVW`, one of full size as the only sample of a track), and the metadata as TIFF
 * blocks: `CMT1` with the main directory, `CMT2` with that of Exif, `CMT4` with the position.
 */
import { type BoxHead, boxes } from './boxes.ts'
import { type FileByteReader, fourLetters } from './byte-reader.ts'

/** Where some bytes are in the file. */
export interface FilePart {
  start: number
  sizeBytes: number
}

export interface Cr3 {
  /** What may be a JPEG: tracks have raw data, too. */
  pictures: FilePart[]
  /** The TIFF blocks by the names of their boxes. */
  blocks: Partial<Record<(typeof BLOCKS)[number], FilePart>>
}

const BLOCKS = ['CMT1', 'CMT2', 'CMT4'] as const

/** The offsets of the JPEG and of its length in the content of a box. */
const JPEGS: Record<string, { length: number; start: number }> = {
  THMB: { length: 8, start: 16 },
  PRVW: { length: 12, start: 16 },
}
/** An extended type is 16 bytes long; before the preview, its content has 8 bytes more. */
const UUID_BYTES = 16
const PREVIEW_HEAD_BYTES = 8
/** The path from a track to its samples. */
const TO_SAMPLES: readonly string[] = ['mdia', 'minf', 'stbl']

/** @returns undefined for other files */
export async function readCr3(file: FileByteReader): Promise<Cr3 | undefined> {
  const head = await file.at(0, Math.min(16, file.sizeBytes))
  if (!head || fourLetters(head, 4) !== 'ftyp' || fourLetters(head, 8) !== 'crx ') return undefined
  const found: Cr3 = { pictures: [], blocks: {} }
  for await (const box of boxes(file, 0, file.sizeBytes)) {
    if (box.type === 'moov') await readMovie(file, box, found)
    const inside = { ...box, start: box.start + UUID_BYTES + PREVIEW_HEAD_BYTES }
    if (box.type === 'uuid') await readCanon(file, inside, found)
  }
  return found
}

async function readMovie(file: FileByteReader, movie: BoxHead, found: Cr3): Promise<void> {
  for await (const box of boxes(file, movie.start, movie.end)) {
    if (box.type === 'uuid') await readCanon(file, { ...box, start: box.start + UUID_BYTES }, found)
    if (box.type === 'trak') {
      const sample = await sampleOf(file, box)
      if (sample) found.pictures.push(sample)
    }
  }
}

/** Reads the boxes of Canon in a box of an extended type. */
async function readCanon(file: FileByteReader, outer: BoxHead, found: Cr3): Promise<void> {
  for await (const { type, start, end } of boxes(file, outer.start, outer.end)) {
    const block = BLOCKS.find((name) => name === type)
    if (block) found.blocks[block] = { start, sizeBytes: end - start }
    const at = JPEGS[type]
    const sizeBytes = at && (await file.at(start + at.length, 4))?.getUint32(0)
    if (at && sizeBytes !== undefined) found.pictures.push({ start: start + at.start, sizeBytes })
  }
}

/** @returns the first sample of a track, which in these files is its only one */
async function sampleOf(file: FileByteReader, outer: BoxHead): Promise<FilePart | undefined> {
  let [start, sizeBytes]: (number | undefined)[] = []
  for await (const box of boxes(file, outer.start, outer.end)) {
    if (TO_SAMPLES.includes(box.type)) return sampleOf(file, box)
    const view = await file.at(box.start, Math.min(16, box.end - box.start))
    if (!view || view.byteLength < 12) continue
    if (box.type === 'stsz') sizeBytes = view.getUint32(4)
    if (box.type === 'co64' && view.byteLength === 16) start = Number(view.getBigUint64(8))
    if (box.type === 'stco') start = view.getUint32(8)
  }
  return start === undefined || sizeBytes === undefined ? undefined : { start, sizeBytes }
}
