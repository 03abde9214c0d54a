/** Keeps a name table equal to the tree on the disk: reads everything once, then what has changed. */
import { errnoOf } from '#server/os/errno.ts'
import type {
  FolderContents,
  FolderVersion,
  TreeReader,
} from '#server/storage/local/confine/tree-reader.ts'
import { DEPTH_MAX, parentPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { FOLDER_BITS, TOP } from './name-columns.ts'
import type { FolderChange, NameTable } from './name-table.ts'

/** Maximum time between two turns of the event loop, and so the delay of a search. */
const SLICE_MS = 5
/** Errors for a folder that does not exist. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP']
/** Errors for a folder that cannot be listed. */
const REFUSED = ['EACCES', 'EPERM']

export class TableUpdater {
  readonly #table: NameTable
  readonly #reader: TreeReader
  /** Called after the table was compacted. */
  readonly #onCompacted: (newIds: Uint32Array) => void
  /** Folders that the newest search has checked. */
  readonly #rechecked = new Set<number>()

  constructor(table: NameTable, reader: TreeReader, onCompacted: (newIds: Uint32Array) => void) {
    this.#table = table
    this.#reader = reader
    this.#onCompacted = onCompacted
  }

  /**
   * Reads the whole tree in slices.
   *
   * @param mayContinue called between slices; false stops the reading
   * @returns false if it was stopped
   */
  async readAll(mayContinue: () => boolean): Promise<boolean> {
    const pending = [TOP]
    let sliceEnd = performance.now() + SLICE_MS
    for (let index = 0; index < pending.length; index += 1) {
      pending.push(...this.#read(pending[index] ?? TOP).fresh)
      if (performance.now() < sliceEnd) continue
      await new Promise(setImmediate)
      if (!mayContinue()) return false
      sliceEnd = performance.now() + SLICE_MS
    }
    return mayContinue()
  }

  /**
   * Checks every folder in slices, and reads those that have changed.
   *
   * @param everything reads all folders, to update the sizes of files
   * @param mayContinue as of `readAll`
   * @returns false if it was stopped
   */
  async check(everything: boolean, mayContinue: () => boolean): Promise<boolean> {
    let sliceEnd = performance.now() + SLICE_MS
    for (let folder = 0; folder < this.#table.folders; folder += 1) {
      if (!this.#table.isLive(folder)) continue
      if (everything) this.#apply([folder])
      else this.#checkOne(folder)
      if (performance.now() < sliceEnd) continue
      await new Promise(setImmediate)
      if (!mayContinue()) return false
      sliceEnd = performance.now() + SLICE_MS
    }
    this.#compactIfSparse()
    return mayContinue()
  }

  /** Reads changed paths again, with everything below them. */
  refresh(paths: readonly TreePath[]): void {
    const find = this.#finder()
    const foldersBefore = new Map(paths.map((path) => [path, find(path)]))
    this.#apply([...new Set(paths.map((path) => this.#nearest(parentPath(path), find)))])
    const findNow = this.#finder()
    for (const [path, folder] of foldersBefore) {
      // A new folder was read completely; an existing one may have been merged into.
      if (folder === undefined || findNow(path) !== folder) continue
      for (const subtree of this.#tree(folder)) this.#checkOne(subtree)
    }
    this.#compactIfSparse()
  }

  /** Starts a search that checks each folder with results. */
  beginRechecks(): void {
    this.#rechecked.clear()
  }

  /** Checks a folder once in a search, and those above it if it is gone. */
  recheck(folder: number): void {
    if (this.#rechecked.has(folder) || !this.#table.isLive(folder)) return
    this.#rechecked.add(folder)
    this.#checkOne(folder)
  }

  /** @returns a folder by its path; undefined if it is unknown */
  find(path: TreePath): number | undefined {
    let folder = TOP
    for (const name of segmentsOf(path)) {
      const below = this.#table.subfolder(folder, name)
      if (below === undefined) return undefined
      folder = below
    }
    return folder
  }

  /** @returns the folders at or below `root` that could not be read; undefined if there are more than `countMax` */
  uncoveredBelow(root: number, countMax: number): TreePath[] | undefined {
    const paths: TreePath[] = []
    const table = this.#table
    for (let folder = 0; folder < table.folders; folder += 1) {
      if (!table.isLive(folder) || !table.hasBit(folder, FOLDER_BITS.uncovered)) continue
      let ancestor = folder
      while (ancestor !== root && ancestor !== TOP) ancestor = table.parent.get(ancestor)
      if (ancestor !== root) continue
      if (paths.length === countMax) return undefined
      paths.push(table.pathOf(folder))
    }
    return paths
  }

  #checkOne(folder: number): void {
    const table = this.#table
    const version = this.#versionOf(folder)
    if (version && table.isCurrent(folder, version)) return
    if (folder !== TOP && version?.ino !== table.ino.get(folder)) {
      // The folder was removed or replaced, which the folders above it show.
      this.#checkOne(table.parent.get(folder))
      if (!table.isLive(folder)) return
    }
    this.#apply([folder])
  }

  #versionOf(folder: number): FolderVersion | undefined {
    try {
      return this.#reader.version(this.#table.pathOf(folder))
    } catch {
      return undefined
    }
  }

  /**
   * Reads folders again. A folder that was moved between two of them keeps its id.
   *
   * @param isFinal a folder that is missing now was removed, because all folders that could contain it were read
   */
  #apply(folders: readonly number[], isFinal = false): void {
    const table = this.#table
    // Inode → id of a folder that is no longer in its parent folder.
    const detached = new Map<number, number>()
    const unread: number[] = []
    const missing: number[] = []
    const adopted: number[] = []
    const collect = (folder: number, change: FolderChange | undefined) => {
      if (!change) missing.push(folder)
      for (const detachedFolder of change?.detached ?? [])
        detached.set(table.ino.get(detachedFolder), detachedFolder)
      unread.push(...(change?.fresh ?? []))
    }
    for (const folder of folders) {
      if (table.isLive(folder)) collect(folder, this.#readIfExists(folder, isFinal))
    }
    for (let fresh = unread.pop(); fresh !== undefined; fresh = unread.pop()) {
      const ino = table.ino.get(fresh)
      const moved = detached.get(ino)
      detached.delete(ino)
      if (moved !== undefined) {
        table.adopt(fresh, moved)
        adopted.push(moved)
      }
      const folder = moved ?? fresh
      collect(folder, this.#read(folder))
    }
    for (const folder of detached.values()) table.drop(folder)
    if (missing.length > 0) this.#apply(missing, true)
    // Changes inside a moved folder were reported under its old path.
    const adoptedTree = new Set(adopted.flatMap((folder) => [...this.#tree(folder)]))
    for (const folder of adoptedTree) if (table.isLive(folder)) this.#checkOne(folder)
  }

  /** @returns undefined if the folder does not exist under its name, but may exist under another */
  #readIfExists(folder: number, isFinal: boolean): FolderChange | undefined {
    return isFinal || this.#versionOf(folder) ? this.#read(folder) : undefined
  }

  #read(folder: number): FolderChange {
    const table = this.#table
    // A path cannot be deeper, so no listing contains more.
    if (table.depthOf(folder) >= DEPTH_MAX) return table.forget(folder, 'uncovered')
    let contents: FolderContents
    try {
      contents = this.#reader.read(table.pathOf(folder))
    } catch (error) {
      const code = errnoOf(error) ?? ''
      if (GONE.includes(code)) return table.forget(folder, 'gone')
      return table.forget(folder, REFUSED.includes(code) ? 'refused' : 'uncovered')
    }
    return table.update(folder, contents)
  }

  /** `find` for many paths while nothing changes, which reads each folder's names once. */
  #finder(): (path: TreePath) => number | undefined {
    const table = this.#table
    const namesByFolder = new Map<number, Map<string, number>>()
    const namesIn = (folder: number) => {
      const names = namesByFolder.get(folder) ?? new Map()
      if (namesByFolder.has(folder)) return names
      for (const subfolder of table.subfolders(folder))
        names.set(table.text.textOf(table.name.get(subfolder)), subfolder)
      namesByFolder.set(folder, names)
      return names
    }
    return (path) => {
      let folder: number | undefined = TOP
      for (const name of segmentsOf(path)) {
        if (folder !== undefined) folder = namesIn(folder).get(name)
      }
      return folder
    }
  }

  /** @returns the folder at a path, or the nearest known one above it */
  #nearest(path: TreePath, find: (path: TreePath) => number | undefined): number {
    for (let ancestor = path; ancestor !== ROOT; ancestor = parentPath(ancestor)) {
      const folder = find(ancestor)
      if (folder !== undefined) return folder
    }
    return TOP
  }

  /** Yields a folder and all folders below it. */
  *#tree(top: number): Generator<number> {
    const pending = [top]
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      yield folder
      pending.push(...this.#table.subfolders(folder))
    }
  }

  #compactIfSparse(): void {
    if (this.#table.isSparse) this.#onCompacted(this.#table.compact())
  }
}
