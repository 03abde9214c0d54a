/** The nodes of one folder, made on access, because those of a large folder fill the memory. */
import { runInSlices } from '#server/slices.ts'
import { nameOf } from '#wire/paths.ts'
import type { Node } from './node.ts'

/** Folders come first, and each group is in the order of the names. */
export interface EarlyNodes {
  ascending: boolean
  /** Receives the nodes that come first, and how many there are. Called at most once, and only for a large folder. */
  onFirst(nodes: FolderNodes, total: number): void
}

export class FolderNodes implements Iterable<Node> {
  readonly #names: readonly string[]
  readonly #make: (name: string, source: number) => Node
  /** The positions of the nodes in the source. */
  readonly #sources: readonly number[]

  /**
   * @param names of a source such as a folder
   * @param make makes the node of a name, from its position in the source
   * @param sources the positions of the nodes of this list
   */
  constructor(
    names: readonly string[],
    make: (name: string, source: number) => Node,
    sources: readonly number[],
  ) {
    this.#names = names
    this.#make = make
    this.#sources = sources
  }

  /** A list of nodes that exist already. */
  static of(nodes: readonly Node[]): FolderNodes {
    const make = (_: string, source: number) => nodes[source] as Node
    const names = nodes.map(({ path }) => nameOf(path))
    return new FolderNodes(names, make, [...nodes.keys()])
  }

  get length(): number {
    return this.#sources.length
  }

  /** @param index below `length` */
  nameAt(index: number): string {
    return this.#names[this.#sources[index] ?? 0] ?? ''
  }

  /** @param index below `length` */
  at(index: number): Node {
    return this.#make(this.nameAt(index), this.#sources[index] ?? 0)
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
      group.push(this.#sources[index] ?? 0)
    }
    return new FolderNodes(this.#names, this.#make, [...folders, ...others].slice(0, count))
  }

  /** @returns the nodes that `isKept` accepts; it runs in slices */
  async filter(isKept: (node: Node) => boolean): Promise<FolderNodes> {
    const sources: number[] = []
    await runInSlices(this.#select(isKept, sources))
    return new FolderNodes(this.#names, this.#make, sources)
  }

  *#select(isKept: (node: Node) => boolean, sources: number[]): Generator<void, void> {
    for (let index = 0; index < this.length; index += 1) {
      if (isKept(this.at(index))) sources.push(this.#sources[index] ?? 0)
      yield
    }
  }
}
