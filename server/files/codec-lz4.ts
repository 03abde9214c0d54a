/** LZ4 frames, one for each block: the frame format lets them follow each other. */
import { compressFrame } from 'lz4-napi'
import { type Codec, inBlocks } from './codec.ts'

const BLOCK_BYTES = 1024 * 1024

export const lz4: Codec = (bytes) =>
  inBlocks(bytes, BLOCK_BYTES, (block) => compressFrame(block, { contentChecksum: true }))
