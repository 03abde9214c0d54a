/** Counts the files, folders and bytes below a path. */
import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Node } from '#server/storage/node.ts'
import { isFault } from '#wire/fault.ts'
import { childPath, nameOf, type TreePath } from '#wire/paths.ts'

/** The counts of one item or of a whole plan. */
export interface TreeCount {
  files: number
  folders: number
  bytes: number
  /** Existing files that would be replaced. */
  replaced: number
}

/** Counts several trees, up to a total number of entries. */
export class TreeCounter {
  readonly #scope: Scope
  /** Whether links to folders are followed. */
  readonly #followsLinks: boolean
  /** The targets of links to folders; each is counted once. */
  readonly #followed = new Set<TreePath>()
  #remaining: number = SERVER_LIMITS.planEntriesMax
  #isSilent = false

  constructor(scope: Scope, followsLinks: boolean) {
    this.#scope = scope
    this.#followsLinks = followsLinks
  }

  /** Whether the limit was reached or a disk does not respond, so that there may be more than was counted. */
  get isPartial(): boolean {
    return this.#remaining <= 0 || this.#isSilent
  }

  /** @param merged the existing folder that `root` would be merged into */
  async count(root: Node, merged: TreePath | undefined): Promise<TreeCount> {
    const counted: TreeCount = { files: 0, folders: 0, bytes: 0, replaced: 0 }
    const pending = [{ node: root, merged }]
    for (let next = pending.pop(); next && this.#remaining > 0; next = pending.pop()) {
      const { node } = next
      this.#remaining -= 1
      if (!this.#descendsInto(node)) {
        counted.files += 1
        counted.bytes += node.isLink && !this.#followsLinks ? 0 : node.sizeBytes
        continue
      }
      counted.folders += 1
      const existing = await this.#kindsIn(next.merged)
      for (const child of (await this.#children(node.path)).slice(0, this.#remaining)) {
        const name = nameOf(child.path)
        const existingKind = existing?.get(name)
        if (existingKind === 'file' && child.kind === 'file') counted.replaced += 1
        const into =
          existingKind === 'folder' && next.merged ? childPath(next.merged, name) : undefined
        pending.push({ node: child, merged: into })
      }
    }
    return counted
  }

  #descendsInto({ kind, isLink, real }: Node): boolean {
    if (kind !== 'folder') return false
    if (!isLink) return true
    if (!this.#followsLinks || this.#followed.has(real)) return false
    this.#followed.add(real)
    return true
  }

  /** @returns the kind of each entry, by its name */
  async #kindsIn(folder: TreePath | undefined): Promise<Map<string, Node['kind']> | undefined> {
    if (folder === undefined) return undefined
    const nodes = await this.#children(folder)
    return new Map(nodes.map(({ path, kind }) => [nameOf(path), kind]))
  }

  /** A folder that was removed since, or may not be listed, counts as empty; the job reports it. */
  async #children(folder: TreePath): Promise<Node[]> {
    return this.#scope.list(folder).catch((error) => {
      if (isFault(error, 'unavailable')) this.#isSilent = true
      return []
    })
  }
}

/** @returns the node at a path; undefined if nothing exists there or a link leads outside */
export async function statIfExists(scope: Scope, path: TreePath): Promise<Node | undefined> {
  try {
    return await scope.stat(path)
  } catch (error) {
    if (isFault(error, 'notFound', 'outside')) return undefined
    throw error
  }
}
