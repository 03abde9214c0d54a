/** The name index in its thread: builds or loads the table, keeps it up to date, and answers searches. */
import { rmSync } from 'node:fs'
import { parseQuery } from '#server/files/search/search-query.ts'
import { errnoOf } from '#server/os/errno.ts'
import { TreeReader } from '#server/storage/local/confine/tree-reader.ts'
import { handleAt } from '#server/storage/portable/handle-at.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { ResultBatches } from './batches.ts'
import { loadTable, saveTable, type TableInfo } from './index-file.ts'
import { FOLDER_BITS, NONE } from './name-columns.ts'
import { NameTable } from './name-table.ts'
import type {
  FolderSizes,
  IndexResponse,
  IndexState,
  OpenRequest,
  SearchStart,
} from './protocol.ts'
import { scan } from './scan.ts'
import { TableUpdater } from './table-updater.ts'

/** A tree with fewer folders is checked before each search. */
const CHECK_ALWAYS_BELOW = 1000
/** A larger tree is not checked again for this many times the duration of its last check, but at most `FRESH_MS`. */
const CHECK_PAUSE_FACTOR = 20
/** Changes by other programs appear in searches that start this long after, however large the tree is. */
const FRESH_MS = 30_000
/** With more folders that could not be read, a search does not use the index. */
const UNCOVERED_MAX = 100

export class IndexThread {
  readonly #request: OpenRequest
  readonly #post: (response: IndexResponse) => void
  readonly #reader: TreeReader
  #table = new NameTable()
  #updater: TableUpdater
  #info: TableInfo
  #state: IndexState = 'building'
  /** Whether the table may lack changes: those since it was saved, or those during the build. */
  #isOld = false
  #checking: Promise<void> | undefined
  /** Duration of the last full check, in milliseconds. */
  #lastCheckMs = 0
  /** Running searches by request id. */
  readonly #searches = new Map<number, ResultBatches>()
  /** Request id of a search → the number of names when its scan began: further names have this id or a higher one. */
  readonly #scanEnds = new Map<number, number>()

  constructor(request: OpenRequest, post: (response: IndexResponse) => void) {
    this.#request = request
    this.#post = post
    this.#reader = new TreeReader(handleAt(request.root), request.ownPaths)
    this.#info = { madeFrom: request.madeFrom, checkedMs: 0, readMs: 0 }
    this.#updater = this.#updaterOf(this.#table)
  }

  /** Loads the table, or builds it. */
  async open(): Promise<void> {
    try {
      if (!this.#load()) await this.#build()
    } catch (error) {
      this.#disable('failed', `the index of names is off until the next start: ${error}`)
    }
  }

  async search(search: number, path: TreePath, query: string): Promise<void> {
    const parsed = parseQuery(query)
    const folder = this.#state === 'ready' ? this.#updater.find(path) : undefined
    const start = folder === undefined ? undefined : this.#begin(folder)
    this.#post({ search, start })
    if (folder === undefined || !start) return
    const results = new ResultBatches(this.#table, path, (batch) => this.#post({ search, batch }))
    this.#searches.set(search, results)
    const isStale = this.#isStale
    const until = this.#table.names
    this.#scanEnds.set(search, until)
    if (isStale) this.#updater.beginRechecks()
    scan(this.#table, parsed, folder, { from: 0, until }, (name) => {
      // A result is checked on the disk, so that deleted files are not reported.
      if (isStale) this.#updater.recheck(this.#table.holder.get(name))
      if (!this.#table.isGone(name)) results.add(name)
    })
    if (isStale) {
      await this.#check()
      const current = this.#state === 'ready' ? this.#updater.find(path) : undefined
      if (this.#searches.has(search) && current !== undefined) {
        // If another folder has the path now, nothing of it was scanned.
        const from = current === folder ? (this.#scanEnds.get(search) ?? 0) : 0
        const range = { from, until: this.#table.names }
        scan(this.#table, parsed, current, range, (name) => results.add(name))
      }
    }
    this.#scanEnds.delete(search)
    results.end()
    if (results.hasEnded) this.stop(search)
  }

  more(search: number): void {
    const results = this.#searches.get(search)
    results?.more()
    if (results?.hasEnded) this.stop(search)
  }

  stop(search: number): void {
    this.#searches.delete(search)
  }

  /** The sizes of the subfolders, as far as they are known; also starts a check. */
  async sizes(path: TreePath): Promise<FolderSizes | undefined> {
    if (this.#state !== 'ready') return undefined
    const checked = this.#isStale ? this.#check() : undefined
    if (this.#table.folders <= CHECK_ALWAYS_BELOW) await checked
    const folder = this.#updater.find(path)
    if (folder === undefined) return undefined
    const names: Uint8Array[] = []
    const bytes: number[] = []
    for (const subfolder of this.#table.subfolders(folder)) {
      // The size of a folder that could not be read is unknown.
      if (this.#table.hasBit(subfolder, FOLDER_BITS.uncovered | FOLDER_BITS.refused)) continue
      names.push(this.#table.text.bytesOf(this.#table.name.get(subfolder)), NUL)
      bytes.push(this.#table.allBytes.get(subfolder))
    }
    return { names: new Uint8Array(Buffer.concat(names)), bytes: Float64Array.from(bytes) }
  }

  /** Updates the table after this server, or another one, has changed these paths. */
  changed(paths: readonly TreePath[]): void {
    // Folders that changed during the build, and all if any may have changed, are checked again at the next search.
    if (this.#state !== 'ready' || paths.includes(ROOT)) this.#isOld = true
    else this.#updater.refresh(paths)
    this.#checkMemory()
  }

  save(): void {
    const { file } = this.#request
    if (file === '' || this.#state !== 'ready') return
    try {
      saveTable(file, this.#table, this.#info)
    } catch (error) {
      this.#post({ log: `the index of names cannot be kept in ${file}: ${error}` })
    }
  }

  get #isStale(): boolean {
    const { freshMs } = this.#request
    if (this.#isOld) return true
    const isSmall = this.#table.folders <= CHECK_ALWAYS_BELOW
    const usualMs = isSmall ? 0 : Math.min(FRESH_MS, CHECK_PAUSE_FACTOR * this.#lastCheckMs)
    return Date.now() - this.#info.checkedMs >= (freshMs ?? usualMs)
  }

  /** @returns false if there is no usable table */
  #load(): boolean {
    const { file, madeFrom } = this.#request
    if (file === '') return false
    try {
      const { table, info } = loadTable(file, madeFrom)
      this.#setTable(table, info)
      this.#isOld = true
      this.#setState('ready')
      return true
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return false
      const problem = error instanceof Error ? error.message : String(error)
      this.#post({ log: `${file} ${problem}: the index of names is built again` })
      return false
    }
  }

  async #build(): Promise<void> {
    const table = new NameTable()
    this.#setTable(table, { madeFrom: this.#request.madeFrom, checkedMs: 0, readMs: 0 })
    this.#setState('building')
    const startMs = Date.now()
    this.#info.checkedMs = startMs
    if (!(await this.#updater.readAll(() => this.#checkMemory()))) return
    this.#info.readMs = startMs
    this.#state = 'ready'
    this.save()
    this.#postStatus()
  }

  #begin(folder: number): SearchStart | undefined {
    const uncovered = this.#updater.uncoveredBelow(folder, UNCOVERED_MAX)
    if (!uncovered) return undefined
    return {
      ageMs: Date.now() - this.#info.checkedMs,
      names: this.#table.names - this.#table.removedCount,
      foldsCase: this.#foldsCase(),
      uncovered,
    }
  }

  #foldsCase(): SearchStart['foldsCase'] {
    const table = this.#table
    let [folds, sensitive] = [0, 0]
    for (let folder = 0; folder < table.folders; folder += 1) {
      if (!table.isLive(folder)) continue
      if (table.hasBit(folder, FOLDER_BITS.foldsCase)) folds += 1
      else sensitive += 1
    }
    if (folds === 0) return 'nowhere'
    return sensitive === 0 ? 'everywhere' : 'somewhere'
  }

  /**
   * Checks every folder. A check that runs already may have passed a folder before it changed, so it counts only as long as
   * its result is not too old. Callers that wait for it share the next check.
   */
  async #check(): Promise<void> {
    if (this.#checking) {
      await this.#checking
      if (!this.#isStale) return
    }
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined
    })
    await this.#checking
  }

  async #checkAll(): Promise<void> {
    const startMs = Date.now()
    const isComplete = await this.#updater.check(false, () => this.#checkMemory())
    if (!isComplete) return
    this.#info.checkedMs = startMs
    this.#lastCheckMs = Date.now() - startMs
    this.#isOld = false
    this.#postStatus()
    if (startMs - this.#info.readMs >= this.#request.readAgainMs) {
      this.#info.readMs = startMs
      void this.#updater.check(true, () => this.#checkMemory()).then(() => this.save())
    }
  }

  #setTable(table: NameTable, info: TableInfo): void {
    this.#table = table
    this.#info = info
    this.#updater = this.#updaterOf(table)
  }

  #updaterOf(table: NameTable): TableUpdater {
    return new TableUpdater(table, this.#reader, (newIds) => {
      for (const results of this.#searches.values()) results.renumber(newIds)
      for (const [search, scanEnd] of this.#scanEnds) {
        const next = newIds.subarray(scanEnd).find((name) => name !== NONE)
        this.#scanEnds.set(search, next ?? table.names)
      }
    })
  }

  /** @returns false if the arrays have become too large, which disables the index */
  #checkMemory(): boolean {
    const { memoryBytes } = this.#request
    if (this.#state !== 'ready' && this.#state !== 'building') return false
    if (this.#table.sizeBytes <= memoryBytes) return true
    const limit = `${Math.round(memoryBytes / 2 ** 20)} MiB`
    this.#disable('tooLarge', `the index of names is off: it needs more than ${limit}`)
    return false
  }

  #disable(state: IndexState, log: string): void {
    for (const results of this.#searches.values()) results.end()
    this.#searches.clear()
    this.#setTable(new NameTable(), { madeFrom: this.#request.madeFrom, checkedMs: 0, readMs: 0 })
    if (this.#request.file !== '') rmSync(this.#request.file, { force: true })
    this.#post({ log })
    this.#setState(state)
  }

  #setState(state: IndexState): void {
    this.#state = state
    this.#postStatus()
  }

  #postStatus(): void {
    const { names, removedCount, folders, sizeBytes } = this.#table
    const { checkedMs } = this.#info
    const status = { names: names - removedCount, folders, memoryBytes: sizeBytes, checkedMs }
    this.#post({ status: { state: this.#state, ...status } })
  }
}

const NUL = new Uint8Array(1)
