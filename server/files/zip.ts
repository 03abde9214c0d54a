/**
 * Members → a zip of which every byte has its place before one is read: members are stored, so a client
 * sees how far it is, and goes on where it broke off.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Scope } from '#server/access/scope.ts'
import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { inChunks, withoutDrive } from './archive-bytes.ts'
import { ifExists, type Member } from './archive-walk.ts'
import type { Bytes } from './codec.ts'
import { type Content, contentsOf, SMALL_BYTES } from './file-contents.ts'
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

/** A member and where it lies in the zip. There may be many: what can be made again is not kept. */
interface Placed extends Member {
  at: number
  offset: number
}

/** A member on its way out. */
interface Wanted extends Placed {
  entry: ZipEntry
  /** The part of its bytes that is wanted. */
  range: ByteRange
}

/** A zip that can be made: looked at, not yet read. */
export interface ZipPlan {
  sizeBytes: number
  /** Changes when anything that goes into it does. */
  version: string
  /**
   * The bytes, or a span of them. When it is ended early, or fails, the file at hand is closed.
   *
   * @throws Error for a file that is gone, became shorter, or is denied since the plan was made
   */
  bytes(range?: ByteRange): Bytes
}

/**
 * Finds a place for each member.
 *
 * @throws Fault tooLarge when there are more than `entriesMax`, or names that take too much room
 */
export async function planZip(
  scope: Scope,
  members: AsyncIterable<Member>,
  checks: Checks,
  entriesMax: number = LIMITS.zipEntriesMax,
): Promise<ZipPlan> {
  const placed: Placed[] = []
  const hash = createHash('sha256')
  let [offset, nameBytes, directoryBytes] = [0, 0, 0]
  for await (const member of members) {
    const entry = entryOf(member)
    nameBytes += entry.name.length
    if (placed.length === entriesMax || nameBytes > LIMITS.zipNamesMaxBytes) {
      throw new Fault('tooLarge', 'A zip cannot hold so many files and folders; a tar can.')
    }
    placed.push({ name: member.name, node: member.node, at: placed.length, offset })
    hash.update(entry.name).update(`\0${member.node.version}\0${entry.mode}\0`)
    directoryBytes += centralLength(entry, offset)
    offset += lengthOf(entry)
  }
  const end = endRecords(placed.length, directoryBytes, offset)
  const sizeBytes = offset + directoryBytes + end.length
  const zip = new Zip(scope, placed, { offset, end }, checks)
  return {
    sizeBytes,
    version: hash.digest('hex').slice(0, 32),
    bytes: (range = { first: 0, last: sizeBytes - 1 }) => inChunks(zip.span(range)),
  }
}

/** Of a member's records and its bytes. */
function lengthOf(entry: ZipEntry): number {
  return localLength(entry) + entry.sizeBytes + descriptorLength(entry)
}

function entryOf({ name, node }: Member): ZipEntry {
  const isFolder = node.kind === 'folder'
  return {
    name: Buffer.from(withoutDrive(isFolder ? `${name}/` : name)),
    isFolder,
    sizeBytes: isFolder ? 0 : node.sizeBytes,
    mode: node.mode & 0o777,
    modifiedMs: node.modifiedMs,
    checkFollows: !isFolder && node.sizeBytes > SMALL_BYTES,
  }
}

class Zip {
  readonly #scope: Scope
  readonly #placed: readonly Placed[]
  readonly #directory: { offset: number; end: Uint8Array }
  readonly #checks: Checks
  /** Of the members that were read, by their places. */
  readonly #found = new Map<number, number>()

  constructor(
    scope: Scope,
    placed: readonly Placed[],
    directory: { offset: number; end: Uint8Array },
    checks: Checks,
  ) {
    this.#scope = scope
    this.#placed = placed
    this.#directory = directory
    this.#checks = checks
  }

  /** @throws Error for a file that is gone, became shorter, or is denied since the plan was made */
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

  #endOf({ at }: Placed): number {
    return this.#placed[at + 1]?.offset ?? this.#directory.offset
  }

  /**
   * From the beginning of the member at `start` on, or from the directory; a number stands for as many bytes
   * before `first`.
   */
  async *#parts(start: number, first: number, last: number): AsyncGenerator<Uint8Array | number> {
    const wanted = this.#wanted(start, first, last)
    for await (const content of contentsOf(this.#scope, wanted)) yield* this.#member(content)
    if (last < this.#directory.offset) return
    for (const placed of this.#placed) {
      yield centralRecord(entryOf(placed), await this.#check(placed), placed.offset)
    }
    yield this.#directory.end
  }

  *#wanted(start: number, first: number, last: number): Generator<Wanted> {
    if (start < 0) return
    for (const placed of this.#placed.slice(start)) {
      if (placed.offset > last) return
      const entry = entryOf(placed)
      yield { ...placed, entry, range: rangeOf(entry, first - placed.offset) }
    }
  }

  async *#member(placed: Content<Wanted>): AsyncGenerator<Uint8Array | number> {
    const { entry, bytes, file, range } = placed
    if (entry.isFolder) {
      yield localRecord(entry, 0)
    } else if (!entry.checkFollows) {
      const all = bytes ?? (file && (await new Response(file.bytes).bytes()))
      if (all?.length !== entry.sizeBytes) throw changed(placed)
      yield localRecord(entry, this.#keep(placed, crc32(all)))
      yield all
    } else {
      yield localRecord(entry, 0)
      yield range.first
      const check = yield* this.#file(placed, file)
      const isAll = range.first === 0
      yield descriptor(entry, isAll ? this.#keep(placed, check) : await this.#check(placed))
    }
  }

  /** The bytes of a large file. @returns their check */
  async *#file(
    placed: Pick<Wanted, 'name' | 'range'>,
    file: Opened | undefined,
  ): AsyncGenerator<Uint8Array, number> {
    const { first, last } = placed.range
    let [check, sent] = [0, 0]
    for await (const part of file?.bytes ?? []) {
      check = crc32(part, check)
      sent += part.length
      yield part
    }
    if (sent !== last + 1 - first) throw changed(placed)
    return check
  }

  /** The check of a member; one that was sent before is read once more, unless it is remembered. */
  async #check(placed: Placed): Promise<number> {
    const { at, name, node } = placed
    if (node.kind === 'folder') return 0
    const known = this.#found.get(at) ?? this.#checks.get(node)
    if (known !== undefined) return known
    const range = { first: 0, last: node.sizeBytes - 1 }
    const file = await ifExists(() => this.#scope.read(node.path, () => range))
    const reading = this.#file({ name, range }, file)
    for (;;) {
      const { done, value } = await reading.next()
      if (done) return this.#keep(placed, value)
    }
  }

  #keep({ at, node }: Placed, check: number): number {
    this.#found.set(at, check)
    this.#checks.set(node, check)
    return check
  }
}

/** What to read of a file of whose records and bytes so many at the front are not wanted. */
function rangeOf(entry: ZipEntry, unwanted: number): ByteRange {
  const skipped = unwanted - localLength(entry)
  const last = entry.sizeBytes - 1
  return { first: entry.checkFollows ? Math.min(Math.max(0, skipped), last) : 0, last }
}

function changed({ name }: Pick<Placed, 'name'>): Error {
  return new Error(`${name} changed since its place in the zip was found.`)
}

/** The checks of files as they were, so that a zip goes on where it broke off without reading them again. */
export class Checks {
  readonly #byVersion = new Map<number | bigint, number>()

  get(node: Node): number | undefined {
    return this.#byVersion.get(keyOf(node))
  }

  set(node: Node, check: number): void {
    const key = keyOf(node)
    this.#byVersion.delete(key)
    this.#byVersion.set(key, check)
    if (this.#byVersion.size <= CHECKS_MAX) return
    const [oldest] = this.#byVersion.keys()
    if (oldest !== undefined) this.#byVersion.delete(oldest)
  }
}

/** About 10 MiB. */
export const CHECKS_MAX = 100_000

function keyOf({ real, version }: Node): number | bigint {
  return Bun.hash(`${real}\0${version}`)
}
