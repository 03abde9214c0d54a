/** The index of names in its thread: made or read back, kept fresh, asked. */
import { rmSync } from 'node:fs'
import { readQuery } from '#server/files/search-query.ts'
import { errnoOf } from '#server/os/errno.ts'
import { TreeReader } from '#server/storage/tree-reader.ts'
import type { TreePath } from '#wire/paths.ts'
import { FoundNames } from './batches.ts'
import { loadTable, type Made, saveTable } from './index-file.ts'
import { Keeper } from './keeper.ts'
import { FOLDER_BITS, NONE } from './name-columns.ts'
import { NameTable } from './name-table.ts'
import type { Answer, Begun, Opening, Sizes, State } from './protocol.ts'
import { scan } from './scan.ts'

/** So few folders are looked at for each search. */
const FEW_FOLDERS = 1000
/** Looking at more of them takes one part of the time in so many, while people search. */
const CHECK_SHARE = 20
/** What others change is in an answer that begins this long after, however large the tree is. */
const FRESH_MS = 30_000
/** Folders of one search that the index does not cover; more are a search without it. */
const UNCOVERED_MAX = 100

export class IndexThread {
  readonly #opening: Opening
  readonly #post: (answer: Answer) => void
  readonly #reader: TreeReader
  #table = new NameTable()
  #keeper: Keeper
  #made: Made
  #state: State = 'building'
  /** Nobody has told of the changes since the table was kept. */
  #isOld = false
  #checking: Promise<boolean> | undefined
  /** How long it took to look at all folders last time. */
  #tookMs = 0
  readonly #searches = new Map<number, FoundNames>()
  /** Beginnings of what a search finds after the check, by search. */
  readonly #marks = new Map<number, number>()

  constructor(opening: Opening, post: (answer: Answer) => void) {
    this.#opening = opening
    this.#post = post
    this.#reader = new TreeReader(opening.root, opening.own)
    this.#made = { of: opening.of, checkedMs: 0, readMs: 0 }
    this.#keeper = this.#keeperOf(this.#table)
  }

  /** Reads the table back, or makes it. */
  async open(): Promise<void> {
    try {
      if (!this.#load()) await this.#build()
    } catch (error) {
      this.#giveUp('failed', `the index of names is off until the next start: ${error}`)
    }
  }

  async search(search: number, path: TreePath, query: string): Promise<void> {
    const parsed = readQuery(query)
    const top = this.#state === 'ready' ? this.#keeper.find(path) : undefined
    const begun = top === undefined ? undefined : this.#begin(top)
    this.#post({ search, begun })
    if (top === undefined || !begun) return
    const found = new FoundNames(this.#table, top, (batch) => this.#post({ search, batch }))
    this.#searches.set(search, found)
    const isStale = this.#isStale
    const until = this.#table.names
    this.#marks.set(search, until)
    if (isStale) this.#keeper.beginLooking()
    scan(this.#table, parsed, top, { from: 0, until }, (name) => {
      // Nothing is said to be there that a listing would not show.
      if (isStale) this.#keeper.look(this.#table.holder.get(name))
      if (!this.#table.isGone(name)) found.add(name)
    })
    if (isStale) {
      await this.#check()
      if (this.#searches.has(search) && this.#state === 'ready') {
        const range = { from: this.#marks.get(search) ?? 0, until: this.#table.names }
        scan(this.#table, parsed, top, range, (name) => found.add(name))
      }
    }
    this.#marks.delete(search)
    found.end()
    if (found.hasEnded) this.stop(search)
  }

  more(search: number): void {
    const found = this.#searches.get(search)
    found?.more()
    if (found?.hasEnded) this.stop(search)
  }

  stop(search: number): void {
    this.#searches.delete(search)
  }

  /** Bytes in the subfolders of a folder, as far as they are known; looks again meanwhile. */
  async sizes(path: TreePath): Promise<Sizes | undefined> {
    if (this.#state !== 'ready') return undefined
    const checked = this.#isStale ? this.#check() : undefined
    if (this.#table.folders <= FEW_FOLDERS) await checked
    const folder = this.#keeper.find(path)
    if (folder === undefined) return undefined
    const names: Uint8Array[] = []
    const bytes: number[] = []
    for (const each of this.#table.subfolders(folder)) {
      // What nobody could read has a size that nobody knows.
      if (this.#table.has(each, FOLDER_BITS.uncovered)) continue
      names.push(this.#table.text.bytesOf(this.#table.name.get(each)), NUL)
      bytes.push(this.#table.allBytes.get(each))
    }
    return { names: new Uint8Array(Buffer.concat(names)), bytes: Float64Array.from(bytes) }
  }

  /** The server itself has changed something at these paths. */
  changed(paths: readonly TreePath[]): void {
    // What is being made is looked at once more when it is done.
    if (this.#state !== 'ready') this.#isOld = true
    else this.#keeper.refresh(paths)
    this.#mustFit()
  }

  save(): void {
    const { file } = this.#opening
    if (file === '' || this.#state !== 'ready') return
    try {
      saveTable(file, this.#table, this.#made)
    } catch (error) {
      this.#post({ log: `the index of names cannot be kept in ${file}: ${error}` })
    }
  }

  get #isStale(): boolean {
    const { freshMs } = this.#opening
    if (this.#isOld) return true
    const isSmall = this.#table.folders <= FEW_FOLDERS
    const usualMs = isSmall ? 0 : Math.min(FRESH_MS, CHECK_SHARE * this.#tookMs)
    return Date.now() - this.#made.checkedMs >= (freshMs ?? usualMs)
  }

  /** @returns false where there is none that is of use */
  #load(): boolean {
    const { file, of } = this.#opening
    if (file === '') return false
    try {
      const { table, made } = loadTable(file, of)
      this.#use(table, made)
      this.#isOld = true
      this.#setState('ready')
      return true
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return false
      const problem = error instanceof Error ? error.message : String(error)
      this.#post({ log: `${file} ${problem}: the index of names is made anew` })
      return false
    }
  }

  async #build(): Promise<void> {
    const table = new NameTable()
    this.#use(table, { of: this.#opening.of, checkedMs: 0, readMs: 0 })
    this.#setState('building')
    const startMs = Date.now()
    this.#made.checkedMs = startMs
    if (!(await this.#keeper.readAll(() => this.#mustFit()))) return
    this.#made.readMs = startMs
    this.#state = 'ready'
    this.save()
    this.#tell()
  }

  #begin(top: number): Begun | undefined {
    const uncovered = this.#keeper.uncoveredBelow(top, UNCOVERED_MAX)
    if (!uncovered) return undefined
    return {
      ageMs: Date.now() - this.#made.checkedMs,
      names: this.#table.names - this.#table.gone,
      foldsCase: this.#foldsCase(),
      uncovered,
    }
  }

  #foldsCase(): Begun['foldsCase'] {
    const table = this.#table
    let [folds, others] = [0, 0]
    for (let folder = 0; folder < table.folders; folder += 1) {
      if (!table.isLive(folder)) continue
      if (table.has(folder, FOLDER_BITS.foldsCase)) folds += 1
      else others += 1
    }
    if (folds === 0) return 'nowhere'
    return others === 0 ? 'everywhere' : 'somewhere'
  }

  /** Looks at every folder; all who ask meanwhile wait for the same. */
  #check(): Promise<boolean> {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #checkAll(): Promise<boolean> {
    const startMs = Date.now()
    const done = await this.#keeper.check(false, () => this.#mustFit())
    if (!done) return false
    this.#made.checkedMs = startMs
    this.#tookMs = Date.now() - startMs
    this.#isOld = false
    this.#tell()
    if (startMs - this.#made.readMs >= this.#opening.readAgainMs) {
      this.#made.readMs = startMs
      void this.#keeper.check(true, () => this.#mustFit()).then(() => this.save())
    }
    return true
  }

  #use(table: NameTable, made: Made): void {
    this.#table = table
    this.#made = made
    this.#keeper = this.#keeperOf(table)
  }

  #keeperOf(table: NameTable): Keeper {
    return new Keeper(table, this.#reader, (now) => {
      for (const found of this.#searches.values()) found.renumber(now)
      for (const [search, mark] of this.#marks) {
        const next = now.subarray(mark).find((name) => name !== NONE)
        this.#marks.set(search, next ?? table.names)
      }
    })
  }

  /** @returns false when the arrays have become too large, and there is no index any more */
  #mustFit(): boolean {
    const { memoryBytes } = this.#opening
    if (this.#state !== 'ready' && this.#state !== 'building') return false
    if (this.#table.sizeBytes <= memoryBytes) return true
    const room = `${Math.round(memoryBytes / 2 ** 20)} MiB`
    this.#giveUp('tooLarge', `the index of names is off: it needs more than ${room}`)
    return false
  }

  #giveUp(state: State, log: string): void {
    for (const found of this.#searches.values()) found.end()
    this.#searches.clear()
    this.#use(new NameTable(), { of: this.#opening.of, checkedMs: 0, readMs: 0 })
    if (this.#opening.file !== '') rmSync(this.#opening.file, { force: true })
    this.#post({ log })
    this.#setState(state)
  }

  #setState(state: State): void {
    this.#state = state
    this.#tell()
  }

  #tell(): void {
    const { names, gone, folders, sizeBytes } = this.#table
    const { checkedMs } = this.#made
    const status = { names: names - gone, folders, memoryBytes: sizeBytes, checkedMs }
    this.#post({ status: { state: this.#state, ...status } })
  }
}

const NUL = new Uint8Array(1)
