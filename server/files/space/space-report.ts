/** Sums up what takes up space below a folder, as far as the actor may see it. */
import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { pacer } from '#server/lib/slices.ts'
import type { Node } from '#server/storage/node.ts'
import { SPACE_ROWS, type SpaceKind, type SpacePart, type SpaceReport } from '#wire/api/space.ts'
import { extensionOf, nameOf, relativePath, type TreePath } from '#wire/paths.ts'
import { entryOf } from '../entry.ts'
import { typeByName } from '../file-types.ts'
import { type WalkNotes, walkFolders } from '../walk-folders.ts'

/**
 * Links count nothing, as their targets are elsewhere. A file with several names counts under each of them.
 *
 * @param timeMs a report that takes longer is partial
 * @throws Fault notFound, forbidden, notDirectory
 */
export async function reportSpace(
  scope: Scope,
  folder: TreePath,
  clientLeft: AbortSignal,
  timeMs = SERVER_LIMITS.spaceMs,
): Promise<SpaceReport> {
  // The walk skips what it cannot list; the folder itself must exist.
  await scope.list(folder)
  const notes = { isCut: false, isSilent: false, isRefused: false } satisfies WalkNotes
  const signal = AbortSignal.any([clientLeft, AbortSignal.timeout(timeMs)])
  const sums = new SpaceSums(folder)
  const pace = pacer()
  for await (const nodes of walkFolders(scope, folder, notes, signal)) {
    for (const node of nodes) {
      await pace()
      sums.add(node)
    }
  }
  return {
    ...sums.report(),
    isPartial: notes.isCut || notes.isSilent || signal.aborted,
    hasUnreadable: notes.isRefused,
  }
}

/** Sums by extension. */
type Kinds = Map<string, SpaceKind>

interface PartSums {
  node: Node
  bytes: number
  files: number
  kinds: Kinds
}

class SpaceSums {
  readonly #folder: TreePath
  #bytes = 0
  #files = 0
  #folders = 0
  /** The name of each entry of the folder → its sums. */
  readonly #parts = new Map<string, PartSums>()
  readonly #kinds: Kinds = new Map()
  readonly #largest = new TopNodes((a, b) => b.sizeBytes - a.sizeBytes)
  readonly #oldest = new TopNodes((a, b) => a.modifiedMs - b.modifiedMs)

  constructor(folder: TreePath) {
    this.#folder = folder
  }

  add(node: Node): void {
    if (node.isLink) return
    const [, name = ''] = relativePath(node.path, this.#folder).split('/')
    const part = this.#parts.get(name) ?? { node, bytes: 0, files: 0, kinds: new Map() }
    this.#parts.set(name, part)
    if (node.kind === 'folder') this.#folders += 1
    if (node.kind !== 'file') return
    const { sizeBytes } = node
    part.bytes += sizeBytes
    part.files += 1
    this.#bytes += sizeBytes
    this.#files += 1
    addTo(this.#kinds, node)
    addTo(part.kinds, node)
    this.#largest.add(node)
    this.#oldest.add(node)
  }

  report(): Omit<SpaceReport, 'isPartial' | 'hasUnreadable'> {
    const parts = [...this.#parts.values()].map(
      ({ node, bytes, files, kinds }): SpacePart => ({
        entry: fileEntry(node),
        bytes,
        files,
        mainKind: mainKindOf(kinds),
      }),
    )
    return {
      bytes: this.#bytes,
      files: this.#files,
      folders: this.#folders,
      parts: most(parts),
      kinds: most([...this.#kinds.values()]),
      largest: this.#largest.all().map(fileEntry),
      oldest: this.#oldest.all().map(fileEntry),
    }
  }
}

/** Keeps the first nodes of an order, without keeping all of them. */
class TopNodes {
  readonly #compare: (a: Node, b: Node) => number
  #nodes: Node[] = []
  /** The last one that is kept, when they were sorted last. */
  #last: Node | undefined

  constructor(compare: (a: Node, b: Node) => number) {
    this.#compare = compare
  }

  add(node: Node): void {
    if (this.#last && this.#compare(node, this.#last) >= 0) return
    this.#nodes.push(node)
    if (this.#nodes.length < 2 * SPACE_ROWS) return
    this.#nodes = this.all()
    this.#last = this.#nodes.at(-1)
  }

  all(): Node[] {
    this.#nodes.sort(this.#compare)
    return this.#nodes.slice(0, SPACE_ROWS)
  }
}

/** Two extensions of one type are two kinds; a name with a large or special file can have another type. */
function addTo(kinds: Kinds, node: Node): void {
  const extension = extensionOf(nameOf(node.path)).toLowerCase()
  const kind = kinds.get(extension) ?? { extension, type: typeByName(node), bytes: 0, files: 0 }
  kind.bytes += node.sizeBytes
  kind.files += 1
  kinds.set(extension, kind)
}

function mainKindOf(kinds: Kinds): SpacePart['mainKind'] {
  const [main] = most([...kinds.values()])
  return main ? { extension: main.extension, type: main.type } : null
}

function most<T extends { bytes: number }>(rows: T[]): T[] {
  return rows.toSorted((a, b) => b.bytes - a.bytes).slice(0, SPACE_ROWS)
}

function fileEntry(node: Node) {
  return entryOf(node, typeByName(node))
}
