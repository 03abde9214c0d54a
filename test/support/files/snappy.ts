/** A reader of Snappy's framing format, from its specification (framing_format.txt). */
import { uncompressSync } from 'snappy'

const STREAM_IDENTIFIER = Buffer.from('\xff\x06\x00\x00sNaPpY', 'latin1')
const COMPRESSED = 0x00
const UNCOMPRESSED = 0x01
const CHUNK_MAX_BYTES = 65_536

/** @throws Error for anything that the specification does not allow */
export function unsnap(framed: Uint8Array): Uint8Array {
  const source = Buffer.from(framed)
  if (!source.subarray(0, 10).equals(STREAM_IDENTIFIER)) throw new Error('no stream identifier')
  const parts: Buffer[] = []
  for (let at = 10; at < source.length; ) {
    const kind = source.readUInt8(at)
    const end = at + 4 + source.readUIntLE(at + 1, 3)
    if (end > source.length) throw new Error('a chunk is cut off')
    if (kind !== COMPRESSED && kind !== UNCOMPRESSED) throw new Error(`a chunk of kind ${kind}`)
    const data = source.subarray(at + 8, end)
    const plain = kind === COMPRESSED ? Buffer.from(uncompressSync(data)) : data
    if (plain.length > CHUNK_MAX_BYTES) throw new Error('a chunk is too large')
    if (source.readUInt32LE(at + 4) !== masked(crc32c(plain))) throw new Error('a wrong checksum')
    parts.push(plain)
    at = end
  }
  return Buffer.concat(parts)
}

/** Section 3: a checksum of data that contains its own checksum would be weak. */
function masked(checksum: number): number {
  return (((checksum >>> 15) | (checksum << 17)) + 0xa282ead8) >>> 0
}

const CASTAGNOLI = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1
  return rest >>> 0
})

function crc32c(data: Uint8Array): number {
  let checksum = 0xffffffff
  for (const byte of data) {
    checksum = (CASTAGNOLI[(checksum ^ byte) & 0xff] ?? 0) ^ (checksum >>> 8)
  }
  return (checksum ^ 0xffffffff) >>> 0
}
