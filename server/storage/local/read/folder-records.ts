/** The data of a folder's entries in buffers that a worker thread returns, and their conversion to nodes. */

import type { Stats } from 'node:fs'
import type { FileStarts, StartOptions } from '#server/storage/file-starts.ts'
import type { Node, NodeKind } from '#server/storage/node.ts'
import { clampTime } from '#wire/api/entry.ts'
import { bytesOfName, hasEscapes, mayHaveEscapes, nameOfBytes } from '#wire/names.ts'
import { childPath, nameOf, type TreePath } from '#wire/paths.ts'
import type { Handle } from '../handles/handle.ts'
import { kindOf, nodeIdentityOf, versionOf } from '../handles/node-of-stats.ts'

/** A folder that is being listed: the open handle, the requested path and the real path. */
export interface OpenFolder extends Disposable {
  handle: Handle
  path: TreePath
  real: TreePath
  stats: Stats
  /** Whether the folder ignores the case of names. */
  foldsCase: boolean
}

/** Names and numbers in separate buffers, so that a thread can transfer them. */
export interface FolderRecords {
  /** Each name ends with a NUL. */
  names: Uint8Array<ArrayBuffer>
  /** The `STAT_FIELDS` of each entry. */
  numbers: Float64Array<ArrayBuffer>
}

/** The order of one entry's numbers. */
export const STAT_FIELDS = { mode: 0, ino: 1, size: 2, modifiedMs: 3, changedMs: 4 } as const
export const STAT_FIELD_COUNT = 5

/** The files of one folder of which a thread reads the first bytes. */
export interface PeekRequest {
  /** Each name ends with a NUL. */
  names: Uint8Array<ArrayBuffer>
  /** The inode of each file; NaN for a link, which is not read. */
  inodes: Float64Array<ArrayBuffer>
  /** How many bytes to read of each file. */
  lengths: Int32Array<ArrayBuffer>
  /** Where the bytes of each file begin in the result. */
  offsets: Int32Array<ArrayBuffer>
  /** The length of all bytes of the result. */
  totalBytes: number
}

/** The bytes that a thread has read. */
export interface PeekResult {
  /** The contents, each at its offset. */
  bytes: Uint8Array<ArrayBuffer>
  /** The length of each that was read; -1 if the file is gone, was replaced, or cannot be read. */
  lengths: Int32Array<ArrayBuffer>
  /** The size of each file. */
  sizes: Float64Array<ArrayBuffer>
}

/** @returns the request for the files of one folder; links are not read */
export function peekRequestOf(
  files: readonly Node[],
  { bytesMax, room }: StartOptions,
): PeekRequest {
  const lengths = Int32Array.from(files, ({ sizeBytes }) => Math.min(sizeBytes, bytesMax))
  let totalBytes = 0
  const offsets = lengths.map((length, index) => {
    const { before, after } = room?.[index] ?? NO_ROOM
    const offset = totalBytes + before
    totalBytes = offset + length + after
    return offset
  })
  return {
    names: new Uint8Array(bytesOfName(files.map(({ path }) => `${nameOf(path)}\0`).join(''))),
    inodes: Float64Array.from(files, (file) =>
      file instanceof RecordNode ? file.ino : Number.NaN,
    ),
    lengths,
    offsets,
    totalBytes,
  }
}

const NO_ROOM = { before: 0, after: 0 }

/** Splits the bytes that a thread has read into the bytes of each file. */
export function startsOfFiles(
  result: PeekResult,
  requested: PeekRequest,
  room: StartOptions['room'],
): FileStarts {
  return Array.from(requested.offsets, (offset, index) => {
    const length = result.lengths[index] ?? -1
    if (length < 0) return undefined
    const { before, after } = room?.[index] ?? NO_ROOM
    const end = offset + length
    const isExpected = length === requested.lengths[index]
    return {
      bytes: result.bytes.subarray(offset, end),
      isAll: result.sizes[index] === length,
      framed: isExpected ? result.bytes.subarray(offset - before, end + after) : undefined,
    }
  })
}

/** Allocates the buffers for a request. */
export function emptyPeekResult({ lengths, totalBytes }: PeekRequest): PeekResult {
  return {
    bytes: new Uint8Array(totalBytes),
    lengths: new Int32Array(lengths.length).fill(-1),
    sizes: new Float64Array(lengths.length),
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @returns the names as text, in their order */
export function namesOf(records: Pick<FolderRecords, 'names'>): string[] {
  const names: string[] = []
  addNames(names, records)
  return names
}

/** Appends names to a list. A loop takes a third of the time of `split`. */
function addNames(all: string[], records: Pick<FolderRecords, 'names'>): void {
  const text = textOf(records)
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\0', start)
    all.push(text.slice(start, end))
    start = end + 1
  }
}

/** @returns the names as one text; each ends with a NUL */
export function textOf({ names }: Pick<FolderRecords, 'names'>): string {
  try {
    const text = decoder.decode(names)
    if (!mayHaveEscapes(names) || !hasEscapes(text)) return text
  } catch {
    // Some name is not UTF-8: decode each one by itself.
  }
  let all = ''
  for (let offset = 0; offset < names.length; ) {
    const end = names.indexOf(0, offset)
    all += `${nameOfBytes(names.subarray(offset, end))}\0`
    offset = end + 1
  }
  return all
}

/** Names are converted in steps of about so many bytes. */
const STEP_BYTES = 32 * 1024

/** As `namesOf`, in steps: the names of a large folder take milliseconds. */
export function* namesInSteps({ names }: Pick<FolderRecords, 'names'>): Generator<void, string[]> {
  const all: string[] = []
  for (let first = 0; first < names.length; ) {
    const last = names.indexOf(0, Math.min(first + STEP_BYTES, names.length - 1))
    addNames(all, { names: names.subarray(first, last + 1) })
    first = last + 1
    yield
  }
  return all
}

/**
 * @returns a function from a name to its path; the kernel returned the name, so it needs no check
 * @throws Fault badRequest (too deep)
 */
export function pathsIn(folder: TreePath): (name: string) => TreePath {
  const anyName = childPath(folder, 'x')
  const before = anyName.slice(0, -1)
  return (name) => (before + name) as TreePath
}

/** A node of a listing, made from its record. Rarely used fields are computed on access. */
export class RecordNode implements Node {
  readonly path: TreePath
  readonly real: TreePath
  readonly kind: NodeKind
  readonly isLink = false
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
  readonly foldsCase: boolean
  readonly ino: number
  readonly #records: FolderRecords
  readonly #index: number

  /** @param index the index of the entry in `records` */
  constructor(
    path: TreePath,
    real: TreePath,
    foldsCase: boolean,
    records: FolderRecords,
    index: number,
  ) {
    this.path = path
    this.real = real
    this.foldsCase = foldsCase
    this.#records = records
    this.#index = index
    this.mode = numberIn(records, index, STAT_FIELDS.mode)
    this.kind = kindOf(this.mode)
    this.sizeBytes = numberIn(records, index, STAT_FIELDS.size)
    this.modifiedMs = clampTime(numberIn(records, index, STAT_FIELDS.modifiedMs))
    this.ino = numberIn(records, index, STAT_FIELDS.ino)
  }

  get version(): string {
    return versionOf({
      mtimeMs: numberIn(this.#records, this.#index, STAT_FIELDS.modifiedMs),
      ctimeMs: numberIn(this.#records, this.#index, STAT_FIELDS.changedMs),
      size: this.sizeBytes,
      ino: this.ino,
    })
  }

  get identity(): string {
    return nodeIdentityOf(this.ino)
  }
}

/** @param field the position of a number in `STAT_FIELDS` */
function numberIn({ numbers }: FolderRecords, index: number, field: number): number {
  return numbers[index * STAT_FIELD_COUNT + field] ?? 0
}
