/**
 * Refuses an xz file that needs more memory than allowed, because the decoder allocates as much as a block
 * requests. Only the headers are parsed (.xz file format 1.2.1).
 */
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { archiveTooLarge, type Bytes, damagedArchive } from '../member.ts'
import { ByteReader } from '../streams/byte-reader.ts'

const STREAM_HEADER_BYTES = 12
const FOOTER_BYTES = 12
const MAGIC = 0xfd
/** Size of each check type by its number in the stream header. */
const CHECK_BYTES = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]
const LZMA2 = 0x21
/** The number of the format's largest dictionary, 4 GiB. */
const DICTIONARY_MAX = 40

/** @throws Fault tooLarge (a block needs too much memory), unprocessable (damaged) */
export async function* limitXzMemory(bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  const reader = new ByteReader(bytes)
  try {
    for (let first = await reader.readExactly(1); first; first = await reader.readExactly(1)) {
      yield first
      // Streams may be padded with zeros.
      if (first[0] !== MAGIC) {
        if (first[0] !== 0) throw damagedArchive()
        continue
      }
      yield* stream(reader)
    }
  } finally {
    await reader.end()
  }
}

/** Yields one stream after its first byte. */
async function* stream(reader: ByteReader): AsyncGenerator<Uint8Array, void> {
  const header = await reader.readRequired(STREAM_HEADER_BYTES - 1)
  yield header
  const checkBytes = CHECK_BYTES[(header[6] ?? 0) & 15] ?? 0
  for (;;) {
    const size = await reader.readRequired(1)
    yield size
    if (size[0] === 0) return yield* index(reader)
    const blockHeader = await reader.readRequired((size[0] ?? 0) * 4 + 3)
    requireDictionaryFits(blockHeader)
    yield blockHeader
    let packed = 0
    for await (const part of chunks(reader)) {
      packed += part.length
      yield part
    }
    const end = padding(packed) + checkBytes
    if (end > 0) yield await reader.readRequired(end)
  }
}

/** Yields the chunks of one block, up to its end marker. */
async function* chunks(reader: ByteReader): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const control = await reader.readRequired(1)
    yield control
    const kind = control[0] ?? 0
    if (kind === 0) return
    if (kind > 2 && kind < 0x80) throw damagedArchive()
    const sizes = await reader.readRequired(kind < 0x80 ? 2 : 4)
    yield sizes
    const [high = 0, low = 0] = sizes.subarray(-2)
    // New properties add one byte.
    yield* reader.parts(high * 256 + low + 1 + (kind >= 0xc0 ? 1 : 0))
  }
}

/** Yields the index, which starts with a zero, and the stream footer. */
async function* index(reader: ByteReader): AsyncGenerator<Uint8Array, void> {
  let readBytes = 1
  const count = { value: 0 }
  for await (const part of number(reader, count)) {
    readBytes += part.length
    yield part
  }
  for (let numbers = count.value * 2; numbers > 0; numbers -= 1) {
    for await (const part of number(reader, { value: 0 })) {
      readBytes += part.length
      yield part
    }
  }
  yield await reader.readRequired(padding(readBytes) + 4 + FOOTER_BYTES)
}

/** Yields the bytes of a number and sets `into.value`: seven bits in each byte, the lowest first. */
async function* number(
  reader: ByteReader,
  into: { value: number },
): AsyncGenerator<Uint8Array, void> {
  for (let scale = 1; ; scale *= 128) {
    const byte = await reader.readRequired(1)
    yield byte
    const bits = byte[0] ?? 0
    into.value += (bits & 0x7f) * scale
    if (!Number.isSafeInteger(into.value)) throw damagedArchive()
    if (bits < 0x80) return
  }
}

/**
 * @param header of a block, without its size byte
 * @throws Fault tooLarge (the block needs too much memory), unprocessable (damaged, or an unknown filter)
 */
function requireDictionaryFits(header: Uint8Array): void {
  const flags = header[0] ?? 0
  let offset = 1
  const next = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = header[offset]
      if (byte === undefined || !Number.isSafeInteger(value)) throw damagedArchive()
      offset += 1
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }
  if ((flags & 0x40) !== 0) next()
  if ((flags & 0x80) !== 0) next()
  let isKnown = false
  for (let filters = (flags & 3) + 1; filters > 0; filters -= 1) {
    const id = next()
    const length = next()
    isKnown = id === LZMA2
    if (isKnown && dictionaryBytes(header[offset] ?? 255) > SERVER_LIMITS.extractWindowMaxBytes) {
      throw archiveTooLarge('it needs too much memory')
    }
    offset += length
  }
  if (!isKnown) throw damagedArchive()
}

/** @returns the size of a dictionary from its byte in the filter properties */
function dictionaryBytes(byte: number): number {
  if (byte > DICTIONARY_MAX) throw damagedArchive()
  return (2 | (byte & 1)) * 2 ** (Math.floor(byte / 2) + 11)
}

function padding(count: number): number {
  return (4 - (count % 4)) % 4
}
