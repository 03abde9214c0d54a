/** Plans an import. No request is sent to the other server, because its response may change before the job runs. */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { Imports } from '../context/deps.ts'
import type { PlanRequest, PlanWithItems } from './plan-request.ts'

/**
 * Called before a plan is made, and again when its job is created.
 *
 * @throws Fault forbidden (imports are off, or not from this host), badRequest (no valid URL)
 */
export function requireImportAllowed(
  { kind, source = '' }: PlanRequest,
  imports: Imports | undefined,
): void {
  if (kind !== 'import') return
  if (!imports)
    throw new Fault('forbidden', 'Imports from the web are switched off on this server.')
  imports.requireAllowed(source)
}

/**
 * @param freeBytesAt returns the free bytes of a folder
 * @throws Fault forbidden, notFound, notDirectory
 */
export async function planUrlImport(
  scope: Scope,
  { to = ROOT, source = '' }: PlanRequest,
  freeBytesAt: (folder: TreePath) => Promise<number>,
): Promise<PlanWithItems> {
  const { kind, identity } = await scope.stat(to)
  if (kind !== 'folder') throw new Fault('notDirectory', 'The destination is a file, not a folder.')
  if (!scope.may('create')) {
    throw new Fault('forbidden', 'You do not have permission to do this.')
  }
  const free = await freeBytesAt(to)
  const tag = createHash('sha256').update(JSON.stringify(['import', to, identity, source]))
  const plan = {
    tag: tag.digest('base64url'),
    kind: 'import' as const,
    to,
    files: 1,
    folders: 0,
    bytes: 0,
    // The size is known only after the download has begun.
    isPartial: true,
    isLarge: false,
    isInstant: false,
    taken: 0,
    replaced: 0,
    refused: 0,
    free,
    freeAfter: free,
    items: [],
  }
  const item = { path: to, part: '', to, decision: 'keepBoth' as const, isDir: false, files: 1 }
  return { plan, items: [{ ...item, bytes: 0, taken: false, problem: '', fault: '' }] }
}
