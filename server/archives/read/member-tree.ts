/** The members of an archive as a tree of folders. Memory depends on the number of names, not on their depth. */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { archiveTooLarge, destinationOf, type Member } from '../member.ts'

/** The maximum number of names, including those of folders that the archive does not list. */
const NODES_MAX = 2 * SERVER_LIMITS.extractEntriesMax

export interface TreeFile {
  sizeBytes: number
  modifiedMs: number | undefined
}

export interface TreeFolder {
  items: Map<string, TreeFile | TreeFolder>
  modifiedMs: number | undefined
}

export function isTreeFolder(node: TreeFile | TreeFolder): node is TreeFolder {
  return 'items' in node
}

export class MemberTree {
  readonly #root: TreeFolder = { items: new Map(), modifiedMs: undefined }
  #nodes = 0
  #leftOut = 0

  /** The number of files and folders. */
  get nodes(): number {
    return this.#nodes
  }

  /** The number of members that an extraction leaves out: links, devices, invalid names, duplicate names. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** @throws Fault tooLarge (too many names) */
  add(member: Member): void {
    const path = pathInArchive(member)
    if (path === ROOT) return
    if (path === undefined || !this.#insert(path, member)) this.#leftOut += 1
  }

  /** @throws Fault notFound, notDirectory */
  folder(path: TreePath): TreeFolder {
    let current: TreeFile | TreeFolder = this.#root
    for (const name of segmentsOf(path)) {
      const next: TreeFile | TreeFolder | undefined = isTreeFolder(current)
        ? current.items.get(name)
        : undefined
      if (!next) throw new Fault('notFound', 'The archive does not contain this folder.')
      current = next
    }
    if (isTreeFolder(current)) return current
    throw new Fault('notDirectory', 'This is a file in the archive, not a folder.')
  }

  /** @returns false if the name is taken, or a name in the path is that of a file */
  #insert(path: TreePath, { kind, sizeBytes, modifiedMs }: Member): boolean {
    const names = segmentsOf(path)
    const last = names.pop() ?? ''
    let parent = this.#root
    for (const name of names) {
      const next = parent.items.get(name) ?? this.#put(parent, name, newFolder())
      if (!isTreeFolder(next)) return false
      parent = next
    }
    const existing = parent.items.get(last)
    if (!existing) {
      const node = kind === 'folder' ? newFolder(modifiedMs) : { sizeBytes, modifiedMs }
      this.#put(parent, last, node)
      return true
    }
    if (kind !== 'folder' || !isTreeFolder(existing)) return false
    existing.modifiedMs = modifiedMs
    return true
  }

  #put<T extends TreeFile | TreeFolder>(folder: TreeFolder, name: string, node: T): T {
    this.#nodes += 1
    if (this.#nodes > NODES_MAX) throw archiveTooLarge('it has too many entries')
    folder.items.set(name, node)
    return node
  }
}

/** @returns the path of a member from the root of the archive; undefined if an extraction leaves it out */
export function pathInArchive({
  name,
  problem,
}: Pick<Member, 'name' | 'problem'>): TreePath | undefined {
  if (problem !== '') return undefined
  try {
    return destinationOf(name, ROOT)
  } catch (error) {
    if (isFault(error, 'badRequest')) return undefined
    throw error
  }
}

function newFolder(modifiedMs?: number): TreeFolder {
  return { items: new Map(), modifiedMs }
}
