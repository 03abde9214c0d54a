/** What checksums of folders would read. */
import type { Scope } from '#server/access/scope.ts'
import { Fault, type FaultCode } from '#wire/fault.ts'
import type { Decision } from '#wire/jobs.ts'
import { childPath, type TreePath } from '#wire/paths.ts'
import { SUMS_NAME } from '#wire/sums.ts'
import { type Counted, Counter, find } from './counter.ts'
import type { LookedAt } from './looked-at.ts'
import type { GatheredItems } from './plan-archive.ts'
import { yielding } from './yielding.ts'

const ENDS_PLAN: readonly FaultCode[] = ['internal', 'unauthenticated']

/** @param writes the list is written, and not only compared with */
export async function gatherSums(
  scope: Scope,
  asked: readonly { path: TreePath; decision: Decision }[],
  writes: boolean,
): Promise<GatheredItems> {
  const counter = new Counter(scope, true)
  const total: Counted = { files: 0, folders: 0, bytes: 0, replaced: 0 }
  const versions: string[] = []
  const items: LookedAt[] = []
  for await (const { path, decision } of yielding(asked)) {
    const item = { path, part: '', to: '', decision, isDir: true, files: 0, bytes: 0 }
    const looked: LookedAt = { ...item, taken: false, problem: '', fault: '' }
    items.push(looked)
    try {
      const node = await scope.stat(path)
      if (node.kind !== 'folder') throw new Fault('notDirectory', 'This is no folder.')
      const list = await find(scope, childPath(path, SUMS_NAME))
      if (!writes && !list) throw new Fault('notFound', `There is no ${SUMS_NAME} in this folder.`)
      looked.taken = writes && list !== undefined
      mustHaveRights(scope, writes, looked)
      const { files, folders, bytes } = await counter.count(node, undefined)
      Object.assign(looked, { files, bytes })
      total.files += files
      total.folders += folders
      total.bytes += bytes
      versions.push(`${files} ${bytes} ${list?.version}`)
    } catch (error) {
      if (!(error instanceof Fault) || ENDS_PLAN.includes(error.code)) throw error
      Object.assign(looked, { problem: error.message, fault: error.code })
      versions.push(error.code)
    }
  }
  return { items, total, isPartial: counter.isPartial, version: versions.join('\n') }
}

/** @throws Fault forbidden */
function mustHaveRights(scope: Scope, writes: boolean, { taken, decision }: LookedAt): void {
  const replaces = taken && decision === 'replace'
  const mayWrite = !writes || (scope.may('create') && (!replaces || scope.may('overwrite')))
  if (scope.may('download') && mayWrite) return
  throw new Fault('forbidden', 'You do not have permission to do this.')
}
