/** The path of the saved index of a served folder. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnPaths } from '#server/storage/local/confine/server-files.ts'

interface IndexOwner {
  /** The folder of the index files; created if missing. */
  folder: string
  /** The path of the served folder. */
  path: string
  ownPaths: OwnPaths
}

/** @returns the file of the saved table; empty if its folder cannot be created, so that the index is not saved */
export function indexFileIn({ folder, path, ownPaths }: IndexOwner): string {
  if (folder === '') return ''
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return ''
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([path, ownPaths]))
    .digest('hex')
    .slice(0, 24)
  return join(folder, `names-${hash}`)
}
