/**
 * Decompresses bzip2 block by block, with one block in memory. Several streams may be concatenated (the format of
 * Julian Seward's bzip2 1.0).
 */

import type { Bytes } from '../member.ts'
import { BitReader, DamagedStreamError } from './bit-reader.ts'

const BLOCK_MAGIC = 0x314159265359
const END_MAGIC = 0x177245385090
/** The number of consecutive symbols that use the same table. */
const GROUP = 50
const CODE_BITS_MAX = 20

/** @throws Error for an invalid or damaged stream */
export async function* bunzip2(bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  const bits = new BitReader(bytes)
  try {
    for (let isFirst = true; isFirst || (await bits.hasMore()); isFirst = false) {
      if ((await bits.read(16)) !== 0x425a || (await bits.read(8)) !== 0x68)
        throw new DamagedStreamError()
      const level = (await bits.read(8)) - 0x30
      if (level < 1 || level > 9) throw new DamagedStreamError()
      yield* blocksOf(bits, level * 100_000)
    }
  } finally {
    await bits.end()
  }
}

async function* blocksOf(bits: BitReader, blockBytes: number): AsyncGenerator<Uint8Array, void> {
  for (let combined = 0; ; ) {
    const magic = (await bits.read(24)) * 0x1000000 + (await bits.read(24))
    const sum = (await bits.read(16)) * 0x10000 + (await bits.read(16))
    if (magic === END_MAGIC) {
      if (sum !== combined >>> 0) throw new DamagedStreamError()
      return bits.align()
    }
    if (magic !== BLOCK_MAGIC) throw new DamagedStreamError()
    const { transformed, length, origin } = await readBlock(bits, blockBytes)
    let crc = 0xffffffff
    for (const part of invertTransform(transformed, length, origin)) {
      crc = crcOf(part, crc)
      yield part
    }
    crc = ~crc >>> 0
    if (crc !== sum >>> 0) throw new DamagedStreamError()
    combined = ((combined << 1) | (combined >>> 31)) ^ crc
  }
}

/** Reads one block and undoes the run lengths, the move-to-front coding and the Huffman coding. */
async function readBlock(bits: BitReader, blockBytes: number) {
  // Randomised blocks exist only in versions before 0.9.5.
  if ((await bits.read(1)) !== 0) throw new DamagedStreamError()
  const origin = await bits.read(24)
  const symbols = await usedBytes(bits)
  const groups = await bits.read(3)
  if (groups < 2 || groups > 6 || symbols.length === 0) throw new DamagedStreamError()
  const selectors = await readSelectors(bits, groups)
  const tables: Table[] = []
  for (let group = 0; group < groups; group += 1)
    tables.push(await readTable(bits, symbols.length + 2))
  const transformed = new Uint32Array(blockBytes)
  const endOfBlock = symbols.length + 1
  let [length, run, weight] = [0, 0, 1]
  for (let count = 0; ; count += 1) {
    const table = tables[selectors[Math.floor(count / GROUP)] ?? -1]
    if (!table) throw new DamagedStreamError()
    const symbol = bits.has(CODE_BITS_MAX) ? decode(bits, table) : await decodeSlowly(bits, table)
    if (symbol <= 1) {
      run += weight << symbol
      weight *= 2
      if (run > blockBytes) throw new DamagedStreamError()
      continue
    }
    if (run > 0) {
      if (length + run > blockBytes) throw new DamagedStreamError()
      transformed.fill(symbols[0] ?? 0, length, length + run)
      length += run
      ;[run, weight] = [0, 1]
    }
    if (symbol === endOfBlock) break
    const index = symbol - 1
    const byte = symbols[index]
    if (byte === undefined || length >= blockBytes) throw new DamagedStreamError()
    symbols.copyWithin(1, 0, index)
    symbols[0] = byte
    transformed[length] = byte
    length += 1
  }
  if (origin >= length) throw new DamagedStreamError()
  return { transformed, length, origin }
}

/** Reads which bytes occur in the block, in order. */
async function usedBytes(bits: BitReader): Promise<Uint8Array> {
  const used = await bits.read(16)
  const symbols: number[] = []
  for (let high = 0; high < 16; high += 1) {
    if (((used >> (15 - high)) & 1) === 0) continue
    const low = await bits.read(16)
    for (let bit = 0; bit < 16; bit += 1) if ((low >> (15 - bit)) & 1) symbols.push(high * 16 + bit)
  }
  return Uint8Array.from(symbols)
}

/** Reads the number of the table for each group of symbols. */
async function readSelectors(bits: BitReader, groups: number): Promise<Uint8Array> {
  const count = await bits.read(15)
  const order = Uint8Array.from({ length: groups }, (_, index) => index)
  const selectors = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) {
    let rank = 0
    while ((await bits.read(1)) === 1) {
      rank += 1
      if (rank >= groups) throw new DamagedStreamError()
    }
    const chosen = order[rank] ?? 0
    order.copyWithin(1, 0, rank)
    order[0] = chosen
    selectors[index] = chosen
  }
  return selectors
}

/** Canonical Huffman codes. */
interface Table {
  /** Length in bits → the last code of that length; -1 if there is none. */
  limits: Int32Array
  /** Length in bits → what to subtract from a code to get the index of its symbol. */
  bases: Int32Array
  /** The symbols in the order of their codes. */
  symbols: Uint16Array
  /** The length of the shortest code. */
  shortest: number
}

async function readTable(bits: BitReader, count: number): Promise<Table> {
  const lengths = new Uint8Array(count)
  let length = await bits.read(5)
  for (let symbol = 0; symbol < count; symbol += 1) {
    for (;;) {
      if (length < 1 || length > CODE_BITS_MAX) throw new DamagedStreamError()
      if ((await bits.read(1)) === 0) break
      length += (await bits.read(1)) === 0 ? 1 : -1
    }
    lengths[symbol] = length
  }
  return tableOf(lengths)
}

function tableOf(lengths: Uint8Array): Table {
  const limits = new Int32Array(CODE_BITS_MAX + 1).fill(-1)
  const bases = new Int32Array(CODE_BITS_MAX + 1)
  const symbols: number[] = []
  let [code, shortest] = [0, CODE_BITS_MAX]
  for (let length = 1; length <= CODE_BITS_MAX; length += 1) {
    bases[length] = code - symbols.length
    const before = symbols.length
    for (const [symbol, each] of lengths.entries()) if (each === length) symbols.push(symbol)
    code += symbols.length - before
    if (symbols.length > before) {
      limits[length] = code - 1
      shortest = Math.min(shortest, length)
    }
    code *= 2
  }
  return { limits, bases, symbols: Uint16Array.from(symbols), shortest }
}

/** Decodes a symbol when enough bits for any code are available. */
function decode(bits: BitReader, { limits, bases, symbols, shortest }: Table): number {
  let code = bits.take(shortest)
  for (let length = shortest; length <= CODE_BITS_MAX; length += 1) {
    if (code <= (limits[length] ?? -1)) return symbolAt(symbols, code - (bases[length] ?? 0))
    code = code * 2 + bits.take(1)
  }
  throw new DamagedStreamError()
}

/** Decodes a symbol near the end of the input, bit by bit. */
async function decodeSlowly(bits: BitReader, { limits, bases, symbols }: Table): Promise<number> {
  let code = 0
  for (let length = 1; length <= CODE_BITS_MAX; length += 1) {
    code = code * 2 + (await bits.read(1))
    if (code <= (limits[length] ?? -1)) return symbolAt(symbols, code - (bases[length] ?? 0))
  }
  throw new DamagedStreamError()
}

function symbolAt(symbols: Uint16Array, index: number): number {
  const symbol = symbols[index]
  if (symbol === undefined) throw new DamagedStreamError()
  return symbol
}

const OUTPUT_BYTES = 256 * 1024

/** Inverts the Burrows-Wheeler transform and the first run-length encoding: four equal bytes and a count. */
function* invertTransform(
  block: Uint32Array,
  length: number,
  origin: number,
): Generator<Uint8Array> {
  const starts = new Uint32Array(256)
  for (let index = 0; index < length; index += 1) {
    const byte = (block[index] ?? 0) & 0xff
    starts[byte] = (starts[byte] ?? 0) + 1
  }
  let sum = 0
  for (let byte = 0; byte < 256; byte += 1) {
    const count = starts[byte] ?? 0
    starts[byte] = sum
    sum += count
  }
  for (let index = 0; index < length; index += 1) {
    const byte = (block[index] ?? 0) & 0xff
    const next = starts[byte] ?? 0
    starts[byte] = next + 1
    block[next] = (block[next] ?? 0) | (index << 8)
  }
  let output = new Uint8Array(OUTPUT_BYTES)
  let [filled, position, equal, last] = [0, (block[origin] ?? 0) >>> 8, 0, -1]
  for (let index = 0; index < length; index += 1) {
    const entry = block[position] ?? 0
    const byte = entry & 0xff
    position = entry >>> 8
    const count = equal === 4 ? byte : 1
    const value = equal === 4 ? last : byte
    if (filled + count > OUTPUT_BYTES) {
      yield output.subarray(0, filled)
      output = new Uint8Array(OUTPUT_BYTES)
      filled = 0
    }
    output.fill(value, filled, filled + count)
    filled += count
    if (equal === 4) equal = 0
    else equal = byte === last ? equal + 1 : 1
    last = equal === 0 ? -1 : value
  }
  if (filled > 0) yield output.subarray(0, filled)
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit += 1) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value >>> 0
})

function crcOf(bytes: Uint8Array, before: number): number {
  let crc = before
  for (const byte of bytes) crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)
  return crc
}
