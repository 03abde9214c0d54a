/** Checks that the folder to serve is the one that was served before, and whether several servers may serve it. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { errnoOf } from '#server/os/errno.ts'
import { AbsentRoot, noticesOfUnmounted, requireServedRoot } from '#server/served-root.ts'
import { tryRoot } from '#server/shared-root.ts'
import { storageKind } from '#server/tree.ts'
import type { OpenedCore } from '../core.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** @returns nothing if there is no such folder, which `pathFindings` reports */
export async function servedRootFindings({
  config,
  rows,
  cluster,
}: OpenedCore): Promise<Finding[]> {
  const root = resolve(config.text('root'))
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return []
  const realRoot = realpathSync.native(root)
  const unmounted = noticesOfUnmounted(realRoot).map((notice) => warning(notice, 'Mount it.'))
  try {
    await requireServedRoot(realRoot, rows.roots)
    const shared = cluster.isShared ? await sharingFindings(realRoot, config) : []
    return [...unmounted, ...shared]
  } catch (error) {
    if (!(error instanceof AbsentRoot)) throw error
    return [...unmounted, problem(error.operatorMessage, 'Mount its disk, then start again.')]
  }
}

/** Whether several servers may serve the folder. */
async function sharingFindings(root: string, config: Config): Promise<Finding[]> {
  try {
    const notices = await tryRoot(root, storageKind(config))
    if (notices?.length === 0) {
      return [
        ok(`The file system of ${root} has what several servers rely on, as far as one sees.`),
      ]
    }
    return (notices ?? []).map(({ what, advice }) => warning(what, advice))
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    return [
      warning(
        `Whether several servers can serve ${root} could not be tried (${code}).`,
        'Run filemgr doctor with the account of the server.',
      ),
    ]
  }
}
