/**
 * Requests that ran at the same time may have put files into folders that one of them made. The undo of that one leaves
 * such a folder, because it is not empty yet. So the undo of the last one removes it.
 */
import type { Scope } from '#server/access/scope/scope.ts'
import type { PastStep } from '#server/access/scope/trash-item.ts'
import type { JournalRows } from '#server/db/rows/journal.ts'
import type { StoredEntry } from '#server/db/rows/journal-rows.ts'
import { parentPath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { inTree } from './changed-folders.ts'

/**
 * @param steps the steps of the entry, with paths in the scope
 * @returns the steps to reverse: also those that made the folders above, if their own undo has left these. The steps
 *   that made folders come first, because the steps are reversed from the last to the first.
 */
export async function withLeftFolders(
  entry: StoredEntry,
  steps: readonly PastStep[],
  { actor, trash }: Scope,
  rows: JournalRows,
): Promise<readonly PastStep[]> {
  if (!trash || !steps.every(({ kind }) => kind === 'made' || kind === 'replaced')) return steps
  const own = steps.filter(isFolderOfOthers)
  const folders = new Set<TreePath>()
  for (const { path } of steps) addAncestors(folders, path)
  for (const { path } of own) folders.delete(path)
  const left: PastStep[] = []
  const { root, userId } = entry
  const paths = [...folders].map((path) => inTree(path, actor.scope))
  for (const { to: _, ...step } of await rows.leftFolders({ root, userId }, paths)) {
    const folder = { ...step, path: relativePath(step.path, actor.scope), shares: '' }
    if (await trash.hasResultOf(folder)) left.push(folder)
  }
  if (left.length === 0) return steps
  const made = [...own, ...left].toSorted((one, other) => one.path.length - other.path.length)
  return [...made, ...steps.filter((step) => !isFolderOfOthers(step))]
}

/** Whether a step made a folder only to hold other new entries. */
function isFolderOfOthers({ kind, role, isFolder }: PastStep): boolean {
  return kind === 'made' && role === 'part' && isFolder
}

function addAncestors(folders: Set<TreePath>, path: TreePath): void {
  for (let folder = parentPath(path); folder !== ROOT; folder = parentPath(folder)) {
    if (folders.has(folder)) return
    folders.add(folder)
  }
}
