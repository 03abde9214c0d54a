/** Checks that the folder to serve is the one that was served before. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { AbsentRoot, noticesOfUnmounted, requireServedRoot } from '#server/served-root.ts'
import type { OpenedCore } from '../core.ts'
import { type Finding, problem, warning } from './finding.ts'

/** @returns nothing if there is no such folder, which `pathFindings` reports */
export async function servedRootFindings({ config, rows }: OpenedCore): Promise<Finding[]> {
  const root = resolve(config.text('root'))
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return []
  const realRoot = realpathSync.native(root)
  const unmounted = noticesOfUnmounted(realRoot).map((notice) => warning(notice, 'Mount it.'))
  try {
    await requireServedRoot(realRoot, rows.roots)
    return unmounted
  } catch (error) {
    if (!(error instanceof AbsentRoot)) throw error
    return [...unmounted, problem(error.operatorMessage, 'Mount its disk, then start again.')]
  }
}
