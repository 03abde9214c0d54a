/** Functions that the zip and tar writers share. */
import type { Bytes } from '../member.ts'

const CHUNK_BYTES = 256 * 1024
/**
 * A piece that does not follow the collected ones in memory can only be added by copying all of them. If they have at
 * least this size, they are sent without it.
 */
const ALONE_BYTES = 64 * 1024

/**
 * Combines small pieces into chunks, because sending many small pieces is slower. Pieces that follow each other in
 * memory are not copied.
 */
export async function* inChunks(parts: Bytes): Bytes {
  let pieces: Uint8Array[] = []
  let bytes = 0
  for await (const part of parts) {
    if (part.length === 0) continue
    if (bytes >= ALONE_BYTES && !follows(pieces.at(-1), part)) {
      yield joined(pieces)
      pieces = []
      bytes = 0
    }
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
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return new Uint8Array()
  const isContiguous = parts.every((part, index) => index === 0 || follows(parts[index - 1], part))
  if (!isContiguous) return Buffer.concat(parts)
  return new Uint8Array(
    first.buffer,
    first.byteOffset,
    last.byteOffset + last.length - first.byteOffset,
  )
}

/** Whether a piece follows another in memory. */
function follows(before: Uint8Array | undefined, part: Uint8Array): boolean {
  return before?.buffer === part.buffer && before.byteOffset + before.length === part.byteOffset
}

/** Puts `./` before a leading drive letter, so that Windows reads it as a name. */
export function withoutDrive(name: string): string {
  return /^\w:/.test(name) ? `./${name}` : name
}
