/**
 * The names of a tree in a few large arrays, which take a tenth of the memory of objects. The id of a name is valid
 * until the arrays are compacted; the id of a removed folder is reused.
 */
import type { FolderVersion } from '#server/storage/local/confine/tree-reader.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { Column, TextColumn } from './columns.ts'

/** No name or folder. */
export const NONE = 0xffff_ffff
export const TOP = 0

/** Flags of a name. */
export const BITS = { folder: 1, link: 2, gone: 4, image: 8, audio: 16, video: 32 } as const
/** Flags of a folder. `refused`: the server may not list it, so that its size is unknown. */
export const FOLDER_BITS = { live: 1, foldsCase: 2, uncovered: 4, refused: 8 } as const

export class NameColumns {
  // Indexed by name id:
  readonly text: TextColumn
  /** The folded name (wire/fold.ts). */
  readonly folded: TextColumn
  readonly bits: Column<Uint8Array<ArrayBuffer>>
  /** The folder that contains the name. */
  readonly holder: Column<Uint32Array<ArrayBuffer>>
  /** The next name in the same folder. */
  readonly next: Column<Uint32Array<ArrayBuffer>>
  // Indexed by folder id:
  readonly folderBits: Column<Uint8Array<ArrayBuffer>>
  readonly parent: Column<Uint32Array<ArrayBuffer>>
  /** The folder's name in its parent. */
  readonly name: Column<Uint32Array<ArrayBuffer>>
  /** The first name in the folder. */
  readonly first: Column<Uint32Array<ArrayBuffer>>
  /** The first subfolder of the folder, and the next subfolder of its parent. */
  readonly firstFolder: Column<Uint32Array<ArrayBuffer>>
  readonly nextFolder: Column<Uint32Array<ArrayBuffer>>
  readonly ino: Column<Float64Array<ArrayBuffer>>
  readonly modifiedMs: Column<Float64Array<ArrayBuffer>>
  readonly changedMs: Column<Float64Array<ArrayBuffer>>
  /** Bytes of the files in the folder, without and with subfolders. */
  readonly ownBytes: Column<Float64Array<ArrayBuffer>>
  readonly allBytes: Column<Float64Array<ArrayBuffer>>
  /** Removed names whose text is still in the arrays. */
  removedCount = 0

  /** @param columns of a saved table, in the order of `columns` */
  constructor(columns: readonly ArrayBuffer[] = []) {
    const [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = columns
    const bytes = (buffer?: ArrayBuffer) => buffer && new Uint8Array(buffer)
    const integers = (buffer?: ArrayBuffer) => buffer && new Uint32Array(buffer)
    const numbers = (buffer?: ArrayBuffer) => buffer && new Float64Array(buffer)
    this.text = new TextColumn(bytes(a), integers(b))
    this.folded = new TextColumn(bytes(c), integers(d))
    this.bits = new Column(Uint8Array, bytes(e))
    this.holder = new Column(Uint32Array, integers(f))
    this.next = new Column(Uint32Array, integers(g))
    this.folderBits = new Column(Uint8Array, bytes(h))
    this.parent = new Column(Uint32Array, integers(i))
    this.name = new Column(Uint32Array, integers(j))
    this.first = new Column(Uint32Array, integers(k))
    this.firstFolder = new Column(Uint32Array, integers(l))
    this.nextFolder = new Column(Uint32Array, integers(m))
    this.ino = new Column(Float64Array, numbers(n))
    this.modifiedMs = new Column(Float64Array, numbers(o))
    this.changedMs = new Column(Float64Array, numbers(p))
    this.ownBytes = new Column(Float64Array, numbers(q))
    this.allBytes = new Column(Float64Array, numbers(r))
    for (let id = 0; id < this.bits.length; id += 1) if (this.isGone(id)) this.removedCount += 1
  }

  /** All columns of the table. */
  columns(): Column<
    Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
  >[] {
    const { text, folded } = this
    const byName = [text.bytes, text.starts, folded.bytes, folded.starts, this.bits]
    const links = [this.holder, this.next]
    const byFolder = [this.folderBits, this.parent, this.name, this.first]
    const below = [this.firstFolder, this.nextFolder]
    const numbers = [this.ino, this.modifiedMs, this.changedMs, this.ownBytes, this.allBytes]
    return [...byName, ...links, ...byFolder, ...below, ...numbers] as Column<
      Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
    >[]
  }

  /** Memory of the arrays. */
  get sizeBytes(): number {
    return this.columns().reduce((sum, { array }) => sum + array.byteLength, 0)
  }

  /** Number of name ids, including removed names. */
  get names(): number {
    return this.bits.length
  }

  get folders(): number {
    return this.folderBits.length
  }

  isGone(name: number): boolean {
    return (this.bits.get(name) & BITS.gone) !== 0
  }

  isLive(folder: number): boolean {
    return (this.folderBits.get(folder) & FOLDER_BITS.live) !== 0
  }

  /** @param bit of `FOLDER_BITS` */
  hasBit(folder: number, bit: number): boolean {
    return (this.folderBits.get(folder) & bit) !== 0
  }

  /** @param bit of `FOLDER_BITS` */
  setBit(folder: number, bit: number, isSet: boolean): void {
    const bits = this.folderBits.get(folder)
    this.folderBits.set(folder, isSet ? bits | bit : bits & ~bit)
  }

  /** The path from the root of the tree. The names in it are from the kernel, so they need no checks. */
  pathOf(folder: number): TreePath {
    let path = ''
    for (let ancestor = folder; ancestor !== TOP; ancestor = this.parent.get(ancestor)) {
      path = `/${this.text.textOf(this.name.get(ancestor))}${path}`
    }
    return (path || ROOT) as TreePath
  }

  /** The depth of a folder. */
  depthOf(folder: number): number {
    let depth = 0
    for (let ancestor = folder; ancestor !== TOP; ancestor = this.parent.get(ancestor)) depth += 1
    return depth
  }

  *subfolders(folder: number): Generator<number> {
    for (
      let subfolder = this.firstFolder.get(folder);
      subfolder !== NONE;
      subfolder = this.nextFolder.get(subfolder)
    )
      yield subfolder
  }

  /** Finds a subfolder by its name. */
  subfolder(folder: number, name: string): number | undefined {
    for (const subfolder of this.subfolders(folder)) {
      if (this.text.textOf(this.name.get(subfolder)) === name) return subfolder
    }
    return undefined
  }

  /** Whether the stored version of a folder equals that on the disk. */
  isCurrent(folder: number, { ino, modifiedMs, changedMs }: FolderVersion): boolean {
    return (
      this.ino.get(folder) === ino &&
      this.modifiedMs.get(folder) === modifiedMs &&
      this.changedMs.get(folder) === changedMs
    )
  }
}
