/** Keeps a table of names equal to the tree on the disk: reads it once, and again what has changed. */
import { errnoOf } from '#server/os/errno.ts'
import type { FolderContents, FolderVersion, TreeReader } from '#server/storage/tree-reader.ts'
import { DEPTH_MAX, parentPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { FOLDER_BITS, TOP } from './name-columns.ts'
import type { FolderChange, NameTable } from './name-table.ts'

/** Work between two turns of the event loop: a search waits no longer. */
const SLICE_MS = 5
/** No such folder, by itself: nothing is in it for a listing either. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP']
/** A listing is refused to everybody. */
const REFUSED = ['EACCES', 'EPERM']

export class Keeper {
  readonly #table: NameTable
  readonly #reader: TreeReader
  readonly #compacted: (now: Uint32Array) => void
  /** Folders that one search has looked at again. */
  readonly #looked = new Set<number>()

  constructor(table: NameTable, reader: TreeReader, compacted: (now: Uint32Array) => void) {
    this.#table = table
    this.#reader = reader
    this.#compacted = compacted
  }

  /**
   * Reads the whole tree, in slices.
   *
   * @param goesOn asked between slices; false ends it
   */
  async readAll(goesOn: () => boolean): Promise<boolean> {
    const pending = [TOP]
    let until = performance.now() + SLICE_MS
    for (let at = 0; at < pending.length; at += 1) {
      pending.push(...this.#read(pending[at] ?? TOP).fresh)
      if (performance.now() < until) continue
      await new Promise(setImmediate)
      if (!goesOn()) return false
      until = performance.now() + SLICE_MS
    }
    return goesOn()
  }

  /**
   * Looks at every folder, in slices, and reads those that have changed.
   *
   * @param everything reads all, for the sizes of files that were changed where they are
   */
  async check(everything: boolean, goesOn: () => boolean): Promise<boolean> {
    let until = performance.now() + SLICE_MS
    for (let folder = 0; folder < this.#table.folders; folder += 1) {
      if (!this.#table.isLive(folder)) continue
      if (everything) this.#apply([folder])
      else this.#checkOne(folder)
      if (performance.now() < until) continue
      await new Promise(setImmediate)
      if (!goesOn()) return false
      until = performance.now() + SLICE_MS
    }
    this.#compactIfSparse()
    return goesOn()
  }

  /** Reads again what was changed at these paths, and what it holds. */
  refresh(paths: readonly TreePath[]): void {
    const find = this.#finder()
    const before = new Map(paths.map((path) => [path, find(path)]))
    this.#apply([...new Set(paths.map((path) => this.#nearest(parentPath(path), find)))])
    const findNow = this.#finder()
    for (const [path, folder] of before) {
      // What is new under this name has been read. What is still there may have been merged into.
      if (folder === undefined || findNow(path) !== folder) continue
      for (const each of this.#tree(folder)) this.#checkOne(each)
    }
    this.#compactIfSparse()
  }

  /** A search begins that looks again at each folder in which it finds something. */
  beginLooking(): void {
    this.#looked.clear()
  }

  /** Looks at a folder again, unless this search has done so, and at those above when it is gone. */
  look(folder: number): void {
    if (this.#looked.has(folder) || !this.#table.isLive(folder)) return
    this.#looked.add(folder)
    this.#checkOne(folder)
  }

  /** A folder by its path; undefined where none is known. */
  find(path: TreePath): number | undefined {
    let folder = TOP
    for (const name of segmentsOf(path)) {
      const below = this.#table.subfolder(folder, name)
      if (below === undefined) return undefined
      folder = below
    }
    return folder
  }

  /** Folders below one that could not be read, though a listing might be; undefined for too many. */
  uncoveredBelow(top: number, most: number): TreePath[] | undefined {
    const paths: TreePath[] = []
    const table = this.#table
    for (let folder = 0; folder < table.folders; folder += 1) {
      if (!table.isLive(folder) || !table.has(folder, FOLDER_BITS.uncovered)) continue
      let at = folder
      while (at !== top && at !== TOP) at = table.parent.get(at)
      if (at !== top) continue
      if (paths.length === most) return undefined
      paths.push(table.pathOf(folder))
    }
    return paths
  }

  #checkOne(folder: number): void {
    const table = this.#table
    const version = this.#versionOf(folder)
    if (version && table.isCurrent(folder, version)) return
    if (folder !== TOP && version?.ino !== table.ino.get(folder)) {
      // Another folder has its name, or none: those above tell.
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
   * Reads folders again. A folder that was moved from one to another of them stays what it is.
   *
   * @param settled none of them is found elsewhere later on: what is not there is gone
   */
  #apply(folders: readonly number[], settled = false): void {
    const table = this.#table
    const detached = new Map<number, number>()
    const unread: number[] = []
    const missing: number[] = []
    const adopted: number[] = []
    const take = (folder: number, change: FolderChange | undefined) => {
      if (!change) missing.push(folder)
      for (const each of change?.detached ?? []) detached.set(table.ino.get(each), each)
      unread.push(...(change?.fresh ?? []))
    }
    for (const folder of folders) {
      if (table.isLive(folder)) take(folder, this.#readIfThere(folder, settled))
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
      take(folder, this.#read(folder))
    }
    for (const folder of detached.values()) table.drop(folder)
    if (missing.length > 0) this.#apply(missing, true)
    // What changed in there before the move was told under a name that is gone.
    const inside = new Set(adopted.flatMap((folder) => [...this.#tree(folder)]))
    for (const folder of inside) if (table.isLive(folder)) this.#checkOne(folder)
  }

  /** @returns undefined where the folder is not under its name, and may be under another one */
  #readIfThere(folder: number, settled: boolean): FolderChange | undefined {
    return settled || this.#versionOf(folder) ? this.#read(folder) : undefined
  }

  #read(folder: number): FolderChange {
    const table = this.#table
    // A listing goes no deeper, seen from wherever it begins.
    if (table.depthOf(folder) >= DEPTH_MAX) return table.forget(folder, true)
    let contents: FolderContents
    try {
      contents = this.#reader.read(table.pathOf(folder))
    } catch (error) {
      const code = errnoOf(error) ?? ''
      return table.forget(folder, !GONE.includes(code) && !REFUSED.includes(code))
    }
    return table.update(folder, contents)
  }

  /** `find` for many paths while nothing changes: each folder's names are read once. */
  #finder(): (path: TreePath) => number | undefined {
    const table = this.#table
    const known = new Map<number, Map<string, number>>()
    const namesIn = (folder: number) => {
      const names = known.get(folder) ?? new Map()
      if (known.has(folder)) return names
      for (const at of table.subfolders(folder))
        names.set(table.text.textOf(table.name.get(at)), at)
      known.set(folder, names)
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

  /** The folder at a path, or the nearest one above it that is known. */
  #nearest(path: TreePath, find: (path: TreePath) => number | undefined): number {
    for (let at = path; at !== ROOT; at = parentPath(at)) {
      const folder = find(at)
      if (folder !== undefined) return folder
    }
    return TOP
  }

  *#tree(top: number): Generator<number> {
    const pending = [top]
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      yield folder
      pending.push(...this.#table.subfolders(folder))
    }
  }

  #compactIfSparse(): void {
    if (this.#table.isSparse) this.#compacted(this.#table.compact())
  }
}
