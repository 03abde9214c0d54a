/** Checksums of files (CRC-32), so that a resumed zip need not read them again. */
import { crc32 } from 'node:zlib'
import type { Node } from '#server/storage/node.ts'

/** The checksum of the first bytes of a file. */
interface StartCrc {
  bytes: number
  crc: number
}

/** Caches the checksums of files, also of those that were read in part. */
export class CrcCache {
  /** Hash of path and version of a file → the checksum of its beginning, or of all of it. */
  readonly #byVersion = new Map<number | bigint, StartCrc>()

  /** The checksum of a whole file. */
  get(node: Node): number | undefined {
    const known = this.#byVersion.get(keyOf(node))
    return known?.bytes === node.sizeBytes ? known.crc : undefined
  }

  /** @param start the checksum of at least as many bytes as before */
  set(node: Node, start: StartCrc): void {
    const key = keyOf(node)
    this.#byVersion.delete(key)
    this.#byVersion.set(key, start)
    if (this.#byVersion.size <= CRC_CACHE_MAX) return
    const [oldest] = this.#byVersion.keys()
    if (oldest !== undefined) this.#byVersion.delete(oldest)
  }

  /** Continues the checksum of a file where an earlier reader has stopped. */
  running(node: Node): RunningCrc {
    return new RunningCrc(this, node, this.#byVersion.get(keyOf(node)) ?? { bytes: 0, crc: 0 })
  }
}

/** The most checksums in the cache; they need about 16 MiB. */
export const CRC_CACHE_MAX = 100_000

/** Computes the checksum of a file while parts of it are read in order. */
export class RunningCrc {
  readonly #cache: CrcCache
  readonly #node: Node
  #bytes: number
  #crc: number

  constructor(cache: CrcCache, node: Node, { bytes, crc }: StartCrc) {
    this.#cache = cache
    this.#node = node
    this.#bytes = bytes
    this.#crc = crc
  }

  /** How many bytes from the start of the file need not be read again. */
  get bytes(): number {
    return this.#bytes
  }

  /** The checksum of the whole file; undefined if some bytes are missing. */
  get whole(): number | undefined {
    return this.#bytes === this.#node.sizeBytes ? this.#crc : undefined
  }

  /** @param offset of the part in the file; bytes after a gap are ignored */
  add(part: Uint8Array, offset: number): void {
    const known = this.#bytes - offset
    if (known < 0 || known >= part.length) return
    this.#crc = crc32(known === 0 ? part : part.subarray(known), this.#crc)
    this.#bytes = offset + part.length
  }

  /** Keeps the result for later readers, also an incomplete one. */
  keep(): void {
    if (this.#bytes > 0) this.#cache.set(this.#node, { bytes: this.#bytes, crc: this.#crc })
  }
}

function keyOf({ real, version }: Node): number | bigint {
  return Bun.hash(`${real}\0${version}`)
}
