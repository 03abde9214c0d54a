/**
 * Reads a bbolt database (docs/api.md 9.6). Pages are verified, so that a file that was copied during a write is
 * refused.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { lockShared } from '#server/os/lock.ts'
import { Fault } from '#wire/fault.ts'

/** Page header: id (u64), flags (u16), count (u16) and overflow (u32). */
const PAGE_HEADER = 16
const BRANCH = 1
const LEAF = 2
const META = 4

/** Offsets of the fields after the header of pages 0 and 1. */
const META_AT = { magic: 0, version: 4, pageSize: 8, root: 16, end: 40, txid: 48, checksum: 56 }
const META_BYTES = 64
const MAGIC = 0xed0cdaed
const VERSION = 2

/** bbolt uses the system's page size; the second meta page starts at one of these. */
const PAGE_SIZES = Array.from({ length: 11 }, (_, power) => 1024 << power)

const LEAF_ELEMENT = 16
const BRANCH_ELEMENT = 16
/** A bucket's value: root page and sequence; if the root is 0, an inline page follows. */
const BUCKET_HEADER = 16
const IS_BUCKET = 1

export interface BoltEntry {
  key: Buffer
  value: Buffer
}

export interface Bucket {
  /** Keys and values in order, without nested buckets. */
  entries(): Generator<BoltEntry>
  /** A nested bucket; undefined if there is none. */
  bucket(name: string): Bucket | undefined
}

export interface BoltFile {
  root: Bucket
  close(): void
}

interface Meta {
  pageSize: number
  root: number
  /** The first unused page id. */
  end: number
  txid: bigint
}

/** An item of a leaf page. */
interface Item extends BoltEntry {
  isBucket: boolean
}

/**
 * @throws Fault notFound, badRequest if it cannot be read or has another format, locked while a server uses it,
 *   unprocessable if it is damaged
 */
export function openBolt(path: string): BoltFile {
  const fd = openForReading(path)
  try {
    if (!lockShared(fd)) {
      throw new Fault(
        'locked',
        `${path} is in use by a running server. Stop File Browser, or name a copy of the file.`,
      )
    }
    const pages = new Pages(fd, path)
    return {
      root: new PageBucket(pages, { root: pages.meta.root }),
      close: () => closeSync(fd),
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** The verified pages of the file. */
class Pages {
  readonly meta: Meta
  readonly #fd: number
  readonly #path: string

  constructor(fd: number, path: string) {
    this.#fd = fd
    this.#path = path
    this.meta = this.#findMeta()
    const { end, pageSize } = this.meta
    const sizeBytes = fstatSync(fd).size
    if (sizeBytes < end * pageSize) {
      throw this.damaged(`it ends after ${sizeBytes} of ${end * pageSize} bytes`)
    }
  }

  /** @throws Fault unprocessable for an invalid page */
  page(id: number): Buffer {
    const { pageSize, end } = this.meta
    if (id < 2 || id >= end) throw this.damaged(`there is no page ${id}`)
    const first = this.#read(id * pageSize, pageSize)
    const overflow = first.readUInt32LE(12)
    if (idAt(first, 0) !== id || id + overflow >= end)
      throw this.damaged(`page ${id} has a wrong header`)
    return overflow === 0 ? first : this.#read(id * pageSize, (overflow + 1) * pageSize)
  }

  damaged(reason: string): Fault {
    return new Fault(
      'unprocessable',
      `${this.#path} is damaged or incompletely copied: ${reason}. Stop File Browser and copy the file again.`,
    )
  }

  /** The newer of the valid meta pages; a crash may have damaged the other. */
  #findMeta(): Meta {
    const first = this.#metaAt(0)
    const sizes = first ? [first.pageSize] : PAGE_SIZES
    const second = sizes.map((size) => this.#metaAt(size)).find((meta) => meta !== undefined)
    const [meta] = [first, second]
      .filter((page) => page !== undefined)
      .sort((a, b) => (a.txid < b.txid ? 1 : -1))
    if (meta) return meta
    const hasMagic = this.#read(0, PAGE_HEADER + 4).readUInt32LE(PAGE_HEADER) === MAGIC
    if (hasMagic) throw this.damaged('both of its first two pages are damaged')
    throw new Fault('badRequest', `${this.#path} is not a database of File Browser.`)
  }

  #metaAt(offset: number): Meta | undefined {
    const page = this.#read(offset, PAGE_HEADER + META_BYTES)
    const meta = page.subarray(PAGE_HEADER)
    const pageSize = meta.readUInt32LE(META_AT.pageSize)
    const isMeta =
      (page.readUInt16LE(8) & META) !== 0 &&
      meta.readUInt32LE(META_AT.magic) === MAGIC &&
      meta.readUInt32LE(META_AT.version) === VERSION &&
      meta.readBigUInt64LE(META_AT.checksum) === fnv1a(meta.subarray(0, META_AT.checksum)) &&
      PAGE_SIZES.includes(pageSize)
    if (!isMeta) return undefined
    return {
      pageSize,
      root: idAt(meta, META_AT.root),
      end: idAt(meta, META_AT.end),
      txid: meta.readBigUInt64LE(META_AT.txid),
    }
  }

  /** Bytes beyond the end of the file are read as zeros, which fail the later checks. */
  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    for (let filled = 0; filled < length; ) {
      const read = readSync(this.#fd, bytes, filled, length - filled, offset + filled)
      if (read === 0) break
      filled += read
    }
    return bytes
  }
}

/** A bucket whose keys are in a tree of pages, or in one inline page. */
class PageBucket implements Bucket {
  readonly #pages: Pages
  readonly #from: { root: number } | { inline: Buffer }

  constructor(pages: Pages, from: { root: number } | { inline: Buffer }) {
    this.#pages = pages
    this.#from = from
  }

  *entries(): Generator<BoltEntry> {
    for (const { key, value, isBucket } of this.#items()) if (!isBucket) yield { key, value }
  }

  bucket(name: string): Bucket | undefined {
    const nameBytes = Buffer.from(name)
    for (const { key, value, isBucket } of this.#items()) {
      if (!isBucket || !key.equals(nameBytes)) continue
      if (value.length < BUCKET_HEADER) throw this.#pages.damaged(`bucket ${name} has no header`)
      const root = idAt(value, 0)
      return new PageBucket(
        this.#pages,
        root === 0 ? { inline: value.subarray(BUCKET_HEADER) } : { root },
      )
    }
    return undefined
  }

  /** @throws Fault unprocessable if keys are out of order, since the file then mixes pages of two states */
  *#items(): Generator<Item> {
    let last: Buffer | undefined
    for (const item of this.#unordered()) {
      if (last && Buffer.compare(last, item.key) >= 0) {
        throw this.#pages.damaged('its keys are out of order')
      }
      last = item.key
      yield item
    }
  }

  #unordered(): Generator<Item> {
    const from = this.#from
    if ('inline' in from) return this.#leaf(from.inline)
    return this.#tree(from.root, new Set())
  }

  *#tree(id: number, seen: Set<number>): Generator<Item> {
    if (seen.has(id)) throw this.#pages.damaged(`page ${id} is used twice`)
    seen.add(id)
    const page = this.#pages.page(id)
    if (page.readUInt16LE(8) === LEAF) yield* this.#leaf(page)
    else if (page.readUInt16LE(8) === BRANCH) {
      const count = page.readUInt16LE(10)
      this.#requireInside(page, PAGE_HEADER, count * BRANCH_ELEMENT)
      for (let index = 0; index < count; index += 1) {
        yield* this.#tree(idAt(page, PAGE_HEADER + index * BRANCH_ELEMENT + 8), seen)
      }
    } else throw this.#pages.damaged(`page ${id} contains no keys`)
  }

  *#leaf(page: Buffer): Generator<Item> {
    this.#requireInside(page, 0, PAGE_HEADER)
    const count = page.readUInt16LE(10)
    this.#requireInside(page, PAGE_HEADER, count * LEAF_ELEMENT)
    for (let index = 0; index < count; index += 1) {
      const element = PAGE_HEADER + index * LEAF_ELEMENT
      const [flags, position, keySize, valueSize] = [0, 4, 8, 12].map((offset) =>
        page.readUInt32LE(element + offset),
      ) as [number, number, number, number]
      const start = element + position
      this.#requireInside(page, start, keySize + valueSize)
      yield {
        key: page.subarray(start, start + keySize),
        value: page.subarray(start + keySize, start + keySize + valueSize),
        isBucket: (flags & IS_BUCKET) !== 0,
      }
    }
  }

  #requireInside(page: Buffer, start: number, length: number): void {
    if (start + length > page.length) throw this.#pages.damaged('a page ends too early')
  }
}

function openForReading(path: string): number {
  try {
    const fd = openSync(path, 'r')
    if (fstatSync(fd).isFile()) return fd
    closeSync(fd)
  } catch (cause) {
    if (!existsSync(path)) throw new Fault('notFound', `The file ${path} does not exist.`)
    throw new Fault('badRequest', `The file ${path} cannot be read.`, { cause })
  }
  throw new Fault('badRequest', `${path} is not a file.`)
}

/** @returns a page id; one that exceeds the range of a file becomes a number that no file has */
function idAt(bytes: Buffer, offset: number): number {
  const id = bytes.readBigUInt64LE(offset)
  return id > 0xffff_ffffn ? Number.MAX_SAFE_INTEGER : Number(id)
}

/** 64-bit FNV-1a. */
function fnv1a(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}
