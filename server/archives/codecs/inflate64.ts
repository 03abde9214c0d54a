/**
 * Decompresses Deflate64, which Windows writes into large zips: as Deflate (RFC 1951), with a window of 64 KiB, longer
 * distances, and one code for lengths up to 65538.
 */

import type { Bytes } from '../member.ts'
import { DamagedStreamError } from './bit-reader.ts'

const WINDOW_BYTES = 0x10000
const CODE_BITS_MAX = 15
/** No symbol with its extra bits needs more than this, together with its distance. */
const STEP_BITS = 64
const OUTPUT_BYTES = 4 * WINDOW_BYTES
const LENGTH_MAX = 0x10002
const END_OF_BLOCK = 256
const LAST_LENGTH_CODE = 285

/** @throws DamagedStreamError */
export async function* inflate64(bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  const bits = new LowBitReader(bytes)
  const output = new Output()
  try {
    for (let isLast = false; !isLast; ) {
      await bits.fill(STEP_BITS)
      isLast = bits.take(1) === 1
      const type = bits.take(2)
      if (type === 0) yield* stored(bits, output)
      else if (type === 1) yield* compressed(bits, output, FIXED_CODES)
      else if (type === 2) yield* compressed(bits, output, await readCodes(bits))
      else throw new DamagedStreamError()
    }
    yield output.rest()
  } finally {
    await bits.end()
  }
}

async function* stored(bits: LowBitReader, output: Output): AsyncGenerator<Uint8Array, void> {
  bits.align()
  await bits.fill(STEP_BITS)
  const length = bits.take(16)
  if (bits.take(16) !== (~length & 0xffff)) throw new DamagedStreamError()
  for (let index = 0; index < length; index += 1) {
    if (output.isFull) yield output.part()
    if (!bits.has(8)) await bits.fill(8)
    output.put(bits.take(8))
  }
}

interface Codes {
  literals: Table
  distances: Table
}

async function* compressed(
  bits: LowBitReader,
  output: Output,
  { literals, distances }: Codes,
): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    if (output.isFull) yield output.part()
    if (!bits.has(STEP_BITS)) await bits.fill(STEP_BITS)
    const symbol = bits.symbol(literals)
    if (symbol < END_OF_BLOCK) {
      output.put(symbol)
      continue
    }
    if (symbol === END_OF_BLOCK) return
    const lengthIndex = symbol - END_OF_BLOCK - 1
    if (symbol > LAST_LENGTH_CODE) throw new DamagedStreamError()
    const length = (LENGTHS[lengthIndex] ?? 0) + bits.take(LENGTH_BITS[lengthIndex] ?? 0)
    const code = bits.symbol(distances)
    const distance = (DISTANCES[code] ?? 0) + bits.take(DISTANCE_BITS[code] ?? 0)
    output.repeat(distance, length)
  }
}

/** The order in which the lengths of the codes for code lengths are stored. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

async function readCodes(bits: LowBitReader): Promise<Codes> {
  await bits.fill(STEP_BITS)
  const literalCount = bits.take(5) + 257
  const distanceCount = bits.take(5) + 1
  const lengthCount = bits.take(4) + 4
  const codeLengths = new Uint8Array(LENGTH_ORDER.length)
  for (const symbol of LENGTH_ORDER.slice(0, lengthCount)) {
    await bits.fill(STEP_BITS)
    codeLengths[symbol] = bits.take(3)
  }
  const table = tableOf(codeLengths)
  const lengths = new Uint8Array(literalCount + distanceCount)
  for (let index = 0; index < lengths.length; ) {
    await bits.fill(STEP_BITS)
    const symbol = bits.symbol(table)
    const before = symbol === 16 ? lengths[index - 1] : 0
    if (before === undefined) throw new DamagedStreamError()
    if (symbol < 16) lengths[index++] = symbol
    else {
      const count =
        symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7)
      if (index + count > lengths.length) throw new DamagedStreamError()
      lengths.fill(before, index, index + count)
      index += count
    }
  }
  return {
    literals: tableOf(lengths.subarray(0, literalCount)),
    distances: tableOf(lengths.subarray(literalCount)),
  }
}

/** The next bits of the stream → a symbol, times 16, and the length of its code; 0 if no code begins so. */
type Table = Uint16Array

/** @throws DamagedStreamError for lengths that are no prefix code */
function tableOf(lengths: Uint8Array): Table {
  const table = new Uint16Array(1 << CODE_BITS_MAX)
  let code = 0
  for (let length = 1; length <= CODE_BITS_MAX; length += 1) {
    for (const [symbol, own] of lengths.entries()) {
      if (own !== length) continue
      if (code >= 1 << length) throw new DamagedStreamError()
      const first = reversed(code, length)
      for (let index = first; index < table.length; index += 1 << length)
        table[index] = symbol * 16 + length
      code += 1
    }
    code *= 2
  }
  return table
}

function reversed(code: number, length: number): number {
  let result = 0
  for (let bit = 0; bit < length; bit += 1) if (code & (1 << bit)) result |= 1 << (length - 1 - bit)
  return result
}

/** The extra bits of each length and distance code, and its smallest value. */
const LENGTH_BITS = [
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5],
  16,
]
const DISTANCE_BITS = Array.from({ length: 32 }, (_, code) => Math.max(0, (code >> 1) - 1))
/** The last length code starts from 3 again. */
const LENGTHS = [...smallestOf(LENGTH_BITS.slice(0, -1), 3), 3]
const DISTANCES = smallestOf(DISTANCE_BITS, 1)

function smallestOf(extraBits: readonly number[], first: number): number[] {
  let next = first
  return extraBits.map((bits) => {
    const smallest = next
    next += 1 << bits
    return smallest
  })
}

const FIXED_CODES: Codes = {
  literals: tableOf(
    Uint8Array.from({ length: 288 }, (_, symbol) =>
      symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
    ),
  ),
  distances: tableOf(new Uint8Array(32).fill(5)),
}

/** The decompressed bytes that were not returned yet, after those that may be repeated. */
class Output {
  readonly #bytes = new Uint8Array(OUTPUT_BYTES + LENGTH_MAX)
  #start = 0
  #end = 0

  get isFull(): boolean {
    return this.#end >= OUTPUT_BYTES
  }

  put(byte: number): void {
    this.#bytes[this.#end] = byte
    this.#end += 1
  }

  /** @throws DamagedStreamError if there are not so many bytes */
  repeat(distance: number, length: number): void {
    if (distance > this.#end || distance > WINDOW_BYTES) throw new DamagedStreamError()
    const bytes = this.#bytes
    for (let count = 0; count < length; count += 1) {
      bytes[this.#end] = bytes[this.#end - distance] ?? 0
      this.#end += 1
    }
  }

  rest(): Uint8Array {
    return this.#bytes.slice(this.#start, this.#end)
  }

  /** Returns the bytes and keeps the window. */
  part(): Uint8Array {
    const part = this.rest()
    this.#bytes.copyWithin(0, this.#end - WINDOW_BYTES, this.#end)
    this.#start = WINDOW_BYTES
    this.#end = WINDOW_BYTES
    return part
  }
}

/** Reads bits, the lowest of each byte first. */
class LowBitReader {
  readonly #source: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()
  #position = 0
  #bits = 0
  #count = 0
  #hasEnded = false

  constructor(bytes: Bytes) {
    this.#source = bytes[Symbol.asyncIterator]()
  }

  has(count: number): boolean {
    return this.#count + (this.#chunk.length - this.#position) * 8 >= count
  }

  /** Makes so many bits available, or all that are left. */
  async fill(count: number): Promise<void> {
    while (!this.#hasEnded && !this.has(count)) {
      const { done, value } = await this.#source.next()
      if (done) this.#hasEnded = true
      else {
        this.#chunk = Buffer.concat([this.#chunk.subarray(this.#position), value])
        this.#position = 0
      }
    }
  }

  /**
   * Takes at most 16 bits.
   *
   * @throws DamagedStreamError at the end of the stream
   */
  take(count: number): number {
    this.#load(count)
    if (this.#count < count) throw new DamagedStreamError()
    const value = this.#bits & ((1 << count) - 1)
    this.#bits >>>= count
    this.#count -= count
    return value
  }

  symbol(table: Table): number {
    this.#load(CODE_BITS_MAX)
    const entry = table[this.#bits & ((1 << CODE_BITS_MAX) - 1)] ?? 0
    const length = entry & 15
    if (length === 0 || length > this.#count) throw new DamagedStreamError()
    this.#bits >>>= length
    this.#count -= length
    return entry >> 4
  }

  /** Skips to the next byte. */
  align(): void {
    this.take(this.#count % 8)
  }

  async end(): Promise<void> {
    await this.#source.return?.()
  }

  #load(count: number): void {
    while (this.#count < count && this.#position < this.#chunk.length) {
      this.#bits |= (this.#chunk[this.#position] ?? 0) << this.#count
      this.#position += 1
      this.#count += 8
    }
  }
}
