/** Protects files and folders that were created or changed in a folder after the entry that is undone. */

import type { Scope } from '#server/access/scope/scope.ts'
import type { PastStep } from '#server/access/scope/trash-item.ts'
import type { JournalRows } from '#server/db/rows/journal.ts'
import type { StoredEntry } from '#server/db/rows/journal-rows.ts'
import { pacer } from '#server/lib/slices.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'

/** A folder with so many later changes counts as changed; it is not checked who made each of them. */
const CHANGED_MAX = 1000

interface JournalOfRoot {
  root: string
  rows: JournalRows
  /** For a dry run: the ids of later entries that would be undone by now. Their paths may still have later names. */
  undone?: ReadonlySet<number>
}

/**
 * Refuses to remove a folder that an entry made if something in it has changed since. Changes through filemgr are in
 * the journal. New and changed entries of other programs are found by the times on the disk, if it is known when the folder
 * was complete.
 *
 * @param steps the steps of the entry, with paths in the scope
 * @throws Fault precondition
 */
export async function refuseChangedFolders(
  entry: StoredEntry,
  steps: readonly PastStep[],
  { actor, trash }: Scope,
  { root, rows, undone }: JournalOfRoot,
): Promise<void> {
  const made = new Map(
    steps.flatMap(({ kind, role, path, isFolder, completeMs }) =>
      // A folder made as a part is removed only if it is empty, so it needs no check.
      kind === 'made' && isFolder && role !== 'part' ? [[path, completeMs]] : [],
    ),
  )
  const pace = pacer()
  for (const [folder, completeMs] of made) {
    await pace()
    // The check of a folder covers everything below it.
    if (isBelowAny(made, folder)) continue
    const path = inTree(folder, actor.scope)
    if (await rows.wasTouchedAfter(entry.id, { root, path }, undone)) throw changedInside()
    if (!trash || completeMs === 0) continue
    const changed = await trash.changedSince(folder, completeMs, CHANGED_MAX).catch((error) => {
      if (undone && isFault(error, 'notFound')) return []
      throw error
    })
    if (changed.length === 0) continue
    if (changed.length >= CHANGED_MAX) throw changedInside()
    // Later entries are undone by now, but that changed times, too. The journal has the marks of all objects that filemgr
    // changed, also if they were renamed since; any other mark is a change by another program.
    const ownMarks = await rows.marksSince(entry.id, root, changed)
    if (!changed.every((mark) => ownMarks.has(mark))) throw changedInside()
  }
}

/** The path in the served tree of a path in a scope. Both are tree paths, so they need no checks, at any depth. */
export function inTree(path: TreePath, scope: TreePath): TreePath {
  if (scope === ROOT) return path
  return (path === ROOT ? scope : `${scope}${path}`) as TreePath
}

/** Whether a path is below one of these folders. */
function isBelowAny(folders: ReadonlyMap<TreePath, unknown>, path: TreePath): boolean {
  for (let ancestor = path; ancestor !== ROOT; ) {
    ancestor = parentPath(ancestor)
    if (folders.has(ancestor)) return true
  }
  return false
}

function changedInside(): Fault {
  return new Fault('precondition', 'The content of this folder has changed since.', {
    reason: 'undoChanged',
  })
}
