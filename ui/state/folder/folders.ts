/** The subfolders of a folder, for the folder tree and for dialogs that ask for a destination. */

import * as api from '#ui/api/files/resources.ts'
import { sortEntries } from '#ui/lib/entries/sort.ts'
import type { Entry, Listing } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { noteListOnly } from './list-only.ts'

/**
 * @returns the folders inside `folder`, by name
 * @throws Fault notFound, forbidden, aborted
 */
export async function foldersIn(folder: TreePath, signal?: AbortSignal): Promise<readonly Entry[]> {
  return foldersOf(await listFolder(folder, signal))
}

/** @returns the folders in a listing, by name */
export function foldersOf({ items }: Listing): readonly Entry[] {
  return sortEntries(
    items.filter((item) => item.isDir),
    { by: 'name', asc: true },
  )
}

/**
 * Lists a folder that need not be the one of the page.
 *
 * @throws Fault notFound, forbidden, aborted
 */
export async function listFolder(folder: TreePath, signal?: AbortSignal): Promise<Listing> {
  const listed = await api.list(folder, signal)
  noteListOnly(listed)
  return listed
}

/**
 * Creates a folder and its missing parents.
 *
 * @throws Fault forbidden, conflict
 */
export async function createFolder(path: TreePath): Promise<void> {
  await api.createFolder(path)
}
