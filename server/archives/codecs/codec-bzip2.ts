/** bzip2: an independent stream for each block. */
import { type Codec, inBlocks } from './codec.ts'
import { CodecWorkers } from './codec-workers.ts'

/** `-9` works on 900 000 bytes; the run-length pass may enlarge the input a little. */
const BLOCK_BYTES = 890_000

export const bzip2: Codec = async function* (bytes, stop) {
  await using workers = new CodecWorkers('bzip2', stop)
  yield* inBlocks(bytes, BLOCK_BYTES, (block) => workers.compress(block))
}
