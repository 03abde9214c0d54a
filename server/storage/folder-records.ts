/** What a thread found in a folder, and the same as Nodes. */
import { bytesOfName, hasEscapes, nameOfBytes } from '#wire/names.ts'
import { childPath, nameOf, type TreePath } from '#wire/paths.ts'
import type { Handle } from './handle.ts'
import { kindOf, objectOf, timeOf, versionOf } from './local-node.ts'
import type { Node, NodeKind, Start } from './node.ts'

/** A folder that is being listed: where it was asked for, where it lies, and where on the disk. */
export interface OpenFolder extends Disposable {
  handle: Handle
  path: TreePath
  real: TreePath
  /** Names that differ only by case are one name here. */
  foldsCase: boolean
}

/** Names apart from numbers, so that a thread can hand them over. */
export interface FolderRecords {
  /** Each name ended by a NUL. */
  names: Uint8Array<ArrayBuffer>
  /** `NUMBERS` of each. */
  numbers: Float64Array<ArrayBuffer>
}

/** Places of one thing's numbers. */
export const NUMBERS = { mode: 0, ino: 1, size: 2, modifiedMs: 3, changedMs: 4 } as const
export const NUMBERS_EACH = 5

/** Files of which a thread reads the beginning. */
export interface Wanted {
  /** Each name ended by a NUL. */
  names: Uint8Array<ArrayBuffer>
  inodes: Float64Array<ArrayBuffer>
  /** Bytes of each. */
  lengths: Int32Array<ArrayBuffer>
}

/** What a thread read. */
export interface Starts {
  /** One after the other. */
  bytes: Uint8Array<ArrayBuffer>
  /** -1 for what is gone, is another file by now, or cannot be read. */
  lengths: Int32Array<ArrayBuffer>
  /** How long each file is. */
  sizes: Float64Array<ArrayBuffer>
}

/** What to read of files of one folder: what is no file in it by itself is looked for and not found. */
export function wantedOf(files: readonly Node[], bytesMax: number): Wanted {
  return {
    names: new Uint8Array(
      Buffer.concat(files.flatMap(({ path }) => [bytesOfName(nameOf(path)), NUL])),
    ),
    inodes: Float64Array.from(files, (file) =>
      file instanceof RecordNode ? file.ino : Number.NaN,
    ),
    lengths: Int32Array.from(files, ({ sizeBytes }) => Math.min(sizeBytes, bytesMax)),
  }
}

const NUL = new Uint8Array(1)

/** What was read, a file each. */
export function startsOf(starts: Starts, { lengths }: Wanted): (Start | undefined)[] {
  let end = 0
  return Array.from(lengths, (_, at) => {
    const length = starts.lengths[at] ?? -1
    if (length < 0) return undefined
    end += length
    return { bytes: starts.bytes.subarray(end - length, end), isAll: starts.sizes[at] === length }
  })
}

/** Room for what is wanted, of which nothing is read yet. */
export function emptyStarts({ lengths }: Wanted): Starts {
  return {
    bytes: new Uint8Array(lengths.reduce((sum, length) => sum + length, 0)),
    lengths: new Int32Array(lengths.length).fill(-1),
    sizes: new Float64Array(lengths.length),
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The names as text, in their order. */
export function namesOf({ names }: Pick<FolderRecords, 'names'>): string[] {
  try {
    const text = decoder.decode(names)
    if (!hasEscapes(text)) return text.split('\0').slice(0, -1)
  } catch {
    // One that is not UTF-8: name by name.
  }
  const all: string[] = []
  for (let at = 0; at < names.length; ) {
    const end = names.indexOf(0, at)
    all.push(nameOfBytes(names.subarray(at, end)))
    at = end + 1
  }
  return all
}

/** The paths of names in a folder, which the kernel gave and which are proper. @throws Fault badRequest (too deep) */
export function pathsIn(folder: TreePath): (name: string) => TreePath {
  const anyName = childPath(folder, 'x')
  const before = anyName.slice(0, -1)
  return (name) => (before + name) as TreePath
}

/** One of many things that are listed at once. What few ask for is made when they do. */
export class RecordNode implements Node {
  readonly path: TreePath
  readonly real: TreePath
  readonly kind: NodeKind
  readonly isLink = false
  readonly sizeBytes: number
  readonly mode: number
  readonly foldsCase: boolean
  readonly #found: FolderRecords
  readonly #first: number

  /** @param at its place in what was found */
  constructor(node: Pick<Node, 'path' | 'real' | 'foldsCase'>, found: FolderRecords, at: number) {
    this.path = node.path
    this.real = node.real
    this.foldsCase = node.foldsCase
    this.#found = found
    this.#first = at * NUMBERS_EACH
    this.mode = this.#number('mode')
    this.kind = kindOf(this.mode)
    this.sizeBytes = this.#number('size')
  }

  get modifiedMs(): number {
    return timeOf(this.#number('modifiedMs'))
  }

  get ino(): number {
    return this.#number('ino')
  }

  get version(): string {
    return versionOf({
      mtimeMs: this.#number('modifiedMs'),
      ctimeMs: this.#number('changedMs'),
      size: this.sizeBytes,
      ino: this.ino,
    })
  }

  get identity(): string {
    return objectOf(this.ino)
  }

  #number(of: keyof typeof NUMBERS): number {
    return this.#found.numbers[this.#first + NUMBERS[of]] ?? 0
  }
}
