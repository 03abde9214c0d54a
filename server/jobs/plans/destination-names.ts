/**
 * Where the entries of an archive go: a name that is in a folder already, in another spelling, is the same name, as for
 * uploads (docs/decisions.md, "Names that look the same"). What is on the disk keeps its spelling.
 */
import type { Scope } from '#server/access/scope/scope.ts'
import { Fault } from '#wire/fault.ts'
import { nameKey } from '#wire/fold.ts'
import { childPath, nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'

/** The destination of an entry. */
export interface Destination {
  /** With the spelling of what is on the disk. */
  path: TreePath
  isTaken: boolean
  /** Equal for two paths of which the disk can hold only one. */
  key: string
}

interface FolderNames {
  exact: ReadonlySet<string>
  /** Key: that of a name; value: the name. */
  byKey: ReadonlyMap<string, string>
  foldsCase: boolean
}

export class DestinationNames {
  readonly #scope: Scope
  readonly #to: TreePath
  /** The names in folders, before anything is extracted. */
  readonly #names = new Map<TreePath, FolderNames>()
  /** Key: a folder as the archive spells it; value: as on the disk. */
  readonly #folders = new Map<TreePath, TreePath>()

  /** @param to the folder that receives the entries */
  constructor(scope: Scope, to: TreePath) {
    this.#scope = scope
    this.#to = to
  }

  /** @param path below the folder that receives the entries, as the archive spells it */
  async of(path: TreePath): Promise<Destination> {
    if (path === this.#to) return { path, isTaken: false, key: path }
    const folder = await this.#folderOf(parentPath(path))
    const { exact, byKey, foldsCase } = await this.#namesIn(folder)
    const name = nameOf(path)
    const existing = exact.has(name) ? name : byKey.get(nameKey(name, foldsCase))
    const spelled = childPath(folder, existing ?? name)
    const key = foldsCase ? nameKey(spelled, true) : spelled
    return { path: spelled, isTaken: existing !== undefined, key }
  }

  async #folderOf(folder: TreePath): Promise<TreePath> {
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const { path } = await this.of(folder)
    this.#folders.set(folder, path)
    return path
  }

  async #namesIn(folder: TreePath): Promise<FolderNames> {
    const known = this.#names.get(folder)
    if (known) return known
    const names = await this.#listed(folder)
    this.#names.set(folder, names)
    return names
  }

  /** A folder that cannot be listed has no names: the job reports the fault later. */
  async #listed(folder: TreePath): Promise<FolderNames> {
    const isMissing = folder !== this.#to && this.#isMissing(folder)
    const nodes = isMissing ? [] : await this.#list(folder)
    const [first] = nodes
    // An empty folder does not tell whether it ignores case; the one above it is of the same disk, or a mount point.
    const foldsCase = first?.foldsCase ?? (folder !== ROOT && (await this.#foldsAbove(folder)))
    const names = nodes.map(({ path }) => nameOf(path))
    return {
      exact: new Set(names),
      byKey: new Map(names.map((name) => [nameKey(name, foldsCase), name])),
      foldsCase,
    }
  }

  /** Whether a folder above is known to have no such folder, so that it need not be asked for. */
  #isMissing(folder: TreePath): boolean {
    const above = this.#names.get(parentPath(folder))
    return above !== undefined && !above.exact.has(nameOf(folder))
  }

  async #foldsAbove(folder: TreePath): Promise<boolean> {
    return (await this.#namesIn(parentPath(folder))).foldsCase
  }

  async #list(folder: TreePath) {
    try {
      return await this.#scope.list(folder)
    } catch (error) {
      if (error instanceof Fault) return []
      throw error
    }
  }
}

export function nameTwice(): Fault {
  return new Fault('conflict', 'The archive contains this name twice.', { reason: 'nameTwice' })
}
