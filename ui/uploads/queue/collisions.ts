/** Finds name collisions at the destination of an upload and asks about them once, before any content is sent. */

import type { FilePick } from '#ui/lib/gestures/read-files.ts'
import {
  ask,
  type Conflict,
  type ConflictChoice,
  type FileSummary,
} from '#ui/state/dialogs/prompts.ts'
import { numberedName } from '#wire/free-names.ts'
import { joinPath, nameOf, parentPath, relativePath, type TreePath } from '#wire/paths.ts'
import { UnreadableFileError, UnreadableFolderError } from '../send/retry.ts'
import type { Upload } from '../send/transport.ts'
import { type Destination, type Item, type Running, scanDestination } from './destination.ts'

export interface Plan {
  /** The innermost folders to create; their parents are created with them. */
  folders: TreePath[]
  uploads: Upload[]
  /** Files that the browser cannot open, and folders that it cannot list to their end. */
  unreadable: Unreadable[]
}

export interface Unreadable {
  path: TreePath
  isDir: boolean
  error: UnreadableFileError | UnreadableFolderError
}

/**
 * Plans the destination of each file below `folder`. Files of one name in `picks`, such as photos of a phone, never
 * replace each other: the second gets a free name.
 *
 * @param running what other uploads of this page are sending
 * @returns undefined if the user cancels
 * @throws Fault if the destination cannot be listed
 */
export async function planUpload(
  picks: readonly FilePick[],
  folder: TreePath,
  running: readonly Running[],
): Promise<Plan | undefined> {
  const items = itemsOf(picks, folder)
  const destination = await scanDestination(items, folder, running)
  const twins = findTwins(items, destination)
  const colliding = findColliding(items, destination, twins)
  const decisions = new Map<Item, ConflictChoice>([...twins].map((item) => [item, 'keepBoth']))
  if (colliding.length > 0) {
    const choices = await ask({
      name: 'collision',
      verb: 'upload',
      folder,
      total: items.filter((item) => !item.isDir).length,
      conflicts: colliding.map((item) => conflictOf(item, destination, twins)),
    })
    if (!choices) return undefined
    for (const [index, item] of colliding.entries()) decisions.set(item, choices[index] ?? 'skip')
  }
  return decide(items, destination, decisions)
}

/** @returns folders first, outer before inner, also those that only occur in a file's path; then the files */
function itemsOf(picks: readonly FilePick[], root: TreePath): Item[] {
  const folders = new Map<TreePath, Item>()
  const files: Item[] = []
  const itemOf = (path: TreePath, file: File | null, isDir: boolean, error?: unknown): Item => ({
    path,
    relativePath: relativeTo(root, path),
    file,
    isDir,
    error,
  })
  const addFolder = (path: TreePath, error?: unknown) => {
    if (path === root) return
    addFolder(parentPath(path))
    const known = folders.get(path)
    folders.set(path, itemOf(path, null, true, error ?? known?.error))
  }
  for (const { file, path: pickedPath, isDir, error } of picks) {
    const path = joinPath(root, pickedPath)
    if (isDir) addFolder(path, error)
    else addFolder(parentPath(path))
    if (!isDir) files.push(itemOf(path, file, isDir, error))
  }
  return [...folders.values(), ...files]
}

function relativeTo(root: TreePath, path: TreePath): string {
  return relativePath(path, root).slice(1)
}

/** @returns the items whose path an item before them has; two folders of one path are merged instead */
function findTwins(items: readonly Item[], { keyOf }: Destination): Set<Item> {
  const keys = new Set<string>()
  const twins = new Set<Item>()
  for (const item of items) {
    const key = keyOf(item.path)
    if (keys.has(key) && !item.isDir) twins.add(item)
    keys.add(key)
  }
  return twins
}

/** @returns the items about which the user is asked: their path is taken. Their twins are among them. */
function findColliding(
  items: readonly Item[],
  destination: Destination,
  twins: ReadonlySet<Item>,
): Item[] {
  const keys = new Set<string>()
  return items.filter((item) => {
    const key = destination.keyOf(item.path)
    const taken = takenAt(item, destination)
    // Two folders of the same name are merged.
    const collides = taken !== undefined && !(taken.isDir && item.isDir) && !twins.has(item)
    // One question for both spellings of a folder.
    if (collides && item.isDir && keys.has(key)) return false
    if (collides) keys.add(key)
    return collides || (twins.has(item) && keys.has(key))
  })
}

/** What has the path of the item already, or soon. */
function takenAt(item: Item, destination: Destination): Pick<FileSummary, 'isDir'> | undefined {
  return destination.entryAt(item) ?? destination.runningAt(item)
}

function conflictOf(item: Item, destination: Destination, twins: ReadonlySet<Item>): Conflict {
  const running = destination.runningAt(item)
  return {
    name: item.relativePath,
    existing: (running && factsOf(running)) ??
      destination.entryAt(item) ?? { size: 0, modified: '', isDir: false },
    incoming: factsOf(item),
    isSibling: running !== undefined || twins.has(item),
  }
}

function factsOf({ file, isDir }: Running): FileSummary {
  const modified = new Date(file?.lastModified ?? Date.now()).toISOString()
  return { size: file?.size ?? 0, modified, isDir }
}

/** Applies the decisions: which item is stored under which name, and which is skipped. */
function decide(
  items: readonly Item[],
  destination: Destination,
  decisions: ReadonlyMap<Item, ConflictChoice>,
): Plan {
  const plan: Plan = { folders: [], uploads: [], unreadable: [] }
  const nameFor = nameChooser(items, destination)
  /** The destination of each folder of the upload, by its key; a folder without one is skipped with its content. */
  const targets = new Map<string, TreePath>()
  for (const item of items) {
    const { file, relativePath, isDir, error } = item
    const key = destination.keyOf(item.path)
    // The other spelling of a folder is merged with it.
    const merged = isDir ? targets.get(key) : undefined
    if (merged !== undefined && error !== undefined) plan.unreadable.push(failureOf(item, merged))
    if (merged !== undefined) continue
    const decision = decisions.get(item)
    const parent = parentPath(item.path)
    const into = isTopLevel(item) ? parent : targets.get(destination.keyOf(parent))
    if (into === undefined || decision === 'skip') continue
    const existing = destination.entryAt(item)
    const running = destination.runningAt(item)
    // What is there keeps its spelling.
    const taken = existing?.name ?? nameOf(running?.path ?? item.path)
    const path = joinPath(into, decision === 'keepBoth' ? nameFor(item) : taken)
    if (isDir) targets.set(key, path)
    if (error !== undefined || !(isDir || file)) plan.unreadable.push(failureOf(item, path))
    if (isDir && decision === undefined && (existing ?? running)?.isDir) continue
    if (isDir) plan.folders.push(path)
    else if (file) plan.uploads.push({ file, path, relativePath, override: decision === 'replace' })
  }
  return { ...plan, folders: innermost(plan.folders) }
}

/** What of the item is missing at the destination. */
function failureOf({ isDir, error }: Item, path: TreePath): Unreadable {
  const cause = { cause: error }
  const failure = isDir ? new UnreadableFolderError('', cause) : new UnreadableFileError('', cause)
  return { path, isDir, error: failure }
}

/** Finds names that are free at the destination and in the upload itself. */
function nameChooser(items: readonly Item[], destination: Destination): (item: Item) => string {
  /** The keys of the paths that the upload uses. */
  const keys = new Set(items.map(({ path }) => destination.keyOf(path)))
  /** The last number that was given, by the key of the path. */
  const numbers = new Map<string, number>()
  return (item) => {
    const key = destination.keyOf(item.path)
    for (let number = (numbers.get(key) ?? 0) + 1; ; number += 1) {
      const name = numberedName(nameOf(item.path), number, item.isDir)
      const renamed = { ...item, path: joinPath(parentPath(item.path), name) }
      const renamedKey = destination.keyOf(renamed.path)
      if (keys.has(renamedKey) || takenAt(renamed, destination)) continue
      keys.add(renamedKey)
      numbers.set(key, number)
      return name
    }
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
