/** Collects and counts the files that an archive would contain. */
import type { Scope } from '#server/access/scope/scope.ts'
import { archiveFormatOf } from '#server/archives/codecs/archive-formats.ts'
import type { Decision } from '#wire/api/jobs.ts'
import { Fault, type FaultCode, faultHeader } from '#wire/fault.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { yielding } from '../context/yielding.ts'
import type { PlanEntry } from './plan-entry.ts'
import { statIfExists, type TreeCount, TreeCounter } from './tree-counter.ts'

/** Faults of an item that end the request; others are part of the plan. */
const ENDS_PLAN: readonly FaultCode[] = ['internal', 'unauthenticated']

export interface CollectedItems {
  items: PlanEntry[]
  total: TreeCount
  isPartial: boolean
  /**
   * Changes with each requested file, the number of files and bytes in each requested folder, the refusals, and whether
   * the destination is taken.
   */
  version: string
}

/**
 * Counts the files that an archive at `to` would contain.
 *
 * @throws Fault badRequest (no such format), notFound and notDirectory (the folder of `to`), forbidden, internal,
 *   unauthenticated
 */
export async function collectArchiveItems(
  scope: Scope,
  requested: readonly { path: TreePath; decision: Decision }[],
  to: TreePath,
): Promise<CollectedItems> {
  if (!archiveFormatOf(nameOf(to)))
    throw new Fault('badRequest', 'This server does not create archives of this format.')
  const folder = await scope.stat(parentPath(to))
  if (folder.kind !== 'folder')
    throw new Fault('notDirectory', 'The destination is a file, not a folder.')
  const taken = (await statIfExists(scope, to)) !== undefined
  const counter = new TreeCounter(scope, true)
  const total: TreeCount = { files: 0, folders: 0, bytes: 0, replaced: 0 }
  const versions: string[] = [String(taken)]
  const items: PlanEntry[] = []
  for await (const { path, decision } of yielding(requested)) {
    const item: PlanEntry = { path, part: '', to, decision, ...UNCOUNTED, taken }
    items.push(item)
    try {
      for (const right of ['create', 'download'] as const) requireRight(scope, right)
      if (taken && decision === 'replace') requireRight(scope, 'overwrite')
      const node = await scope.stat(path)
      const { files, folders, bytes } = await counter.count(node, undefined)
      Object.assign(item, { isDir: node.kind === 'folder', files: files + folders, bytes })
      total.files += files
      total.folders += folders
      total.bytes += bytes
      versions.push(node.kind === 'folder' ? `${files} ${bytes}` : node.version)
    } catch (error) {
      if (!(error instanceof Fault) || ENDS_PLAN.includes(error.code)) throw error
      Object.assign(item, { problem: error.message, fault: faultHeader(error) })
      versions.push(error.code)
    }
  }
  return { items, total, isPartial: counter.isPartial, version: versions.join('\n') }
}

const UNCOUNTED = { isDir: false, files: 0, bytes: 0, problem: '', fault: '' }

function requireRight(scope: Scope, action: 'create' | 'download' | 'overwrite'): void {
  if (!scope.may(action)) {
    throw new Fault('forbidden', 'You do not have permission to do this.')
  }
}
