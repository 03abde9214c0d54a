/** Sparse files in a tar of GNU: the archive has their data and a list of where it belongs; the rest are zeros. */

import { type Bytes, damagedArchive } from '../member.ts'
import { ByteReader } from '../streams/byte-reader.ts'

const BLOCK = 512
/** Each piece of data takes a block in the archive, so a file with more is implausible. */
const PIECES_MAX = 1_000_000
const ZEROS_BYTES = 64 * 1024

/** Data of a sparse file, at an offset of it. */
export interface DataPiece {
  offset: number
  bytes: number
}

export interface SparseMap {
  sizeBytes: number
  /** Undefined if the list is in front of the data. */
  pieces: readonly DataPiece[] | undefined
}

/** @throws Fault unprocessable if the list does not fit the size */
export function requirePlausible({ sizeBytes, pieces = [] }: SparseMap): void {
  let end = 0
  for (const { offset, bytes } of pieces) {
    if (offset < end || bytes < 0) throw damagedArchive()
    end = offset + bytes
  }
  if (!(end <= sizeBytes) || !Number.isSafeInteger(sizeBytes)) throw damagedArchive()
}

/**
 * @param stored the data in the archive
 * @throws Fault unprocessable
 */
export async function* withHoles(stored: Bytes, map: SparseMap): Bytes {
  const reader = new ByteReader(stored)
  try {
    const pieces = map.pieces ?? (await readPieces(reader))
    requirePlausible({ ...map, pieces })
    let position = 0
    for (const { offset, bytes } of pieces) {
      yield* zeros(offset - position)
      yield* reader.parts(bytes)
      position = offset + bytes
    }
    yield* zeros(map.sizeBytes - position)
  } finally {
    await reader.end()
  }
}

function* zeros(count: number): Generator<Uint8Array> {
  for (let rest = count; rest > 0; rest -= ZEROS_BYTES) {
    yield new Uint8Array(Math.min(rest, ZEROS_BYTES))
  }
}

/** The list in front of the data (GNU format 1.0): numbers in lines, up to the end of a block. */
async function readPieces(reader: ByteReader): Promise<DataPiece[]> {
  let count = 0
  const number = async () => {
    let digits = ''
    for (;;) {
      const [byte = 0] = await reader.readRequired(1)
      count += 1
      if (byte === 0x0a) break
      digits += String.fromCharCode(byte)
      if (!/^\d{1,16}$/.test(digits)) throw damagedArchive()
    }
    return Number(digits)
  }
  const length = await number()
  if (length > PIECES_MAX) throw damagedArchive()
  const pieces: DataPiece[] = []
  while (pieces.length < length) pieces.push({ offset: await number(), bytes: await number() })
  await reader.skip((BLOCK - (count % BLOCK)) % BLOCK)
  return pieces
}

/**
 * Reads the list in a header of the type `S` and in the blocks after it.
 *
 * @param numberAt reads a number of a block
 * @throws Fault unprocessable
 */
export async function piecesOfHeader(
  header: Uint8Array,
  reader: ByteReader,
  numberAt: (block: Uint8Array, start: number) => number,
): Promise<DataPiece[]> {
  const pieces: DataPiece[] = []
  const add = (block: Uint8Array, start: number, count: number) => {
    for (let index = 0; index < count; index += 1) {
      const at = start + index * PIECE_BYTES
      const piece = { offset: numberAt(block, at), bytes: numberAt(block, at + PIECE_BYTES / 2) }
      if (piece.bytes > 0) pieces.push(piece)
    }
    if (pieces.length > PIECES_MAX) throw damagedArchive()
  }
  add(header, IN_HEADER.start, IN_HEADER.count)
  for (let hasMore = header[IN_HEADER.more]; hasMore; ) {
    const block = await reader.readRequired(BLOCK)
    add(block, 0, IN_BLOCK.count)
    hasMore = block[IN_BLOCK.more]
  }
  return pieces
}

/** Two numbers of twelve bytes. */
const PIECE_BYTES = 24
/** Where the pieces are, and the byte that says whether a block with more follows. */
const IN_HEADER = { start: 386, count: 4, more: 482 }
const IN_BLOCK = { count: 21, more: 504 }

/** @returns the pieces of a list of numbers, as in the record `GNU.sparse.map` */
export function piecesOfNumbers(numbers: readonly number[]): DataPiece[] {
  if (numbers.length % 2 !== 0 || numbers.some((number) => !Number.isSafeInteger(number)))
    throw damagedArchive()
  return Array.from({ length: numbers.length / 2 }, (_, index) => ({
    offset: numbers[2 * index] ?? 0,
    bytes: numbers[2 * index + 1] ?? 0,
  }))
}
