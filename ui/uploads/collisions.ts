/** What an upload finds at its destination: names that are taken are asked about once, before a byte. */

import { list } from '#ui/api/resources.ts'
import type { FilePick } from '#ui/lib/drag-files.ts'
import { freeName } from '#ui/lib/names.ts'
import { ask, type Conflict, type Decision } from '#ui/state/prompts.ts'
import type { Entry } from '#wire/entry.ts'
import { isFault } from '#wire/fault.ts'
import { joinPath, nameOf, parentPath, relativePath, type TreePath } from '#wire/paths.ts'
import type { Upload } from './transport.ts'

export interface Plan {
  /** Folders to be made, each with its parents. */
  folders: TreePath[]
  uploads: Upload[]
  /** Where files would have gone that the browser cannot open. */
  unreadable: TreePath[]
}

interface Item {
  path: TreePath
  relativePath: string
  file: File | null
  isDir: boolean
}

type Contents = ReadonlyMap<string, Entry>
/** What is in each folder that exists already. */
type Existing = Map<TreePath, Contents>

/** How many folders are looked into at a time. */
const LIST_AT_ONCE = 5
const NOTHING: Contents = new Map()

/**
 * Where each pick goes below `folder`; undefined when the person cancels.
 *
 * @throws Fault when the destination cannot be looked at
 */
export async function planUpload(
  picks: readonly FilePick[],
  folder: TreePath,
): Promise<Plan | undefined> {
  const items = itemsOf(picks, folder)
  const existing = await scanDestination(items, folder)
  const clashing = items.filter((item) => clashOf(item, existing))
  if (clashing.length === 0) return decide(items, existing, new Map())
  const decisions = await ask({
    name: 'collision',
    verb: 'upload',
    folder,
    total: items.filter((item) => !item.isDir).length,
    conflicts: clashing.map((item) => conflictOf(item, existing)),
  })
  if (!decisions) return undefined
  return decide(
    items,
    existing,
    new Map(clashing.map((item, at) => [item, decisions[at] ?? 'skip'])),
  )
}

/** Folders first and outer ones before inner ones, also those that only a file's path tells of. */
function itemsOf(picks: readonly FilePick[], root: TreePath): Item[] {
  const folders = new Map<TreePath, Item>()
  const files: Item[] = []
  const addFolder = (path: TreePath) => {
    if (path === root || folders.has(path)) return
    addFolder(parentPath(path))
    folders.set(path, { path, relativePath: relativeTo(root, path), file: null, isDir: true })
  }
  for (const { file, path: spelled, isDir } of picks) {
    const path = joinPath(root, spelled)
    addFolder(isDir ? path : parentPath(path))
    if (!isDir) files.push({ path, relativePath: relativeTo(root, path), file, isDir })
  }
  return [...folders.values(), ...files]
}

function relativeTo(root: TreePath, path: TreePath): string {
  return relativePath(path, root).slice(1)
}

/** Looks into the destination, and below it only where a folder of the upload exists already. */
async function scanDestination(items: readonly Item[], root: TreePath): Promise<Existing> {
  const existing: Existing = new Map()
  const inner = Map.groupBy(items, (item) => (item.isDir ? parentPath(item.path) : undefined))
  const scan = async (folder: TreePath) => {
    const contents = await contentsOf(folder)
    existing.set(folder, contents)
    const isThere = ({ path }: Item) => contents.get(nameOf(path))?.isDir
    return (inner.get(folder) ?? []).filter(isThere).map(({ path }) => path)
  }
  for (let level = [root]; level.length > 0; ) {
    const next: TreePath[] = []
    for (let at = 0; at < level.length; at += LIST_AT_ONCE) {
      const scans = level.slice(at, at + LIST_AT_ONCE).map(scan)
      next.push(...(await Promise.all(scans)).flat())
    }
    level = next
  }
  return existing
}

async function contentsOf(folder: TreePath): Promise<Contents> {
  try {
    const { items } = await list(folder)
    return new Map(items.map((entry) => [entry.name, entry]))
  } catch (error) {
    if (isFault(error, 'notFound')) return NOTHING
    throw error
  }
}

/** What already has the item's name. */
function clashAt(item: Item, existing: Existing): Entry | undefined {
  return existing.get(parentPath(item.path))?.get(nameOf(item.path))
}

/** The same, but two folders of one name simply become one. */
function clashOf(item: Item, existing: Existing): Entry | undefined {
  const entry = clashAt(item, existing)
  return entry?.isDir && item.isDir ? undefined : entry
}

function conflictOf(item: Item, existing: Existing): Conflict {
  const here = clashAt(item, existing)
  const modified = new Date(item.file?.lastModified ?? Date.now()).toISOString()
  return {
    name: item.relativePath,
    here: here ?? { size: 0, modified: '', isDir: false },
    own: { size: item.file?.size ?? 0, modified, isDir: item.isDir },
  }
}

/** Carries the decisions out: what goes where under which name, and what stays behind. */
function decide(
  items: readonly Item[],
  existing: Existing,
  decisions: ReadonlyMap<Item, Decision>,
): Plan {
  const plan: Plan = { folders: [], uploads: [], unreadable: [] }
  const nameFor = naming(items, existing)
  /** Where each folder of the upload goes; one that is absent stays behind with all within. */
  const targets = new Map<TreePath, TreePath>()
  for (const item of items) {
    const decision = decisions.get(item)
    const parent = parentPath(item.path)
    const into = isOuter(item) ? parent : targets.get(parent)
    if (into === undefined || decision === 'skip') continue
    const name = decision === 'keepBoth' ? nameFor(item) : nameOf(item.path)
    const path = joinPath(into, name)
    const { file, relativePath, isDir } = item
    if (isDir) targets.set(item.path, path)
    if (isDir && clashAt(item, existing)?.isDir) continue
    if (isDir) plan.folders.push(path)
    else if (file) plan.uploads.push({ file, path, relativePath, override: decision === 'replace' })
    else plan.unreadable.push(path)
  }
  return { ...plan, folders: innermost(plan.folders) }
}

/** Finds names that neither the destination nor the upload itself has. */
function naming(items: readonly Item[], existing: Existing): (item: Item) => string {
  const siblings = Map.groupBy(items, (item) => parentPath(item.path))
  const taken = new Map<TreePath, Set<string>>()
  return (item) => {
    const folder = parentPath(item.path)
    const own = siblings.get(folder)?.map(({ path }) => nameOf(path)) ?? []
    const names = taken.get(folder) ?? new Set([...(existing.get(folder)?.keys() ?? []), ...own])
    const name = freeName(nameOf(item.path), names, item.isDir)
    taken.set(folder, names.add(name))
    return name
  }
}

function isOuter({ relativePath }: Item): boolean {
  return !relativePath.includes('/')
}

/** Making a folder makes its parents, so the innermost are enough. */
function innermost(folders: readonly TreePath[]): TreePath[] {
  const parents = new Set(folders.map(parentPath))
  return folders.filter((folder) => !parents.has(folder))
}
