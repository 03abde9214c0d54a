/** The folder tree beside the page: which folders are open, and their subfolders. */

import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { assign } from '#ui/lib/assign.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { type Entry, isListing } from '#wire/entry.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { foldersIn } from './folders.ts'
import { listing } from './listing.ts'
import { session } from './session.ts'

interface FolderTree {
  open: Partial<Record<TreePath, true>>
  /** Each value is a `ref`, by name; it is absent until it is loaded. */
  folders: Partial<Record<TreePath, readonly TreePath[]>>
}

export const folderTree = proxy<FolderTree>({ open: {}, folders: {} })

/** The last known versions of folders. */
const versions = new Map<TreePath, string>()
/** The folders that are being loaded again. */
const reloading = new Set<TreePath>()

subscribeKey(session, 'user', (user) => {
  if (user) return
  versions.clear()
  assign(folderTree, { open: {}, folders: {} })
})

/** The listing on the page already contains the subfolders. */
subscribeKey(listing, 'entry', storeListedFolders)

/**
 * Opens a folder of the tree.
 *
 * @throws Fault notFound, forbidden, unavailable
 */
export async function openBranch(path: TreePath): Promise<void> {
  folderTree.open[path] = true
  if (!folderTree.folders[path]) storeEntries(path, await foldersIn(path))
}

/**
 * Loads the subfolders of a folder again if its version is another one than before. The shown folder is left out: the
 * tree takes its subfolders from the listing.
 *
 * @param version changes with the names in the folder
 */
export async function followBranch(path: TreePath, version: string): Promise<void> {
  const before = versions.get(path)
  versions.set(path, version)
  const isShown = listing.path === path && listing.status !== 'idle' && listing.entry?.isDir
  if (before === undefined || before === version || isShown) return
  if (!folderTree.folders[path] || reloading.has(path)) return
  reloading.add(path)
  for (let loaded = ''; loaded !== versions.get(path); ) {
    if (loaded) await new Promise((resolve) => setTimeout(resolve, UI_LIMITS.treeReloadMs))
    loaded = versions.get(path) ?? ''
    const folders = await foldersIn(path).catch(() => undefined)
    // Another user may have signed in.
    if (folders && folderTree.folders[path]) storeEntries(path, folders)
  }
  reloading.delete(path)
}

export function closeBranch(path: TreePath): void {
  delete folderTree.open[path]
}

/**
 * Opens all folders above `path`.
 *
 * @throws Fault notFound, forbidden, unavailable
 */
export async function openTo(path: TreePath): Promise<void> {
  storeListedFolders()
  const ancestors: TreePath[] = []
  for (let index = path; index !== ROOT; index = parentPath(index))
    ancestors.unshift(parentPath(index))
  await Promise.all((path === ROOT ? [ROOT] : ancestors).map(openBranch))
}

function storeListedFolders(): void {
  const { entry } = listing
  if (!entry || !isListing(entry)) return
  const folders = entry.items.filter(({ isDir }) => isDir)
  const names = new Intl.Collator(undefined, { numeric: true })
  storeFolders(
    entry.path,
    folders.toSorted((a, b) => names.compare(a.name, b.name)).map(({ path }) => path),
  )
}

function storeEntries(path: TreePath, folders: readonly Entry[]): void {
  storeFolders(
    path,
    folders.map((entry) => entry.path),
  )
}

function storeFolders(path: TreePath, folders: readonly TreePath[]): void {
  folderTree.folders[path] = ref(folders.slice(0, UI_LIMITS.subfoldersListedMax))
}
