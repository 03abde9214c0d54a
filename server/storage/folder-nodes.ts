/** The nodes of one folder, made on access, because all nodes of a large folder would need much memory. */
import type { NameTerms } from '#server/lib/name-terms.ts'
import { runInSlices } from '#server/lib/slices.ts'
import { nameOf } from '#wire/paths.ts'
import type { LeftOutReason, Node } from './node.ts'

/** Folders come first, and each group is in the order of the names. */
export interface EarlyNodes {
  ascending: boolean
  /**
   * Receives the nodes that come first. Called at most once, and only for a large folder.
   *
   * @param total the number of all names in the folder
   */
  onFirst(nodes: FolderNodes, total: number): void
}

/** Which nodes of a folder are listed, and whether some come earlier than all. */
export interface ListOptions {
  early?: EarlyNodes | undefined
  /**
   * For a search: files and links whose names contain none of these terms may be left out, so that their metadata is not
   * read.
   */
  names?: NameTerms | undefined
}

/** An entry of a folder that a listing does not show. */
export interface LeftOutNode {
  node: Node
  reason: LeftOutReason
}

export class FolderNodes implements Iterable<Node> {
  readonly #names: readonly string[]
  readonly #make: (name: string, position: number) => Node
  /** The positions of the nodes in `#names`. */
  readonly #positions: readonly number[]
  /** Entries that are not in this list although they are in the folder. The server's own files are not among them. */
  readonly leftOut: readonly LeftOutNode[]

  /**
   * @param names the names of the folder, or those of them that were read
   * @param make makes the node of a name, which is at this position in `names`
   * @param positions the positions of the nodes of this list
   */
  constructor(
    names: readonly string[],
    make: (name: string, position: number) => Node,
    positions: readonly number[],
    leftOut: readonly LeftOutNode[] = [],
  ) {
    this.#names = names
    this.#make = make
    this.#positions = positions
    this.leftOut = leftOut
  }

  /** A list of nodes that exist already. */
  static of(nodes: readonly Node[]): FolderNodes {
    const make = (_: string, position: number) => nodes[position] as Node
    const names = nodes.map(({ path }) => nameOf(path))
    return new FolderNodes(names, make, [...nodes.keys()])
  }

  get length(): number {
    return this.#positions.length
  }

  /** @param index below `length` */
  nameAt(index: number): string {
    return this.#names[this.#positions[index] ?? 0] ?? ''
  }

  /** @param index below `length` */
  at(index: number): Node {
    return this.#make(this.nameAt(index), this.#positions[index] ?? 0)
  }

  *[Symbol.iterator](): Generator<Node> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index)
  }

  /** @returns the first `count` nodes if folders come before the others */
  foldersFirst(count: number): FolderNodes {
    const folders: number[] = []
    const others: number[] = []
    for (let index = 0; index < this.length; index += 1) {
      const group = this.at(index).kind === 'folder' ? folders : others
      group.push(this.#positions[index] ?? 0)
    }
    return new FolderNodes(this.#names, this.#make, [...folders, ...others].slice(0, count))
  }

  /** @returns also the links that cannot be followed, at the end */
  withLinksOutside(): FolderNodes {
    const links = this.leftOut.flatMap(({ node, reason }) => (reason === 'link' ? [node] : []))
    if (links.length === 0) return this
    const count = this.#names.length
    const make = (name: string, position: number) =>
      links[position - count] ?? this.#make(name, position)
    const positions = [...this.#positions, ...links.map((_, index) => count + index)]
    const names = [...this.#names, ...links.map(({ path }) => nameOf(path))]
    return new FolderNodes(names, make, positions, this.leftOut)
  }

  /** @returns the nodes that `isKept` accepts, also of those that are left out; it runs in slices */
  async filter(isKept: (node: Node) => boolean): Promise<FolderNodes> {
    const positions: number[] = []
    await runInSlices(this.#select(isKept, positions))
    const leftOut = this.leftOut.filter(({ node }) => isKept(node))
    return new FolderNodes(this.#names, this.#make, positions, leftOut)
  }

  *#select(isKept: (node: Node) => boolean, positions: number[]): Generator<void, void> {
    for (let index = 0; index < this.length; index += 1) {
      if (isKept(this.at(index))) positions.push(this.#positions[index] ?? 0)
      yield
    }
  }
}
