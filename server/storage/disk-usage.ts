/** How full a file system is. */
import { statfsSync } from 'node:fs'
import type { Usage } from '#wire/entry.ts'
import type { Handle } from './handle.ts'

/** Of the one that an open object lies on, in bytes. @throws system errors */
export function usageOf(object: Handle): Usage {
  const { bsize, blocks, bfree } = statfsSync(object.disk)
  return { total: blocks * bsize, used: (blocks - bfree) * bsize }
}
