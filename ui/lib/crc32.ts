/** CRC-32 as in ZIP and PNG (ISO 3309): of bytes that come in parts. Browsers compute no checksum of parts. */

const POLYNOMIAL = 0xedb88320

/** Key: a byte; value: what it changes in the sum. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1
  return sum
})

/** @param before the sum of the bytes before these */
export function crc32(bytes: Uint8Array, before = 0): number {
  let sum = ~before
  for (const byte of bytes) sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 0xff] ?? 0)
  return ~sum >>> 0
}
