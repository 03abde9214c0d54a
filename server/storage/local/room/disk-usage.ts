/** The size and usage of a file system, and the blocks of a file. */
import { type BigIntStats, statfsSync } from 'node:fs'
import type { Usage } from '#wire/api/entry.ts'
import type { Handle } from '../handles/handle.ts'

/** Unit of st_blocks (stat(2)). */
const BLOCK_BYTES = 512

/**
 * @param reclaimable bytes of the trash, which count as free; at most the used bytes, since files can share blocks
 * @returns the usage in bytes of the file system that holds an open object
 * @throws system errors
 */
export function usageOf(object: Handle, reclaimable = 0): Usage {
  const { bsize, blocks, bfree, bavail } = statfsSync(object.disk)
  const used = Math.max(0, blocks - bfree) * bsize
  const freed = Math.min(reclaimable, used)
  return { total: blocks * bsize, used: used - freed, free: bavail * bsize + freed }
}

/**
 * @returns the bytes that the removal of one name of a file frees: its blocks, since the length says nothing about a
 *   sparse or compressed file. 0 if it has other names.
 */
export function occupiedBytes({ nlink, blocks }: BigIntStats): number {
  return nlink > 1n ? 0 : bytesOfBlocks(blocks)
}

/** @returns the bytes of a number of blocks as of stat(2) */
export function bytesOfBlocks(blocks: bigint): number {
  return Number(blocks) * BLOCK_BYTES
}
