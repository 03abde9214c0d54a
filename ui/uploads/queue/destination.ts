/** Which names are taken where files are uploaded to: by the server, by the upload itself and by uploads that run. */
import { list } from '#ui/api/files/resources.ts'
import { type FolderNames, NO_NAMES, namesIn } from '#ui/lib/entries/folder-names.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { Entry } from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'
import { isInside, joinPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'

/** A file or folder to upload. */
export interface Item {
  /** The destination, if no name there is taken. */
  path: TreePath
  relativePath: string
  /** Null for a folder, and for a file that the browser cannot open. */
  file: File | null
  isDir: boolean
  /** Why the browser cannot open the file, or cannot list the folder to its end. */
  error?: unknown
}

/** A file or folder that a running upload sends or creates. */
export type Running = Pick<Item, 'path' | 'file' | 'isDir'>

export interface Destination {
  /** The entry that the server has at the path of the item. */
  entryAt(item: Item): Entry | undefined
  /** What a running upload stores at the path of the item. */
  runningAt(item: Item): Running | undefined
  /** Equal for paths at which the disk can have one file only: their names differ at most in Unicode form or case. */
  keyOf(path: TreePath): string
}

/**
 * Lists the destination, then level by level those folders of the upload that exist there already.
 *
 * @param running what is being sent. It is read by the caller before this call, so that nothing is missed that arrives
 *   while the folders are listed.
 * @throws Fault if a folder cannot be listed
 */
export async function scanDestination(
  items: readonly Item[],
  root: TreePath,
  running: readonly Running[],
): Promise<Destination> {
  const existing = await scanFolders(items, root)
  const namesOf = (folder: TreePath): FolderNames => {
    const names = existing.get(folder)
    if (names || folder === root || !isInside(folder, root)) return names ?? NO_NAMES
    const ofNew = namesOf(parentPath(folder)).ofNewFolder()
    existing.set(folder, ofNew)
    return ofNew
  }
  const keys = new Map<TreePath, string>([[root, '']])
  const keyOf = (path: TreePath): string => {
    const known = keys.get(path)
    if (known !== undefined) return known
    const parent = parentPath(path)
    const key = `${keyOf(parent)}/${namesOf(parent).keyOf(nameOf(path))}`
    keys.set(path, key)
    return key
  }
  const runningByKey = new Map(
    withParents(running, root).map((one) => [keyOf(one.path), one] as const),
  )
  return {
    entryAt: ({ path }) => namesOf(parentPath(path)).find(nameOf(path)),
    runningAt: ({ path }) => runningByKey.get(keyOf(path)),
    keyOf,
  }
}

/** The names in each folder that exists already, by its path as it is uploaded. */
type Existing = Map<TreePath, FolderNames>

/** A folder of the upload that exists already: its path there, and how the server spells it. */
interface ScannedFolder {
  folder: TreePath
  disk: TreePath
}

async function scanFolders(items: readonly Item[], root: TreePath): Promise<Existing> {
  const existing: Existing = new Map()
  const inner = Map.groupBy(items, (item) => (item.isDir ? parentPath(item.path) : undefined))
  const scan = async ({ folder, disk }: ScannedFolder): Promise<ScannedFolder[]> => {
    const names = await namesAt(disk)
    if (names) existing.set(folder, names)
    return (inner.get(folder) ?? []).flatMap(({ path }) => {
      const entry = names?.find(nameOf(path))
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

async function namesAt(folder: TreePath): Promise<FolderNames | undefined> {
  try {
    return namesIn(await list(folder))
  } catch (error) {
    if (isFault(error, 'notFound')) return undefined
    throw error
  }
}

/** The running uploads below `root`, and the folders that they create on the way. */
function withParents(running: readonly Running[], root: TreePath): Running[] {
  const all: Running[] = []
  const folders = new Set<TreePath>()
  for (const one of running) {
    if (one.path === root || !isInside(one.path, root)) continue
    all.push(one)
    for (let path = parentPath(one.path); path !== root && !folders.has(path); ) {
      folders.add(path)
      all.push({ path, file: null, isDir: true })
      path = parentPath(path)
    }
  }
  return all
}
