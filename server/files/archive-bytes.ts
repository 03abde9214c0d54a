/** Functions that the zip and tar writers share. */
import type { Bytes } from '#server/extract/member.ts'

const CHUNK_BYTES = 256 * 1024

/** Combines small pieces into chunks, because sending many small pieces is slower. */
export async function* inChunks(parts: Bytes): Bytes {
  let pieces: Uint8Array[] = []
  let bytes = 0
  for await (const part of parts) {
    if (part.length === 0) continue
    pieces.push(part)
    bytes += part.length
    if (bytes < CHUNK_BYTES) continue
    yield joined(pieces)
    pieces = []
    bytes = 0
  }
  if (bytes > 0) yield joined(pieces)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return only && parts.length === 1 ? only : Buffer.concat(parts)
}

/** Puts `./` before a leading drive letter, so that Windows reads it as a name. */
export function withoutDrive(name: string): string {
  return /^\w:/.test(name) ? `./${name}` : name
}
