/** How the members of a zip are compressed (APPNOTE.TXT 4.4.5). */
import { createInflateRaw } from 'node:zlib'
import { decompress } from '../codecs/decompress.ts'
import { type Bytes, damagedArchive } from '../member.ts'
import { pipeThrough } from '../streams/through.ts'

/** Method → how its bytes are decompressed. */
const METHODS: Record<number, (packed: Bytes) => Bytes> = {
  0: (packed) => packed,
  8: (packed) => pipeThrough(packed, createInflateRaw()),
  9: (packed) => decompress('deflate64', packed),
  12: (packed) => decompress('bz2', packed),
  93: (packed) => decompress('zst', packed),
  95: (packed) => decompress('xz', packed),
}

/** The names of those that are not read. */
const OTHER_NAMES: Record<number, string> = {
  1: 'Shrink',
  6: 'Implode',
  10: 'PKWARE Implode',
  14: 'LZMA',
  96: 'JPEG',
  97: 'WavPack',
  98: 'PPMd',
}

export function isKnownMethod(method: number): boolean {
  return Object.hasOwn(METHODS, method)
}

/** @throws Fault unprocessable for damaged bytes */
export function unpacked(method: number, packed: Bytes): Bytes {
  const decompressed = METHODS[method]
  if (!decompressed) throw damagedArchive()
  return decompressed(packed)
}

/** Why a member cannot be extracted. */
export function unknownMethod(method: number): string {
  const name = OTHER_NAMES[method] ?? `method ${method}`
  return `It is compressed with ${name}, which is not known here.`
}
