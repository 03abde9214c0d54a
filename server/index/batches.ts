/** Sends the results of a search in batches: the first one immediately, the others on request. */
import { isInside, relativePath, type TreePath } from '#wire/paths.ts'
import { Column } from './columns.ts'
import { BITS, NONE } from './name-columns.ts'
import type { NameTable } from './name-table.ts'
import type { NameBatch } from './protocol.ts'

/** Names in the first batch: enough for a page. */
const FIRST_BATCH_SIZE = 100
/** Names in each further batch. */
const BATCH_SIZE = 4096
const NUL = new Uint8Array(1)

const encoder = new TextEncoder()

export class ResultBatches {
  readonly #table: NameTable
  readonly #folder: TreePath
  readonly #post: (batch: NameBatch) => void
  readonly #ids = new Column<Uint32Array<ArrayBuffer>>(Uint32Array)
  /** How many of `#ids` are sent. */
  #sent = 0
  /** Batches that are requested and not sent yet. */
  #requestedCount = 1
  /** Whether `#ids` holds all results. */
  #isAll = false
  #isEnded = false

  /**
   * @param folder the path of the searched folder. Not its id: while a search runs, the folder may be moved, or removed
   *   and its id reused
   */
  constructor(table: NameTable, folder: TreePath, post: (batch: NameBatch) => void) {
    this.#table = table
    this.#folder = folder
    this.#post = post
  }

  /** @param id of a name */
  add(id: number): void {
    this.#ids.push(id)
    // The first batch is sent as soon as it is full.
    if (this.#sent === 0 && this.#ids.length === FIRST_BATCH_SIZE) this.sendAvailable()
  }

  /** Requests another batch. */
  more(): void {
    this.#requestedCount += 1
    this.sendAvailable()
  }

  /** No more results will be added. */
  end(): void {
    this.#isAll = true
    this.sendAvailable()
  }

  get hasEnded(): boolean {
    return this.#isEnded
  }

  /** Sends the batches that are requested and available. */
  sendAvailable(): void {
    while (this.#requestedCount > 0 && !this.#isEnded) {
      const available = this.#ids.length - this.#sent
      if (available === 0 && !this.#isAll) return
      const count = Math.min(available, this.#sent === 0 ? FIRST_BATCH_SIZE : BATCH_SIZE)
      const ids = this.#ids.array.slice(this.#sent, this.#sent + count)
      this.#sent += count
      this.#requestedCount -= 1
      this.#isEnded = this.#isAll && this.#sent === this.#ids.length
      this.#post(this.#batchOf(ids))
    }
  }

  /**
   * Replaces the ids that are not sent yet, after the table was compacted.
   *
   * @param newIds the new id of a name by its old id; `NONE` if the name was removed
   */
  renumber(newIds: Uint32Array): void {
    for (let index = this.#sent; index < this.#ids.length; index += 1) {
      this.#ids.set(index, newIds[this.#ids.get(index)] ?? NONE)
    }
  }

  #batchOf(ids: Uint32Array): NameBatch {
    const table = this.#table
    // Folder id → `#pathTo` of it.
    const pathByFolder = new Map<number, Uint8Array | undefined>()
    const parts: Uint8Array[] = []
    const bits: number[] = []
    for (const id of ids) {
      if (id === NONE || table.isGone(id)) continue
      const holder = table.holder.get(id)
      if (!pathByFolder.has(holder)) pathByFolder.set(holder, this.#pathTo(holder))
      const path = pathByFolder.get(holder)
      if (path === undefined) continue
      parts.push(path, table.text.bytesOf(id), NUL)
      bits.push(table.bits.get(id) & (BITS.folder | BITS.link))
    }
    return {
      paths: new Uint8Array(Buffer.concat(parts)),
      bits: Uint8Array.from(bits),
      isLast: this.#isEnded,
    }
  }

  /**
   * The path of `folder` relative to the searched folder, with a trailing slash; empty for the searched folder itself;
   * undefined if `folder` is not below it, or no longer. The table holds names as canonical text (wire/names.ts), so
   * bytes that are not UTF-8 are the same here as in `text`.
   */
  #pathTo(folder: number): Uint8Array | undefined {
    const path = this.#table.pathOf(folder)
    if (path === this.#folder) return new Uint8Array(0)
    if (!isInside(path, this.#folder)) return undefined
    return encoder.encode(`${relativePath(path, this.#folder).slice(1)}/`)
  }
}
