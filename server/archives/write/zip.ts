/**
 * Writes a zip with uncompressed members. All offsets are known before a byte is read, so that a client sees the
 * total size and can resume.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Room } from '#server/storage/file-starts.ts'
import type { ByteRange, Opened } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import type { Bytes } from '../member.ts'
import { inChunks, withoutDrive } from './archive-bytes.ts'
import { changedMeanwhile, type NamedNode, readUnchanged } from './archive-walk.ts'
import type { CrcCache, RunningCrc } from './crc-cache.ts'
import { type Content, contentsOf, SMALL_FILE_BYTES } from './file-contents.ts'
import {
  centralLength,
  centralRecord,
  descriptor,
  descriptorLength,
  endRecords,
  localLength,
  localRecord,
  type ZipEntry,
} from './zip-records.ts'

/** A member with its offset. A zip may have very many, so what can be computed is not stored. */
interface PlacedMember extends NamedNode {
  /** Its position in the list of members. */
  index: number
  /** Where its local record begins. */
  offset: number
}

/** A member that is sent. */
interface RequestedMember extends PlacedMember {
  entry: ZipEntry
  /** The requested part of its bytes. */
  range: ByteRange
}

/** A zip whose layout is known. */
export interface ZipPlan {
  sizeBytes: number
  /** Changes if any of its files changes. */
  version: string
  /**
   * The bytes, or a range. At an early end or error the open file is closed.
   *
   * @throws Fault conflict for a file that was removed, shortened or denied since the plan was made
   */
  bytes(range?: ByteRange): Bytes
}

export interface ZipOptions {
  crcCache: CrcCache
  /** Ends the reading of files whose checksums are not known. */
  stop: AbortSignal
  entriesMax?: number
}

/**
 * Computes the layout.
 *
 * @throws Fault tooLarge for more than `entriesMax` members, or names that are too long in total
 */
export async function planZip(
  scope: Scope,
  members: AsyncIterable<NamedNode>,
  { crcCache, stop, entriesMax = SERVER_LIMITS.zipEntriesMax }: ZipOptions,
): Promise<ZipPlan> {
  const placed: PlacedMember[] = []
  const hash = createHash('sha256')
  let [offset, nameBytes, directoryBytes] = [0, 0, 0]
  for await (const member of members) {
    const entry = entryOf(member)
    nameBytes += entry.name.length
    if (placed.length === entriesMax || nameBytes > SERVER_LIMITS.zipNamesMaxBytes) {
      throw new Fault(
        'tooLarge',
        'A zip archive cannot contain so many files and folders. Choose a tar archive.',
      )
    }
    placed.push({ ...member, index: placed.length, offset })
    hash.update(entry.name).update(`\0${member.node.version}\0${entry.mode}\0`)
    directoryBytes += centralLength(entry, offset)
    offset += lengthOf(entry)
  }
  const end = endRecords(placed.length, directoryBytes, offset)
  const sizeBytes = offset + directoryBytes + end.length
  const zip = new Zip(scope, placed, { offset, end }, { crcCache, stop })
  return {
    sizeBytes,
    version: hash.digest('hex').slice(0, 32),
    bytes: (range = { first: 0, last: sizeBytes - 1 }) => inChunks(zip.span(range)),
  }
}

/** A small file is preceded by its record, and nothing follows it. */
function roomOf({ entry }: RequestedMember): Room {
  return { before: localLength(entry), after: 0 }
}

/** Length of a member's records and bytes. */
function lengthOf(entry: ZipEntry): number {
  return localLength(entry) + entry.sizeBytes + descriptorLength(entry)
}

function entryOf({ name, node }: NamedNode): ZipEntry {
  const isFolder = node.kind === 'folder'
  return {
    name: Buffer.from(withoutDrive(isFolder ? `${name}/` : name)),
    isFolder,
    sizeBytes: isFolder ? 0 : node.sizeBytes,
    mode: node.mode & 0o777,
    modifiedMs: node.modifiedMs,
    crcFollows: !isFolder && node.sizeBytes > SMALL_FILE_BYTES,
  }
}

class Zip {
  readonly #scope: Scope
  readonly #placed: readonly PlacedMember[]
  readonly #directory: { offset: number; end: Uint8Array }
  readonly #crcCache: CrcCache
  readonly #stop: AbortSignal
  /** Index of a member → its CRC, for members that were read. */
  readonly #crcs = new Map<number, number>()

  constructor(
    scope: Scope,
    placed: readonly PlacedMember[],
    directory: { offset: number; end: Uint8Array },
    { crcCache, stop }: ZipOptions,
  ) {
    this.#scope = scope
    this.#placed = placed
    this.#directory = directory
    this.#crcCache = crcCache
    this.#stop = stop
  }

  /** @throws Fault conflict for a file that was removed, shortened or denied since the plan was made */
  async *span({ first, last }: ByteRange): Bytes {
    const start = this.#placed.findIndex((placed) => this.#endOf(placed) > first)
    let position = this.#placed[start]?.offset ?? this.#directory.offset
    for await (const part of this.#parts(start, first, last)) {
      if (typeof part === 'number') {
        position += part
        continue
      }
      const from = Math.max(0, first - position)
      const to = Math.min(part.length, last + 1 - position)
      position += part.length
      if (to > from) yield part.subarray(from, to)
      if (position > last) return
    }
  }

  #endOf({ index }: PlacedMember): number {
    return this.#placed[index + 1]?.offset ?? this.#directory.offset
  }

  /**
   * Yields the parts from the member at index `start` on, or from the directory. A number says how many bytes of the
   * content before `first` are skipped.
   */
  async *#parts(start: number, first: number, last: number): AsyncGenerator<Uint8Array | number> {
    const requested = this.#requestedMembers(start, first, last)
    for await (const content of contentsOf(this.#scope, requested, roomOf))
      yield* this.#member(content)
    if (last < this.#directory.offset) return
    for (const placed of this.#placed) {
      yield centralRecord(entryOf(placed), await this.#crcOf(placed), placed.offset)
    }
    yield this.#directory.end
  }

  *#requestedMembers(start: number, first: number, last: number): Generator<RequestedMember> {
    if (start < 0) return
    for (const placed of this.#placed.slice(start)) {
      if (placed.offset > last) return
      const entry = entryOf(placed)
      yield { ...placed, entry, range: rangeOf(entry, first - placed.offset) }
    }
  }

  async *#member(placed: Content<RequestedMember>): AsyncGenerator<Uint8Array | number> {
    const { entry, bytes, framed, file, range } = placed
    if (entry.isFolder) {
      yield localRecord(entry, 0)
    } else if (!entry.crcFollows) {
      const all = bytes ?? (file && (await new Response(file.bytes).bytes()))
      if (all?.length !== entry.sizeBytes) throw changedMeanwhile(placed.name)
      const record = localRecord(entry, this.#keep(placed, crc32(all)))
      framed?.set(record)
      if (framed) yield framed
      else yield* [record, all]
    } else {
      yield localRecord(entry, 0)
      yield range.first
      const running = this.#crcCache.running(placed.node)
      yield* this.#file(placed, file, running)
      const { whole } = running
      if (whole !== undefined) this.#crcs.set(placed.index, whole)
      yield descriptor(entry, whole ?? (await this.#crcOf(placed)))
    }
  }

  /**
   * Yields the bytes of a large file. What is known of its checksum is kept when the client leaves.
   */
  async *#file(
    placed: Pick<RequestedMember, 'name' | 'range'>,
    file: Opened | undefined,
    running: RunningCrc,
  ): AsyncGenerator<Uint8Array, void> {
    const { first, last } = placed.range
    let offset = first
    try {
      for await (const part of file?.bytes ?? []) {
        running.add(part, offset)
        offset += part.length
        yield part
      }
      if (offset !== last + 1) throw changedMeanwhile(placed.name)
    } finally {
      running.keep()
    }
  }

  /** The CRC of a member; what is not known of it is read. */
  async #crcOf(placed: PlacedMember): Promise<number> {
    const { index, name, node } = placed
    if (node.kind === 'folder') return 0
    if (placed.bytes) return crc32(placed.bytes)
    const known = this.#crcs.get(index) ?? this.#crcCache.get(node)
    if (known !== undefined) return known
    const running = this.#crcCache.running(node)
    const range = { first: running.bytes, last: node.sizeBytes - 1 }
    const file = await readUnchanged(name, () => this.#scope.read(node.path, () => range))
    for await (const _ of this.#file({ name, range }, file, running)) this.#stop.throwIfAborted()
    const { whole } = running
    if (whole === undefined) throw changedMeanwhile(name)
    this.#crcs.set(index, whole)
    return whole
  }

  #keep({ index, node }: PlacedMember, crc: number): number {
    this.#crcs.set(index, crc)
    this.#crcCache.set(node, { bytes: node.sizeBytes, crc })
    return crc
  }
}

/** @returns the range of a file to read if the first `unwanted` bytes of its records and content are not requested */
function rangeOf(entry: ZipEntry, unwanted: number): ByteRange {
  const skipped = unwanted - localLength(entry)
  const last = entry.sizeBytes - 1
  return { first: entry.crcFollows ? Math.min(Math.max(0, skipped), last) : 0, last }
}
