/** Compression of a stream: what every codec is, and how those work that compress block by block. */
import { availableParallelism } from 'node:os'

export type Bytes = AsyncIterable<Uint8Array>

/**
 * Compresses a stream. It asks for more only when somebody asks it, throws what its source throws, and
 * ends its source when it is ended early. `stop` ends also what it is waiting for at that moment.
 */
export type Codec = (bytes: Bytes, stop: AbortSignal) => Bytes

/** How many blocks of one stream are compressed at once. */
const BLOCKS_AT_ONCE = Math.min(4, availableParallelism())

/**
 * Cuts a stream into blocks and compresses several at once; the results leave in order. For formats
 * whose files may be put one after the other.
 */
export async function* inBlocks(
  bytes: Bytes,
  blockBytes: number,
  compress: (block: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>,
): Bytes {
  const underWay: Promise<Uint8Array>[] = []
  for await (const block of blocksOf(bytes, blockBytes)) {
    const work = compress(block)
    // Whoever waits for it below hears of a failure; nobody may be waiting when the stream ends early.
    work.catch(() => undefined)
    underWay.push(work)
    const oldest = underWay.length === BLOCKS_AT_ONCE ? underWay.shift() : undefined
    if (oldest) yield await oldest
  }
  for (const work of underWay) yield await work
}

/** The same bytes in blocks of one size, but for the last. */
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
