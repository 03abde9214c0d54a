/** Collects and counts the files whose checksums a job would write or verify. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { Decision } from '#wire/api/jobs.ts'
import { Fault, type FaultCode, faultHeader } from '#wire/fault.ts'
import { childPath, type TreePath } from '#wire/paths.ts'
import { yielding } from '../context/yielding.ts'
import type { CollectedItems } from './plan-archive.ts'
import type { PlanEntry } from './plan-entry.ts'
import { SUMS_NAME } from './sums-format.ts'
import { statIfExists, type TreeCount, TreeCounter } from './tree-counter.ts'

/** Faults that end the request; others are part of the plan. */
const ENDS_PLAN: readonly FaultCode[] = ['internal', 'unauthenticated']

/** @param writes whether the list is written; otherwise it is only verified */
export async function collectChecksumFolders(
  scope: Scope,
  requested: readonly { path: TreePath; decision: Decision }[],
  writes: boolean,
): Promise<CollectedItems> {
  const counter = new TreeCounter(scope, true)
  const total: TreeCount = { files: 0, folders: 0, bytes: 0, replaced: 0 }
  const versions: string[] = []
  const items: PlanEntry[] = []
  for await (const { path, decision } of yielding(requested)) {
    const counts = { files: 0, bytes: 0, taken: false }
    const result = { ...counts, problem: '', fault: '' }
    const entry: PlanEntry = { path, part: '', to: '', decision, isDir: true, ...result }
    items.push(entry)
    try {
      const node = await scope.stat(path)
      if (node.kind !== 'folder') throw new Fault('notDirectory', 'This is not a folder.')
      const list = await statIfExists(scope, childPath(path, SUMS_NAME))
      if (!writes && !list) throw new Fault('notFound', `There is no ${SUMS_NAME} in this folder.`)
      entry.taken = writes && list !== undefined
      requireRights(scope, writes, entry)
      const { files, folders, bytes } = await counter.count(node, undefined)
      Object.assign(entry, { files, bytes })
      total.files += files
      total.folders += folders
      total.bytes += bytes
      versions.push(`${files} ${bytes} ${list?.version}`)
    } catch (error) {
      if (!(error instanceof Fault) || ENDS_PLAN.includes(error.code)) throw error
      Object.assign(entry, { problem: error.message, fault: faultHeader(error) })
      versions.push(error.code)
    }
  }
  return { items, total, isPartial: counter.isPartial, version: versions.join('\n') }
}

/** @throws Fault forbidden (a right to read the files, or to write the list, is missing) */
function requireRights(scope: Scope, writes: boolean, { taken, decision }: PlanEntry): void {
  const replaces = taken && decision === 'replace'
  const mayWrite = !writes || (scope.may('create') && (!replaces || scope.may('overwrite')))
  if (scope.may('download') && mayWrite) return
  throw new Fault('forbidden', 'You do not have permission to do this.')
}
