/** Stream compression: the codec interface, and the parallel compression of blocks. */

import { availableParallelism } from 'node:os'
import type { Bytes } from '../member.ts'

/**
 * Compresses a stream on demand. It throws the errors of its source, and ends the source if it is ended early. A codec
 * that has threads ends them when `stop` aborts. The others need no signal, because a block takes them milliseconds.
 */
export type Codec = (bytes: Bytes, stop: AbortSignal) => Bytes

/** Blocks of one stream that are compressed in parallel. */
const BLOCKS_AT_ONCE = Math.min(4, availableParallelism())

/**
 * Splits a stream into blocks and compresses several in parallel; the results keep their order. For formats whose
 * files can be concatenated.
 */
export async function* inBlocks(
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
