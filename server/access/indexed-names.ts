/** What an index finds, as an actor may see it: every hit is asked for, by its name and by its place, and so is each folder above. */
import type { IndexedSearch, NamesFound } from '#server/storage/names.ts'
import type { Node } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { DEPTH_MAX, joinPath, segmentsOf, type TreePath } from '#wire/paths.ts'
import type { PathFilter } from './path-filter.ts'

/** One thing that was found. */
export interface FoundName {
  /** From the searched folder, without a slash at the beginning. */
  path: string
  isFolder: boolean
}

/** A search that an index answers, for one actor. */
export interface SeenSearch {
  /** Since the index was last found to be equal to the disk. */
  ageMs: number
  /** Names in the index, whoever may see them. */
  names: number
  /** Folders that are searched by a walk besides. */
  uncovered: TreePath[]
  batches: AsyncGenerator<FoundName[]>
}

/** Names asked about between two turns of the event loop. */
const SLICE = 1000

export class IndexedNames {
  readonly #storage: Storage
  readonly #filter: PathFilter
  readonly #folder: Node
  readonly #foldsCase: boolean
  /** Folders below the searched one, by whether they exist for the actor. */
  readonly #seen = new Map<string, boolean>([['', true]])

  private constructor(storage: Storage, filter: PathFilter, folder: Node, foldsCase: boolean) {
    this.#storage = storage
    this.#filter = filter
    this.#folder = folder
    this.#foldsCase = foldsCase
  }

  /**
   * @param folder that the actor may see
   * @returns undefined where only a walk can tell
   */
  static async search(
    storage: Storage,
    filter: PathFilter,
    folder: TreePath,
    query: string,
  ): Promise<SeenSearch | undefined> {
    const node = await storage.stat(folder)
    if (node.kind !== 'folder') return undefined
    const search = await storage.can.names?.find(folder, query)
    if (!search) return undefined
    const { foldsCase, ageMs, names, uncovered } = search
    // Which rules hold would depend on the folder of each name on the way.
    if (foldsCase === 'somewhere' && !filter.isUnrestricted) {
      search.cancel()
      return undefined
    }
    const seen = new IndexedNames(storage, filter, node, foldsCase === 'everywhere')
    return {
      ageMs,
      names,
      uncovered: uncovered
        .filter((path) => seen.#sees(path.slice(1)))
        .map((path) => joinPath(folder, path)),
      batches: seen.#batches(search),
    }
  }

  async *#batches({ batches }: IndexedSearch): AsyncGenerator<FoundName[]> {
    for await (const batch of batches) yield await this.#shown(batch)
  }

  async #shown(batch: NamesFound): Promise<FoundName[]> {
    const shown: FoundName[] = []
    for (const [at, path] of batch.paths.entries()) {
      if (at % SLICE === SLICE - 1) await new Promise(setImmediate)
      if (!this.#sees(parentOf(path))) continue
      if (batch.isLink(at)) {
        const link = await this.#linked(path)
        if (link) shown.push({ path, isFolder: link.kind === 'folder' })
      } else if (this.#exists(path)) shown.push({ path, isFolder: batch.isFolder(at) })
    }
    return shown
  }

  /** Whether a folder below the searched one exists for the actor, with all that lead to it. */
  #sees(folder: string): boolean {
    const known = this.#seen.get(folder)
    if (known !== undefined) return known
    const sees = this.#sees(parentOf(folder)) && this.#exists(folder)
    this.#seen.set(folder, sees)
    return sees
  }

  /** Whether a name by itself exists for the actor. */
  #exists(path: string): boolean {
    const { path: folder, real } = this.#folder
    const named = below(folder, path)
    if (isTooDeep(named)) return false
    if (this.#filter.isUnrestricted) return true
    const placed = real === folder ? named : below(real, path)
    const sees = (each: TreePath) => this.#filter.sees(each, this.#foldsCase)
    return sees(named) && (placed === named || sees(placed))
  }

  /** A link that leads where the actor may go, as a listing shows it. */
  async #linked(path: string): Promise<Node | undefined> {
    const named = below(this.#folder.path, path)
    if (isTooDeep(named)) return undefined
    try {
      const link = await this.#storage.stat(named)
      return this.#filter.shows(link) ? link : undefined
    } catch (error) {
      if (error instanceof Fault) return undefined
      throw error
    }
  }
}

function below(folder: TreePath, path: string): TreePath {
  return (folder === '/' ? `/${path}` : `${folder}/${path}`) as TreePath
}

/** No listing goes that deep. Two characters a level at least: most paths need no counting. */
function isTooDeep(path: TreePath): boolean {
  return path.length >= 2 * DEPTH_MAX && segmentsOf(path).length > DEPTH_MAX
}

function parentOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end < 0 ? '' : path.slice(0, end)
}
