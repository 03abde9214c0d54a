/**
 * Writes bbolt databases from the description of the format (docs/api.md 9.6): branch pages, leaf pages, overflow
 * pages, and inline buckets. It shares no code with the server's reader.
 */

/** The keys of a bucket in any order; a value that is a list is a nested bucket. */
export type Items = [key: string | Buffer, value: string | Buffer | Items][]

const PAGE_HEAD = 16
const BRANCH = 1
const LEAF = 2
const META = 4
const FREELIST = 16

/** @param root the top-level buckets */
export function boltFile(root: Items, pageSize = 4096): Buffer {
  const pages = new PageWriter(pageSize)
  const rootPage = pages.tree(root)
  return pages.finish(rootPage)
}

/** FNV-1a with 64 bits, for tests that rewrite a meta page. */
export function fnv1a(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash
}

class PageWriter {
  readonly #pageSize: number
  /** From page 3 on: two meta pages and the free list come before. */
  readonly #pages: Buffer[] = []
  #next = 3

  constructor(pageSize: number) {
    this.#pageSize = pageSize
  }

  /** @returns the page of the root */
  tree(items: Items): number {
    const sorted = items
      .map(([key, value]) => ({ key: Buffer.from(key), ...this.#valueOf(value) }))
      .sort((a, b) => Buffer.compare(a.key, b.key))
    const leaves = fill(sorted, ({ key, value }) => 16 + key.length + value.length, this.#room)
    let level = leaves.map((group) => ({
      key: group[0]?.key ?? Buffer.alloc(0),
      page: this.#add(leafPage(group), LEAF, group.length),
    }))
    while (level.length > 1) {
      const groups = fill(level, ({ key }) => 16 + key.length, this.#room)
      level = groups.map((group) => ({
        key: group[0]?.key ?? Buffer.alloc(0),
        page: this.#add(branchPage(group), BRANCH, group.length),
      }))
    }
    return level[0]?.page ?? this.#add(Buffer.alloc(0), LEAF, 0)
  }

  finish(root: number): Buffer {
    const end = this.#next
    const meta = (txid: number) => metaPage(this.#pageSize, root, end, txid)
    const free = headed(Buffer.alloc(0), 2, FREELIST, 0, this.#pageSize)
    return Buffer.concat([meta(6), meta(7), free, ...this.#pages])
  }

  get #room(): number {
    return this.#pageSize - PAGE_HEAD
  }

  #valueOf(value: string | Buffer | Items): { value: Buffer; isBucket: boolean } {
    if (!Array.isArray(value)) return { value: Buffer.from(value), isBucket: false }
    const head = Buffer.alloc(16)
    const isSmall = value.every(([, inner]) => !Array.isArray(inner) && inner.length < 40)
    if (isSmall && value.length < 8) {
      const group = value
        .map(([key, inner]) => ({
          key: Buffer.from(key),
          value: Buffer.from(inner as string),
          isBucket: false,
        }))
        .sort((a, b) => Buffer.compare(a.key, b.key))
      const body = leafPage(group)
      const page = headed(body, 0, LEAF, group.length, PAGE_HEAD + body.length)
      return { value: Buffer.concat([head, page]), isBucket: true }
    }
    head.writeBigUInt64LE(BigInt(this.tree(value)), 0)
    return { value: head, isBucket: true }
  }

  #add(body: Buffer, flags: number, count: number): number {
    const id = this.#next
    const page = headed(body, id, flags, count, this.#pageSize)
    this.#pages.push(page)
    this.#next += page.length / this.#pageSize
    return id
  }
}

interface Leaf {
  key: Buffer
  value: Buffer
  isBucket: boolean
}

function leafPage(group: Leaf[]): Buffer {
  const elements = Buffer.alloc(group.length * 16)
  let at = elements.length
  for (const [index, { key, value, isBucket }] of group.entries()) {
    elements.writeUInt32LE(isBucket ? 1 : 0, index * 16)
    elements.writeUInt32LE(at - index * 16, index * 16 + 4)
    elements.writeUInt32LE(key.length, index * 16 + 8)
    elements.writeUInt32LE(value.length, index * 16 + 12)
    at += key.length + value.length
  }
  return Buffer.concat([elements, ...group.flatMap(({ key, value }) => [key, value])])
}

function branchPage(group: { key: Buffer; page: number }[]): Buffer {
  const elements = Buffer.alloc(group.length * 16)
  let at = elements.length
  for (const [index, { key, page }] of group.entries()) {
    elements.writeUInt32LE(at - index * 16, index * 16)
    elements.writeUInt32LE(key.length, index * 16 + 4)
    elements.writeBigUInt64LE(BigInt(page), index * 16 + 8)
    at += key.length
  }
  return Buffer.concat([elements, ...group.map(({ key }) => key)])
}

function metaPage(pageSize: number, root: number, end: number, txid: number): Buffer {
  const body = Buffer.alloc(64)
  body.writeUInt32LE(0xed0cdaed, 0)
  body.writeUInt32LE(2, 4)
  body.writeUInt32LE(pageSize, 8)
  body.writeBigUInt64LE(BigInt(root), 16)
  body.writeBigUInt64LE(2n, 32)
  body.writeBigUInt64LE(BigInt(end), 40)
  body.writeBigUInt64LE(BigInt(txid), 48)
  body.writeBigUInt64LE(fnv1a(body.subarray(0, 56)), 56)
  return headed(body, txid % 2, META, 0, pageSize)
}

/** A page with its header, as long as necessary: the part beyond one page is its overflow. */
function headed(body: Buffer, id: number, flags: number, count: number, pageSize: number): Buffer {
  const pages = Math.ceil((PAGE_HEAD + body.length) / pageSize)
  const page = Buffer.alloc(pages * pageSize)
  page.writeBigUInt64LE(BigInt(id), 0)
  page.writeUInt16LE(flags, 8)
  page.writeUInt16LE(count, 10)
  page.writeUInt32LE(pages - 1, 12)
  body.copy(page, PAGE_HEAD)
  return page
}

/** Groups items into pages; an item larger than a page is in a group by itself. */
function fill<T>(items: T[], sizeOf: (item: T) => number, room: number): T[][] {
  const groups: T[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (groups.length === 0 || size > left) {
      groups.push([])
      left = room
    }
    groups.at(-1)?.push(item)
    left -= size
  }
  return groups
}
