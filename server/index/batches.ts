/** What a search has found, handed out in batches as they are wanted. */
import { ROOT, relativePath } from '#wire/paths.ts'
import { Column } from './columns.ts'
import { BITS, NONE } from './name-columns.ts'
import type { NameTable } from './name-table.ts'
import type { Batch } from './protocol.ts'

/** Names in the first batch: enough for a page. */
const FIRST = 100
const EACH = 4096
const NUL = new Uint8Array(1)

const encoder = new TextEncoder()

export class FoundNames {
  readonly #table: NameTable
  readonly #top: number
  readonly #post: (batch: Batch) => void
  readonly #ids = new Column<Uint32Array<ArrayBuffer>>(Uint32Array)
  #sent = 0
  #wanted = 1
  #isAll = false
  #ended = false

  constructor(table: NameTable, top: number, post: (batch: Batch) => void) {
    this.#table = table
    this.#top = top
    this.#post = post
  }

  add(name: number): void {
    this.#ids.push(name)
    // Nobody waits for the end of the search to see its beginning.
    if (this.#sent === 0 && this.#ids.length === FIRST) this.hand()
  }

  /** Another batch is wanted. */
  more(): void {
    this.#wanted += 1
    this.hand()
  }

  /** There will be no more. */
  end(): void {
    this.#isAll = true
    this.hand()
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  /** Sends what is wanted and there. */
  hand(): void {
    while (this.#wanted > 0 && !this.#ended) {
      const left = this.#ids.length - this.#sent
      if (left === 0 && !this.#isAll) return
      const count = Math.min(left, this.#sent === 0 ? FIRST : EACH)
      const ids = this.#ids.array.slice(this.#sent, this.#sent + count)
      this.#sent += count
      this.#wanted -= 1
      this.#ended = this.#isAll && this.#sent === this.#ids.length
      this.#post(this.#batchOf(ids))
    }
  }

  /** The names have other numbers now. */
  renumber(now: Uint32Array): void {
    for (let at = this.#sent; at < this.#ids.length; at += 1) {
      this.#ids.set(at, now[this.#ids.get(at)] ?? NONE)
    }
  }

  #batchOf(ids: Uint32Array): Batch {
    const table = this.#table
    const above = new Map<number, Uint8Array>()
    const parts: Uint8Array[] = []
    const bits: number[] = []
    for (const id of ids) {
      if (id === NONE || table.isGone(id)) continue
      const holder = table.holder.get(id)
      const folder = above.get(holder) ?? this.#pathTo(holder)
      if (folder === undefined) continue
      above.set(holder, folder)
      parts.push(folder, table.text.bytesOf(id), NUL)
      bits.push(table.bits.get(id) & (BITS.folder | BITS.link))
    }
    return {
      paths: new Uint8Array(Buffer.concat(parts)),
      bits: Uint8Array.from(bits),
      isLast: this.#ended,
    }
  }

  /** From the searched folder, with a slash at the end; undefined when it no longer leads there. */
  #pathTo(folder: number): Uint8Array | undefined {
    const table = this.#table
    const top = table.pathOf(this.#top)
    const path = table.pathOf(folder)
    if (path === top) return new Uint8Array(0)
    if (top !== ROOT && !path.startsWith(`${top}/`)) return undefined
    return encoder.encode(`${relativePath(path, top).slice(1)}/`)
  }
}
