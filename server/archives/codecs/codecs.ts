/** The codecs of archives: each compresses a stream. */
import { availableParallelism } from 'node:os'
import { pipeline, type Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { Bytes } from '../member.ts'
import { CodecWorkers } from './codec-workers.ts'

/**
 * Compresses a stream on demand. It throws the errors of its source, and ends the source if it is ended early. A codec
 * that has threads ends them when `stop` aborts. The others need no signal, because a block takes them milliseconds.
 */
export type Codec = (bytes: Bytes, stop: AbortSignal) => Bytes

/** The maximum is 11. 5 compresses as well as gzip's maximum, at the speed of gzip's default. */
const BROTLI_QUALITY = 5

/** `-9` works on 900 000 bytes; the run-length pass may enlarge the input a little. */
const BZIP2_BLOCK_BYTES = 890_000
/** Larger blocks would compress better but delay the first byte. */
const XZ_BLOCK_BYTES = 4 * 1024 * 1024
const LZ4_BLOCK_BYTES = 1024 * 1024

// gzip, Brotli and Zstandard by `node:zlib`, which compresses in threads of the runtime.

export const gzip: Codec = (bytes) => through(bytes, createGzip())

export const brotli: Codec = (bytes) =>
  through(
    bytes,
    createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  )

/** With a checksum, so that a reader detects a damaged archive, as with gzip. */
export const zstd: Codec = (bytes) =>
  through(bytes, createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }))

/** An independent stream for each block. */
export const bzip2: Codec = async function* (bytes, stop) {
  await using workers = new CodecWorkers('bzip2', stop)
  yield* inBlocks(bytes, BZIP2_BLOCK_BYTES, (block) => workers.compress(block))
}

/** An independent stream for each block. */
export const xz: Codec = async function* (bytes, stop) {
  await using workers = new CodecWorkers('xz', stop)
  yield* inBlocks(bytes, XZ_BLOCK_BYTES, (block) => workers.compress(block))
}

/** An independent frame for each block; frames may be concatenated. */
export const lz4: Codec = async function* (bytes) {
  const { compressFrame } = await import('lz4-napi')
  yield* inBlocks(bytes, LZ4_BLOCK_BYTES, (block) =>
    compressFrame(block, { contentChecksum: true }),
  )
}

/** Snappy's framing format: chunks of at most 64 KiB, each with its own checksum. */
export const snappy: Codec = async function* (bytes) {
  const { Compressor } = await import('snappy')
  const compressor = new Compressor()
  for await (const chunk of bytes) {
    const framed = compressor.update(chunk)
    if (framed.length > 0) yield framed
  }
  yield await compressor.finish()
}

async function* through(bytes: Bytes, transform: Transform): Bytes {
  // Created here and not by `pipeline`, so that `finally` can wait for its cleanup.
  const source = bytes[Symbol.asyncIterator]()
  try {
    // The reader of the transform gets the errors, so the callback ignores them.
    yield* pipeline({ [Symbol.asyncIterator]: () => source }, transform, () => undefined)
  } finally {
    await source.return?.()
  }
}

/** Blocks of one stream that are compressed in parallel. */
const BLOCKS_AT_ONCE = Math.min(4, availableParallelism())

/**
 * Splits a stream into blocks and compresses several in parallel; the results keep their order. For formats whose
 * files can be concatenated.
 */
async function* inBlocks(
  bytes: Bytes,
  blockBytes: number,
  compress: (block: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>,
): Bytes {
  const compressing: Promise<Uint8Array>[] = []
  for await (const block of blocksOf(bytes, blockBytes)) {
    const work = compress(block)
    // The loop below reports a failure; this only avoids an unhandled rejection if the stream ends early.
    work.catch(() => undefined)
    compressing.push(work)
    const oldest = compressing.length === BLOCKS_AT_ONCE ? compressing.shift() : undefined
    if (oldest) yield await oldest
  }
  for (const work of compressing) yield await work
}

/** Splits a stream into blocks of one size; only the last may be smaller. */
async function* blocksOf(
  bytes: Bytes,
  blockBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = new Uint8Array(blockBytes)
  let filled = 0
  for await (const chunk of bytes) {
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + blockBytes - filled)
      block.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled < blockBytes) continue
      yield block
      block = new Uint8Array(blockBytes)
      filled = 0
    }
  }
  if (filled > 0) yield block.slice(0, filled)
}
