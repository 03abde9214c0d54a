/** xz: an independent stream for each block. Larger blocks would compress better but delay the first byte. */
import { type Codec, inBlocks } from './codec.ts'
import { CodecWorkers } from './codec-workers.ts'

const BLOCK_BYTES = 4 * 1024 * 1024

export const xz: Codec = async function* (bytes, stop) {
  await using workers = new CodecWorkers('xz', stop)
  yield* inBlocks(bytes, BLOCK_BYTES, (block) => workers.compress(block))
}
