/** Finds name collisions at the destination of an upload and asks about them once, before any content is sent. */

import { list } from '#ui/api/files/resources.ts'
import { type FolderNames, NO_NAMES, namesIn } from '#ui/lib/entries/folder-names.ts'
import { freeName } from '#ui/lib/entries/names.ts'
import type { FilePick } from '#ui/lib/gestures/drag-files.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { ask, type Conflict, type ConflictChoice } from '#ui/state/dialogs/prompts.ts'
import type { Entry } from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'
import { joinPath, nameOf, parentPath, relativePath, type TreePath } from '#wire/paths.ts'
import type { Upload } from '../send/transport.ts'

export interface Plan {
  /** The innermost folders to create; their parents are created with them. */
  folders: TreePath[]
  uploads: Upload[]
  /** Destinations of files that the browser cannot open. */
  unreadable: TreePath[]
}

interface Item {
  path: TreePath
  relativePath: string
  file: File | null
  isDir: boolean
}

/** The names in each folder that exists already, by its path as it is uploaded. */
type Existing = Map<TreePath, FolderNames>

/**
 * Plans the destination of each file below `folder`.
 *
 * @returns undefined if the user cancels
 * @throws Fault if the destination cannot be listed
 */
export async function planUpload(
  picks: readonly FilePick[],
  folder: TreePath,
): Promise<Plan | undefined> {
  const items = itemsOf(picks, folder)
  const existing = await scanDestination(items, folder)
  const colliding = items.filter((item) => collisionOf(item, existing))
  if (colliding.length === 0) return decide(items, existing, new Map())
  const decisions = await ask({
    name: 'collision',
    verb: 'upload',
    folder,
    total: items.filter((item) => !item.isDir).length,
    conflicts: colliding.map((item) => conflictOf(item, existing)),
  })
  if (!decisions) return undefined
  return decide(
    items,
    existing,
    new Map(colliding.map((item, index) => [item, decisions[index] ?? 'skip'])),
  )
}

/** @returns folders first, outer before inner, also those that only occur in a file's path; then the files */
function itemsOf(picks: readonly FilePick[], root: TreePath): Item[] {
  const folders = new Map<TreePath, Item>()
  const files: Item[] = []
  const addFolder = (path: TreePath) => {
    if (path === root || folders.has(path)) return
    addFolder(parentPath(path))
    folders.set(path, { path, relativePath: relativeTo(root, path), file: null, isDir: true })
  }
  for (const { file, path: pickedPath, isDir } of picks) {
    const path = joinPath(root, pickedPath)
    addFolder(isDir ? path : parentPath(path))
    if (!isDir) files.push({ path, relativePath: relativeTo(root, path), file, isDir })
  }
  return [...folders.values(), ...files]
}

function relativeTo(root: TreePath, path: TreePath): string {
  return relativePath(path, root).slice(1)
}

/** A folder of the upload that exists already: its path there, and how the server spells it. */
interface ScannedFolder {
  folder: TreePath
  disk: TreePath
}

/** Lists the destination, then level by level those folders of the upload that exist there already. */
async function scanDestination(items: readonly Item[], root: TreePath): Promise<Existing> {
  const existing: Existing = new Map()
  const inner = Map.groupBy(items, (item) => (item.isDir ? parentPath(item.path) : undefined))
  const scan = async ({ folder, disk }: ScannedFolder): Promise<ScannedFolder[]> => {
    const names = await namesOf(disk)
    existing.set(folder, names)
    return (inner.get(folder) ?? []).flatMap(({ path }) => {
      const entry = names.find(nameOf(path))
      return entry?.isDir ? [{ folder: path, disk: joinPath(disk, entry.name) }] : []
    })
  }
  for (let level: ScannedFolder[] = [{ folder: root, disk: root }]; level.length > 0; ) {
    const nextLevel: ScannedFolder[] = []
    for (let index = 0; index < level.length; index += UI_LIMITS.concurrentChecks) {
      const scans = level.slice(index, index + UI_LIMITS.concurrentChecks).map(scan)
      nextLevel.push(...(await Promise.all(scans)).flat())
    }
    level = nextLevel
  }
  return existing
}

async function namesOf(folder: TreePath): Promise<FolderNames> {
  try {
    return namesIn(await list(folder))
  } catch (error) {
    if (isFault(error, 'notFound')) return NO_NAMES
    throw error
  }
}

/** The entry that exists already at the path of the item. */
function existingEntry(item: Item, existing: Existing): Entry | undefined {
  return existing.get(parentPath(item.path))?.find(nameOf(item.path))
}

/** Like `existingEntry`, but two folders of the same name are merged and do not collide. */
function collisionOf(item: Item, existing: Existing): Entry | undefined {
  const entry = existingEntry(item, existing)
  return entry?.isDir && item.isDir ? undefined : entry
}

function conflictOf(item: Item, existing: Existing): Conflict {
  const entry = existingEntry(item, existing)
  const modified = new Date(item.file?.lastModified ?? Date.now()).toISOString()
  return {
    name: item.relativePath,
    existing: entry ?? { size: 0, modified: '', isDir: false },
    incoming: { size: item.file?.size ?? 0, modified, isDir: item.isDir },
  }
}

/** Applies the decisions: which item is stored under which name, and which is skipped. */
function decide(
  items: readonly Item[],
  existing: Existing,
  decisions: ReadonlyMap<Item, ConflictChoice>,
): Plan {
  const plan: Plan = { folders: [], uploads: [], unreadable: [] }
  const nameFor = nameChooser(items, existing)
  /** The destination of each folder of the upload; a folder without one is skipped with its content. */
  const targets = new Map<TreePath, TreePath>()
  for (const item of items) {
    const decision = decisions.get(item)
    const parent = parentPath(item.path)
    const into = isTopLevel(item) ? parent : targets.get(parent)
    if (into === undefined || decision === 'skip') continue
    // What is there keeps its spelling.
    const taken = existingEntry(item, existing)?.name ?? nameOf(item.path)
    const name = decision === 'keepBoth' ? nameFor(item) : taken
    const path = joinPath(into, name)
    const { file, relativePath, isDir } = item
    if (isDir) targets.set(item.path, path)
    if (isDir && existingEntry(item, existing)?.isDir) continue
    if (isDir) plan.folders.push(path)
    else if (file) plan.uploads.push({ file, path, relativePath, override: decision === 'replace' })
    else plan.unreadable.push(path)
  }
  return { ...plan, folders: innermost(plan.folders) }
}

/** Finds names that are free in the destination and in the upload itself. */
function nameChooser(items: readonly Item[], existing: Existing): (item: Item) => string {
  const siblings = Map.groupBy(items, (item) => parentPath(item.path))
  /** The keys of names that the upload uses, by folder. */
  const uploadedKeys = new Map<TreePath, Set<string>>()
  return (item) => {
    const folder = parentPath(item.path)
    const { find, keyOf } = existing.get(folder) ?? NO_NAMES
    let keys = uploadedKeys.get(folder)
    if (!keys) {
      keys = new Set(siblings.get(folder)?.map(({ path }) => keyOf(nameOf(path))))
      uploadedKeys.set(folder, keys)
    }
    const isTaken = (name: string) => keys.has(keyOf(name)) || find(name) !== undefined
    const name = freeName(nameOf(item.path), isTaken, item.isDir)
    keys.add(keyOf(name))
    return name
  }
}

/** Whether the item is directly in the destination folder. */
function isTopLevel({ relativePath }: Item): boolean {
  return !relativePath.includes('/')
}

/** Creating a folder also creates its parents, so the innermost folders are enough. */
function innermost(folders: readonly TreePath[]): TreePath[] {
  const parents = new Set(folders.map(parentPath))
  return folders.filter((folder) => !parents.has(folder))
}
