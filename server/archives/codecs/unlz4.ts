/** Decompresses LZ4 frames block by block (format description 1.6.4). */

import type { Bytes } from '../member.ts'
import { ByteReader } from '../streams/byte-reader.ts'

const MAGIC = 0x184d2204
const SKIPPED_MAGIC = 0x184d2a50
const HISTORY_BYTES = 64 * 1024
const BLOCK_BYTES_MAX = 4 * 1024 * 1024

/** @throws Error for an invalid or damaged stream */
export async function* unlz4(bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  const reader = new ByteReader(bytes)
  try {
    for (let magic = await reader.readExactly(4); magic; magic = await reader.readExactly(4)) {
      const number = numberOf(magic)
      if ((number & 0xfffffff0) >>> 0 === SKIPPED_MAGIC) {
        for await (const _ of reader.parts(numberOf(await reader.readRequired(4))));
      } else if (number === MAGIC) yield* frame(reader)
      else throw new Error('This is no LZ4 frame.')
    }
  } finally {
    await reader.end()
  }
}

async function* frame(reader: ByteReader): AsyncGenerator<Uint8Array, void> {
  const [flags = 0] = await reader.readRequired(2)
  if (flags >> 6 !== 1) throw new Error('This version of LZ4 is not known.')
  const [isIndependent, hasBlockSum, hasSize, hasSum, hasDictionary] = [32, 16, 8, 4, 1].map(
    (bit) => (flags & bit) !== 0,
  )
  if (hasDictionary) throw new Error('This LZ4 frame needs a dictionary.')
  await reader.readRequired((hasSize ? 8 : 0) + 1)
  let history: Uint8Array = new Uint8Array()
  for (;;) {
    const size = numberOf(await reader.readRequired(4))
    if (size === 0) break
    const length = size & 0x7fffffff
    if (length > BLOCK_BYTES_MAX) throw new Error('This LZ4 block is too large.')
    const block = await reader.readRequired(length)
    if (hasBlockSum) await reader.readRequired(4)
    const content = size >>> 31 === 1 ? block : decompressBlock(block, history)
    if (!isIndependent) history = Buffer.concat([history, content]).subarray(-HISTORY_BYTES)
    yield content
  }
  // The checksum is not verified: a tar has lengths, and checksums of its headers.
  if (hasSum) await reader.readRequired(4)
}

/** Decompresses a block: literals and copies of earlier output, alternately. */
function decompressBlock(block: Uint8Array, history: Uint8Array): Uint8Array {
  const output = new Uint8Array(history.length + BLOCK_BYTES_MAX)
  output.set(history)
  let [offset, filled] = [0, history.length]
  const next = () => {
    const byte = block[offset]
    if (byte === undefined) throw new Error('This LZ4 block is damaged.')
    offset += 1
    return byte
  }
  // A length of 15 is continued in the next bytes.
  const lengthFrom = (nibble: number) => {
    let length = nibble
    if (nibble < 15) return length
    for (let more = 255; more === 255; length += more) more = next()
    return length
  }
  while (offset < block.length) {
    const token = next()
    const literals = lengthFrom(token >> 4)
    if (offset + literals > block.length || filled + literals > output.length)
      throw new Error('LZ4')
    output.set(block.subarray(offset, offset + literals), filled)
    ;[offset, filled] = [offset + literals, filled + literals]
    if (offset === block.length) break
    const distance = next() | (next() << 8)
    const length = lengthFrom(token & 15) + 4
    if (distance === 0 || distance > filled || filled + length > output.length)
      throw new Error('LZ4')
    for (let end = filled + length; filled < end; filled += 1) {
      output[filled] = output[filled - distance] ?? 0
    }
  }
  return output.slice(history.length, filled)
}

function numberOf(bytes: Uint8Array): number {
  return Buffer.from(bytes).readUInt32LE(0)
}
