/** The folder tree beside the page: which of its branches are open, and their subfolders. A branch is one of its folders. */

import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { assign } from '#ui/lib/assign.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { type Entry, isListing } from '#wire/api/entry.ts'
import { parentPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { onUserChange } from '../session/session.ts'
import { foldersIn } from './folders.ts'
import { listing } from './listing.ts'

interface FolderTree {
  open: Partial<Record<TreePath, true>>
  /** Each value is a `ref`, by name; it is absent until it is loaded. */
  folders: Partial<Record<TreePath, readonly TreePath[]>>
}

export const folderTree = proxy<FolderTree>({ open: {}, folders: {} })

/** The state of the reloads for one user. */
interface Reloads {
  /** The last known versions of folders. */
  versions: Map<TreePath, string>
  /** The versions that were known before the subfolders were loaded: what is loaded is at least as new. */
  loaded: Map<TreePath, string>
  /** The folders that are being loaded again. */
  running: Set<TreePath>
}

/** The reloads for the current user. A request of an earlier user belongs to another object. */
let reloads = newReloads()

onUserChange(() => {
  reloads = newReloads()
  assign(folderTree, { open: {}, folders: {} })
})

/** The listing on the page already contains the subfolders. */
subscribeKey(listing, 'entry', storeListedFolders)

/**
 * Opens a branch.
 *
 * @throws Fault notFound, forbidden, unavailable
 */
export async function openBranch(path: TreePath): Promise<void> {
  const current = reloads
  folderTree.open[path] = true
  if (folderTree.folders[path]) return
  await load(path, current)
  void reload(path, current)
}

/**
 * Loads the subfolders of a branch again if they may be older than its version. After a failure they are loaded with the
 * next event, at the latest when the connection returns. The shown folder is left out: the tree takes its subfolders from
 * the listing.
 *
 * @param version changes with the names in the folder
 */
export async function followBranch(path: TreePath, version: string): Promise<void> {
  const { versions, loaded } = reloads
  versions.set(path, version)
  const isShown = listing.path === path && listing.status !== 'idle' && listing.entry?.isDir
  if (isShown) loaded.set(path, version)
  if (folderTree.folders[path]) await reload(path, reloads)
}

/**
 * The folders of the tree whose names can change its rows, at most `most`: those on the way to `folder`, the nearest
 * ones and the root, and then the other open ones that are visible, the nearest first. Those beyond `most` follow no
 * change until they are among the nearest.
 */
export function branchesNear(folder: TreePath, most: number): TreePath[] {
  const way = wayTo(folder).filter((path) => path !== ROOT)
  const branches = [...way.slice(0, most - 1), ROOT]
  const others = visibleBranches(ROOT).filter((path) => !branches.includes(path))
  const nearest = others.toSorted((a, b) => distance(folder, a) - distance(folder, b))
  return [...branches, ...nearest.slice(0, most - branches.length)]
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
  await Promise.all((path === ROOT ? [ROOT] : wayTo(parentPath(path)).reverse()).map(openBranch))
}

function newReloads(): Reloads {
  return { versions: new Map(), loaded: new Map(), running: new Set() }
}

/** Loads the subfolders until they are as new as the last known version. After a failure the old ones stay. */
async function reload(path: TreePath, current: Reloads): Promise<void> {
  const { versions, loaded, running } = current
  const isOld = () => current === reloads && loaded.get(path) !== versions.get(path)
  if (running.has(path)) return
  running.add(path)
  try {
    while (isOld()) {
      await load(path, current)
      if (isOld()) await new Promise((resolve) => setTimeout(resolve, UI_LIMITS.treeReloadMs))
    }
  } catch {
    // The next event loads them.
  } finally {
    running.delete(path)
  }
}

/**
 * Loads the subfolders of a branch for the user of `current`.
 *
 * @throws Fault notFound, forbidden, unavailable
 */
async function load(path: TreePath, current: Reloads): Promise<void> {
  const version = current.versions.get(path)
  const folders = await foldersIn(path)
  if (current !== reloads) return
  if (version !== undefined) current.loaded.set(path, version)
  storeEntries(path, folders)
}

/** The folder and those above it, up to the root. */
function wayTo(folder: TreePath): TreePath[] {
  return folder === ROOT ? [ROOT] : [folder, ...wayTo(parentPath(folder))]
}

/** `folder` and the open branches below it whose rows are visible, from top to bottom. */
function visibleBranches(folder: TreePath): TreePath[] {
  const open = (folderTree.folders[folder] ?? []).filter((path) => folderTree.open[path])
  return [folder, ...open.flatMap(visibleBranches)]
}

/** The number of steps in the tree from one folder to another. */
function distance(from: TreePath, to: TreePath): number {
  const [above, below] = [segmentsOf(from), segmentsOf(to)]
  const differs = above.findIndex((name, index) => name !== below[index])
  const common = differs < 0 ? above.length : differs
  return above.length + below.length - 2 * common
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
