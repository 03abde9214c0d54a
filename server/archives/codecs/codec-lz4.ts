/** LZ4: an independent frame for each block; frames may be concatenated. */
import { compressFrame } from 'lz4-napi'
import { type Codec, inBlocks } from './codec.ts'

const BLOCK_BYTES = 1024 * 1024

export const lz4: Codec = (bytes) =>
  inBlocks(bytes, BLOCK_BYTES, (block) => compressFrame(block, { contentChecksum: true }))
