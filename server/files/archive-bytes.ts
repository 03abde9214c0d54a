/** What a zip and a tar have in common on their way out. */
import type { Bytes } from './codec.ts'

const CHUNK_BYTES = 256 * 1024

/** The same bytes in fewer pieces: what is sent one by one costs more than to put it together. */
export async function* inChunks(parts: Bytes): Bytes {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const part of parts) {
    if (part.length === 0) continue
    held.push(part)
    bytes += part.length
    if (bytes < CHUNK_BYTES) continue
    yield joined(held)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield joined(held)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return only && parts.length === 1 ? only : Buffer.concat(parts)
}

/** Windows takes one letter and a colon at the front for a drive. */
export function withoutDrive(name: string): string {
  return /^\w:/.test(name) ? `./${name}` : name
}
