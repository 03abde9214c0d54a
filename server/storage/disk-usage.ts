/** The size and usage of a file system. */
import { statfsSync } from 'node:fs'
import type { Usage } from '#wire/entry.ts'
import type { Handle } from './handle.ts'

/**
 * @returns the usage in bytes of the file system that holds an open object
 * @throws system errors
 */
export function usageOf(object: Handle): Usage {
  const { bsize, blocks, bfree } = statfsSync(object.disk)
  return { total: blocks * bsize, used: (blocks - bfree) * bsize }
}
