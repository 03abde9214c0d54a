/** The size and usage of a file system. */
import { statfsSync } from 'node:fs'
import type { Usage } from '#wire/entry.ts'
import type { Handle } from './handle.ts'

/**
 * @param reclaimable bytes of the trash, which count as free
 * @returns the usage in bytes of the file system that holds an open object
 * @throws system errors
 */
export function usageOf(object: Handle, reclaimable = 0): Usage {
  const { bsize, blocks, bfree, bavail } = statfsSync(object.disk)
  return {
    total: blocks * bsize,
    used: Math.max(0, (blocks - bfree) * bsize - reclaimable),
    free: bavail * bsize + reclaimable,
  }
}
