/** A zip whose layout is known before its files are read. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ARCHIVE_FORMATS } from '#server/archives/codecs/archive-formats.ts'
import { CRC_CACHE_MAX, CrcCache } from '#server/archives/write/crc-cache.ts'
import { archive, selectMembers } from '#server/archives/write/write-archive.ts'
import {
  centralLength,
  centralRecord,
  descriptor,
  descriptorLength,
  endRecords,
  localLength,
  localRecord,
} from '#server/archives/write/zip-records.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { ByteRange } from '#server/storage/node.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { rest, scopeOn, treeOf, unpack } from '../../../support/files/archives.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let root: string
let storage: LocalStorage

beforeAll(async () => {
  folder = temporaryFolder()
  root = join(folder.path, 'root')
  mkdirSync(join(root, 'empty'), { recursive: true })
  for (let at = 0; at < 300; at += 1) writeFileSync(join(root, `small ${at}`), randomBytes(at))
  writeFileSync(join(root, 'Größe.bin'), randomBytes(3_000_000))
  writeFileSync(join(root, 'large'), randomBytes(700_000))
  const own = { files: [], folders: [] }
  storage = await LocalStorage.open(root, { fileMode: 0o640, folderMode: 0o750, ownPaths: own })
})

afterAll(() => {
  storage.close()
  folder.remove()
})

async function plan(crcCache = new CrcCache()) {
  const scope = scopeOn(storage)
  const zip = await archive(scope, await selectMembers(scope, [ROOT]), ARCHIVE_FORMATS.zip, {
    crcCache,
  })
  const bytes = (range?: ByteRange) => rest(zip.bytes(range).getReader())
  return { ...zip, sizeBytes: zip.sizeBytes ?? 0, bytes }
}

test('a zip has the announced length, and extracts to the files on the disk', async () => {
  const zip = await plan()
  const bytes = await zip.bytes()
  expect(bytes.length).toBe(zip.sizeBytes)
  const into = join(folder.path, 'out')
  await unpack('zip', bytes, into)
  const before = treeOf(root)
  for (const name of [...before.keys()]) if (name.startsWith('.filemgr')) before.delete(name)
  expect(treeOf(into)).toEqual(before)
})

describe('a part of a zip', () => {
  test.each(['with cached checksums', 'without cached checksums'])(
    'a zip can be continued at any byte, %s',
    async (cached) => {
      const crcCache = new CrcCache()
      const whole = await (await plan(crcCache)).bytes()
      const { length } = whole
      const offsets = [
        0,
        1,
        29,
        500,
        60_000,
        1_000_000,
        2_999_000,
        3_000_500,
        3_400_000,
        length - 700,
        length - 1,
      ]
      for (const first of offsets) {
        const zip = await plan(cached === 'with cached checksums' ? crcCache : new CrcCache())
        const rest = await zip.bytes({ first, last: length - 1 })
        expect(Buffer.compare(rest, whole.subarray(first))).toBe(0)
        const last = Math.min(length - 1, first + 100_000)
        const part = await zip.bytes({ first, last })
        expect(Buffer.compare(part, whole.subarray(first, last + 1))).toBe(0)
      }
    },
  )
})

test('the number of cached checksums is limited @limit-31', async () => {
  const [node] = await (await storage.list(ROOT)).filter(({ kind }) => kind === 'file')
  if (!node) throw new Error('There are files.')
  const crcCache = new CrcCache()
  const { path, real, kind, isLink, sizeBytes, modifiedMs, mode, identity, foldsCase } = node
  const plain = { path, real, kind, isLink, sizeBytes, modifiedMs, mode, identity, foldsCase }
  const set = (at: number) =>
    crcCache.set({ ...plain, version: `${at}` }, { bytes: sizeBytes, crc: at })
  for (let at = 0; at <= CRC_CACHE_MAX; at += 1) set(at)
  expect(crcCache.get({ ...plain, version: '0' })).toBeUndefined()
  expect(crcCache.get({ ...plain, version: '1' })).toBe(1)
})

describe('an interrupted download', () => {
  const LARGE_BYTES = 3 * 1024 * 1024
  const readRanges: { first: number; last: number }[] = []

  /** A zip of one large file, whose ranges that are read from the disk are noted. */
  async function planLarge(crcCache: CrcCache) {
    const scope = scopeOn(storage)
    const read = scope.read.bind(scope)
    scope.read = (path, range) =>
      read(path, (node) => {
        const requested = range?.(node)
        if (requested) readRanges.push(requested)
        return requested
      })
    const selection = await selectMembers(scope, [parsePath('/interrupted')])
    return archive(scope, selection, ARCHIVE_FORMATS.zip, { crcCache })
  }

  async function wholeZip(): Promise<Uint8Array> {
    const zip = await planLarge(new CrcCache())
    return rest(zip.bytes().getReader())
  }

  beforeAll(() => {
    mkdirSync(join(root, 'interrupted'))
    writeFileSync(join(root, 'interrupted/large'), randomBytes(LARGE_BYTES))
  })
  afterAll(() => rmSync(join(root, 'interrupted'), { recursive: true }))

  test('keeps the checksum of what it has sent, and the next one reads only the rest', async () => {
    const crcCache = new CrcCache()
    const whole = await wholeZip()
    const reader = (await planLarge(crcCache)).bytes().getReader()
    let sent = 0
    while (sent < LARGE_BYTES / 2) sent += (await reader.read()).value?.length ?? 0
    await reader.cancel()
    readRanges.length = 0
    const next = (await planLarge(crcCache)).bytes({ first: sent, last: whole.length - 1 })
    expect(Buffer.compare(await rest(next.getReader()), whole.subarray(sent))).toBe(0)
    expect(readRanges.length).toBe(1)
    expect(readRanges[0]?.first).toBeGreaterThan(LARGE_BYTES / 4)
  })

  test('that needs only the checksum goes on where the one before was interrupted', async () => {
    const crcCache = new CrcCache()
    const whole = await wholeZip()
    const end = { first: whole.length - 90, last: whole.length - 1 }
    const reader = (await planLarge(crcCache)).bytes().getReader()
    for (let sent = 0; sent < LARGE_BYTES / 2; ) sent += (await reader.read()).value?.length ?? 0
    await reader.cancel()
    readRanges.length = 0
    const last = (await planLarge(crcCache)).bytes(end)
    expect(Buffer.compare(await rest(last.getReader()), whole.subarray(end.first))).toBe(0)
    expect(readRanges.length).toBeGreaterThan(0)
    expect(readRanges.every(({ first }) => first > LARGE_BYTES / 4)).toBe(true)
    readRanges.length = 0
    await rest((await planLarge(crcCache)).bytes(end).getReader())
    // The end of the file is in the range too.
    expect(readRanges.every(({ first }) => first > LARGE_BYTES - 100)).toBe(true)
  })

  test('of a file that changes in between starts again', async () => {
    const crcCache = new CrcCache()
    const reader = (await planLarge(crcCache)).bytes().getReader()
    for (let sent = 0; sent < LARGE_BYTES / 2; ) sent += (await reader.read()).value?.length ?? 0
    await reader.cancel()
    writeFileSync(join(root, 'interrupted/large'), randomBytes(LARGE_BYTES))
    const zip = await rest((await planLarge(crcCache)).bytes().getReader())
    expect(Buffer.compare(zip, await wholeZip())).toBe(0)
  })
})

describe('the version', () => {
  test('the version of a zip stays the same until a file changes', async () => {
    expect((await plan()).version).toBe((await plan()).version)
  })

  test.each<[string, () => void, () => void]>([
    ['a name', () => move('large', 'larger'), () => move('larger', 'large')],
    ['a new file', () => writeFileSync(join(root, 'new'), ''), () => rmSync(join(root, 'new'))],
    ['a time', () => utimesSync(join(root, 'large'), 1, 1), () => undefined],
    ['bytes', () => writeFileSync(join(root, 'small 7'), 'sevenfo'), () => undefined],
  ])('the version of a zip changes with %s', async (_, change, restore) => {
    const before = (await plan()).version
    change()
    const after = (await plan()).version
    restore()
    expect(after).not.toBe(before)
  })

  const move = (from: string, to: string) => renameSync(join(root, from), join(root, to))
})

describe('a file that changes after the zip was planned', () => {
  const extra = (size: number) => writeFileSync(join(root, 'z last'), randomBytes(size))

  test.each([
    ['a large file', 200_000],
    ['a small file', 20_000],
  ])(
    '%s that becomes shorter or is removed after the zip was planned aborts it',
    async (_, size) => {
      for (const change of [truncated, removed]) {
        extra(size)
        const zip = await plan()
        change()
        // Bun's `rejects` waits without letting threads answer.
        const failure = await zip.bytes().then(String, String)
        expect(failure).toContain('“z last” changed')
      }
      rmSync(join(root, 'z last'), { force: true })
    },
  )

  test('a large file that grows is sent with its earlier length', async () => {
    extra(200_000)
    const zip = await plan()
    writeFileSync(join(root, 'z last'), 'more', { flag: 'a' })
    const into = join(folder.path, 'grown')
    await unpack('zip', await zip.bytes(), into)
    const sent = createHash('sha1')
      .update(await Bun.file(join(into, 'z last')).bytes())
      .digest('hex')
    const there = await Bun.file(join(root, 'z last')).bytes()
    expect(sent).toBe(createHash('sha1').update(there.subarray(0, 200_000)).digest('hex'))
    rmSync(join(root, 'z last'))
  })

  const truncated = () => truncateSync(join(root, 'z last'), 10)
  const removed = () => rmSync(join(root, 'z last'))
})

describe('beyond four gigabytes', () => {
  const GIB = 2 ** 30
  const entry = {
    name: new TextEncoder().encode('film'),
    isFolder: false,
    sizeBytes: 5 * GIB,
    mode: 0o644,
    modifiedMs: Date.UTC(2024, 4, 17, 10, 30),
    crcFollows: true,
  }

  test('sizes and offsets above four gigabytes use the ZIP64 fields', () => {
    const local = Buffer.from(localRecord(entry, 0))
    expect(local.readUInt32LE(18)).toBe(0xffffffff)
    expect(local.readUInt16LE(34)).toBe(0x0001)
    expect(local.readBigUInt64LE(38)).toBe(BigInt(5 * GIB))
    expect(Buffer.from(descriptor(entry, 7)).readBigUInt64LE(8)).toBe(BigInt(5 * GIB))
    const central = Buffer.from(centralRecord(entry, 7, 6 * GIB))
    expect(central.readUInt32LE(42)).toBe(0xffffffff)
    expect(central.readBigUInt64LE(46 + 4 + 4 + 16)).toBe(BigInt(6 * GIB))
    expect([local.length, central.length]).toEqual([
      localLength(entry),
      centralLength(entry, 6 * GIB),
    ])
    expect(descriptor(entry, 7).length).toBe(descriptorLength(entry))
    const end = Buffer.from(endRecords(70_000, 100, 6 * GIB))
    expect(end.readUInt32LE(0)).toBe(0x06064b50)
    expect(end.readBigUInt64LE(24)).toBe(70_000n)
    expect(end.readUInt16LE(56 + 20 + 10)).toBe(0xffff)
  })

  test('times before 1980 and after 2107 become the nearest time that a zip can store', () => {
    const date = (modifiedMs: number) =>
      Buffer.from(localRecord({ ...entry, modifiedMs }, 0)).readUInt16LE(12)
    expect(date(0)).toBe((1 << 5) | 1)
    expect(date(Date.UTC(2200, 0, 1))).toBe(0xffff)
  })
})
