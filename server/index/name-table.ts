/** Updates the table of names: adds, moves and removes the content of folders. */
import { typeByEnding } from '#server/files/file-types.ts'
import type { FolderContents, FolderVersion } from '#server/storage/local/confine/tree-reader.ts'
import { foldText } from '#wire/fold.ts'
import type { Column } from './columns.ts'
import { BITS, FOLDER_BITS, NameColumns, NONE } from './name-columns.ts'

/** With fewer removed names, the table is not compacted. */
const COMPACT_MIN = 50_000
/** A folder changed this recently may change again without a new timestamp. */
const TICK_MS = 2000

/** Changes of a folder's subfolders after it was read again. */
export interface FolderChange {
  /** Ids of new subfolders, which must be read. */
  fresh: number[]
  /** Ids of missing subfolders, which were moved or removed. */
  detached: number[]
}

export class NameTable extends NameColumns {
  /** Folder ids that can be used again. */
  readonly #free: number[] = []

  /** @param columns of a saved table, in the order of `columns` */
  constructor(columns: readonly ArrayBuffer[] = []) {
    super(columns)
    if (this.folders === 0) this.#newFolder(NONE, NONE)
    for (let id = 0; id < this.folders; id += 1) if (!this.isLive(id)) this.#free.push(id)
  }

  /** Replaces the content of a folder. */
  update(folder: number, contents: FolderContents): FolderChange {
    const change: FolderChange = { fresh: [], detached: [] }
    const oldNames = this.#namesIn(folder)
    // Name id → folder id of the subfolders.
    const below = new Map<number, number>()
    for (const subfolder of this.subfolders(folder)) below.set(this.name.get(subfolder), subfolder)
    let [last, bytes] = [NONE, 0]
    this.first.set(folder, NONE)
    this.firstFolder.set(folder, NONE)
    for (const [index, name] of contents.names.entries()) {
      const kind = contents.kinds[index] ?? 'other'
      const ino = contents.inodes[index] ?? 0
      const knownId = oldNames?.get(name)
      const isSame =
        knownId !== undefined && this.#isUnchanged(knownId, kind, ino, below.get(knownId))
      const id = isSame ? knownId : this.#newName(folder, name, kind)
      if (isSame) oldNames?.delete(name)
      const subfolder = isSame ? below.get(id) : undefined
      if (subfolder !== undefined) this.#link(subfolder)
      else if (kind === 'folder') change.fresh.push(this.#newFolder(folder, id, ino))
      if (last === NONE) this.first.set(folder, id)
      else this.next.set(last, id)
      this.next.set(id, NONE)
      last = id
      bytes += contents.sizes[index] ?? 0
    }
    for (const id of oldNames?.values() ?? []) {
      this.#markGone(id)
      const subfolder = below.get(id)
      if (subfolder === undefined) continue
      this.#addBytes(folder, -this.allBytes.get(subfolder))
      change.detached.push(subfolder)
    }
    this.#addBytes(folder, bytes - this.ownBytes.get(folder))
    this.ownBytes.set(folder, bytes)
    this.setBit(folder, FOLDER_BITS.foldsCase, contents.foldsCase)
    this.setBit(folder, FOLDER_BITS.uncovered, false)
    this.setBit(folder, FOLDER_BITS.refused, false)
    this.#setVersion(folder, contents.version)
    return change
  }

  /**
   * Removes the content of a folder and keeps its name.
   *
   * @param why `uncovered`: the folder could not be read, so that a walk must search it; `refused`: the server may not list
   *   it, and no walk could
   */
  forget(folder: number, why: 'gone' | 'uncovered' | 'refused'): FolderChange {
    const version = { ino: this.ino.get(folder), modifiedMs: 0, changedMs: 0 }
    const foldsCase = this.hasBit(folder, FOLDER_BITS.foldsCase)
    const nothing = { names: [], kinds: [], sizes: [], inodes: [] }
    const change = this.update(folder, { ...nothing, version, foldsCase })
    if (why !== 'gone') this.setBit(folder, FOLDER_BITS[why], true)
    return change
  }

  /** Replaces a new folder by a detached one, which is the same folder with another path, and keeps its content. */
  adopt(fresh: number, detached: number): void {
    this.name.set(detached, this.name.get(fresh))
    this.parent.set(detached, this.parent.get(fresh))
    this.#unlink(fresh)
    this.#release(fresh)
    this.#link(detached)
    this.#addBytes(this.parent.get(detached), this.allBytes.get(detached))
  }

  /** Removes a detached folder with its content. */
  drop(detached: number): void {
    const pending = [detached]
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      pending.push(...this.subfolders(folder))
      for (let id = this.first.get(folder); id !== NONE; id = this.next.get(id)) this.#markGone(id)
      this.#release(folder)
    }
  }

  /** Whether compacting would free a third. */
  get isSparse(): boolean {
    return this.removedCount > COMPACT_MIN && this.removedCount * 3 > this.names
  }

  /**
   * Removes the gaps of removed names.
   *
   * @returns the new id of each name; `NONE` for a removed one
   */
  compact(): Uint32Array {
    const newIds = new Uint32Array(this.names).fill(NONE)
    const isKept = (id: number) => !this.isGone(id)
    this.text.retain(isKept)
    this.folded.retain(isKept)
    let count = 0
    for (let id = 0; id < this.names; id += 1) {
      if (this.isGone(id)) continue
      newIds[id] = count
      this.bits.set(count, this.bits.get(id))
      this.holder.set(count, this.holder.get(id))
      this.next.set(count, this.next.get(id))
      count += 1
    }
    for (const column of [this.bits, this.holder, this.next]) column.truncate(count)
    const newIdOf = (id: number) => (id === NONE ? NONE : (newIds[id] ?? NONE))
    for (let id = 0; id < count; id += 1) this.next.set(id, newIdOf(this.next.get(id)))
    for (let folder = 0; folder < this.folders; folder += 1) {
      this.first.set(folder, newIdOf(this.first.get(folder)))
      this.name.set(folder, newIdOf(this.name.get(folder)))
    }
    this.removedCount = 0
    return newIds
  }

  #namesIn(folder: number): Map<string, number> | undefined {
    if (this.first.get(folder) === NONE) return undefined
    const names = new Map<string, number>()
    for (let id = this.first.get(folder); id !== NONE; id = this.next.get(id)) {
      names.set(this.text.textOf(id), id)
    }
    return names
  }

  #isUnchanged(name: number, kind: string, ino: number, folder: number | undefined): boolean {
    const bits = this.bits.get(name)
    const storedKind = bits & BITS.folder ? 'folder' : bits & BITS.link ? 'link' : 'other'
    return storedKind === kind && (folder === undefined || this.ino.get(folder) === ino)
  }

  #newName(folder: number, name: string, kind: string): number {
    const type = typeByEnding(name)
    const media = type === 'image' || type === 'audio' || type === 'video' ? BITS[type] : 0
    const kindBits = kind === 'folder' ? BITS.folder : kind === 'link' ? BITS.link : 0
    this.text.push(name)
    this.folded.push(foldText(name))
    this.bits.push(kindBits | media)
    this.holder.push(folder)
    this.next.push(NONE)
    return this.names - 1
  }

  #newFolder(parent: number, name: number, ino = 0): number {
    const values: [Column<Uint8Array<ArrayBuffer>>, number][] = [
      [this.folderBits, FOLDER_BITS.live],
    ]
    const links: [Column<Uint32Array<ArrayBuffer>>, number][] = [
      [this.parent, parent],
      [this.name, name],
      [this.first, NONE],
      [this.firstFolder, NONE],
      [this.nextFolder, NONE],
    ]
    const numbers: [Column<Float64Array<ArrayBuffer>>, number][] = [
      [this.ino, ino],
      [this.modifiedMs, 0],
      [this.changedMs, 0],
      [this.ownBytes, 0],
      [this.allBytes, 0],
    ]
    const free = this.#free.pop()
    for (const [column, value] of [...values, ...links, ...numbers]) {
      if (free === undefined) column.push(value)
      else column.set(free, value)
    }
    const folder = free ?? this.folders - 1
    if (parent !== NONE) this.#link(folder)
    return folder
  }

  #link(folder: number): void {
    const parent = this.parent.get(folder)
    this.nextFolder.set(folder, this.firstFolder.get(parent))
    this.firstFolder.set(parent, folder)
  }

  #unlink(folder: number): void {
    const parent = this.parent.get(folder)
    let before = NONE
    for (const subfolder of this.subfolders(parent)) {
      if (subfolder !== folder) {
        before = subfolder
        continue
      }
      const next = this.nextFolder.get(folder)
      if (before === NONE) this.firstFolder.set(parent, next)
      else this.nextFolder.set(before, next)
      return
    }
  }

  #release(folder: number): void {
    this.folderBits.set(folder, 0)
    this.#free.push(folder)
  }

  #markGone(name: number): void {
    if (this.isGone(name)) return
    this.bits.set(name, this.bits.get(name) | BITS.gone)
    this.removedCount += 1
  }

  #addBytes(folder: number, bytes: number): void {
    if (bytes === 0) return
    for (let ancestor = folder; ancestor !== NONE; ancestor = this.parent.get(ancestor)) {
      this.allBytes.set(ancestor, this.allBytes.get(ancestor) + bytes)
    }
  }

  #setVersion(folder: number, { ino, modifiedMs, changedMs }: FolderVersion): void {
    const isSettled = Date.now() - Math.max(modifiedMs, changedMs) > TICK_MS
    this.ino.set(folder, ino)
    this.modifiedMs.set(folder, modifiedMs)
    // NaN equals no time, so the folder is read again at the next check.
    this.changedMs.set(folder, isSettled ? changedMs : Number.NaN)
  }
}
