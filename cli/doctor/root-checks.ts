/** Checks that the folder to serve is the one that was served before. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { AbsentRoot, requireServedRoot } from '#server/served-root.ts'
import type { OpenedCore } from '../core.ts'
import { type Finding, problem } from './finding.ts'

/** @returns nothing if there is no such folder, which `pathFindings` reports */
export async function servedRootFindings({ config, rows }: OpenedCore): Promise<Finding[]> {
  const root = resolve(config.text('root'))
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return []
  try {
    await requireServedRoot(realpathSync.native(root), rows.roots)
    return []
  } catch (error) {
    if (!(error instanceof AbsentRoot)) throw error
    return [problem(error.operatorMessage, 'Mount its disk, then start again.')]
  }
}
