/** The subfolders of a folder, for the folder tree and for dialogs that ask for a destination. */

import * as api from '#ui/api/files/resources.ts'
import { sortEntries } from '#ui/lib/entries/sort.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'

/**
 * @returns the folders inside `folder`, by name
 * @throws Fault notFound, forbidden, aborted
 */
export async function foldersIn(folder: TreePath, signal?: AbortSignal): Promise<readonly Entry[]> {
  const { items } = await api.list(folder, signal)
  return sortEntries(
    items.filter((item) => item.isDir),
    { by: 'name', asc: true },
  )
}

/**
 * Creates a folder and its missing parents.
 *
 * @throws Fault forbidden, conflict
 */
export async function createFolder(path: TreePath): Promise<void> {
  await api.createFolder(path)
}
