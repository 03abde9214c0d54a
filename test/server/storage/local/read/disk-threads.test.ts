import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { DISK_THREADS, DiskThreads } from '#server/storage/local/read/disk-threads.ts'
import { type FolderRecords, namesOf } from '#server/storage/local/read/folder-records.ts'
import { foldText } from '#wire/fold.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'

const folder = temporaryFolder()
const big = join(folder.path, 'big')
mkdirSync(big)
for (let at = 0; at < 20_000; at += 1) writeFileSync(join(big, `a file with a long name ${at}`), '')
afterAll(() => folder.remove())

describe('threads for the disk', () => {
  let disk: DiskThreads
  beforeEach(() => {
    disk = new DiskThreads()
  })
  afterEach(() => disk.close())

  test('the disk threads list every name of a folder that takes many calls', async () => {
    using handle = openFolder(big)
    const names = namesOf(await disk.list(handle))
    expect(names.sort()).toEqual(readdirSync(big).sort())
  })

  test('the first names of a large folder are passed on before all are read', async () => {
    using handle = openFolder(big)
    const early: FolderRecords[] = []
    const onFirst = (records: FolderRecords, total: number) => {
      early.push(records)
      expect(total).toBe(20_000)
    }
    const [all, first] = [
      await disk.list(handle, { early: { ascending: true, onFirst } }),
      early[0],
    ]
    expect(early).toHaveLength(1)
    expect(namesOf(all)).toHaveLength(20_000)
    const expected = Array.from({ length: 256 }, (_, at) => `a file with a long name ${at}`)
    expect(namesOf(first ?? all)).toEqual(expected)
    await disk.list(handle)
    expect(early).toHaveLength(1)
  })

  test('names without any of the searched terms are left out, and folders are not', async () => {
    const mixed = join(folder.path, 'mixed')
    mkdirSync(join(mixed, 'box'), { recursive: true })
    for (const name of ['Größe.txt', 'other', 'größer']) writeFileSync(join(mixed, name), '')
    symlinkSync('box', join(mixed, 'link'))
    symlinkSync('box', join(mixed, 'große link'))
    using handle = openFolder(mixed)
    const found = async (isCaseSensitive: boolean, ...words: string[]) => {
      const terms = isCaseSensitive ? words : words.map(foldText)
      return namesOf(await disk.list(handle, { names: { terms, isCaseSensitive } })).sort()
    }
    expect(await found(false, 'größe', 'nothing')).toEqual([
      'Größe.txt',
      'box',
      'große link',
      'größer',
    ])
    expect(await found(true, 'größe')).toEqual(['box', 'größer'])
    expect(await found(false, 'große', 'txt')).toEqual(['Größe.txt', 'box', 'große link', 'größer'])
    expect(await found(false, 'nothing')).toEqual(['box'])
  })

  test('the number of disk threads is limited @limit-32', async () => {
    using handle = openFolder(big)
    const asked = Array.from({ length: 64 }, () => disk.list(handle))
    expect(disk.count).toBe(DISK_THREADS)
    for (const found of await Promise.all(asked)) expect(namesOf(found)).toHaveLength(20_000)
    expect(disk.count).toBe(DISK_THREADS)
  })

  test('after they are closed, the disk threads end, a busy one after its task', async () => {
    using handle = openFolder(big)
    const asked = disk.list(handle)
    disk.close()
    expect(namesOf(await asked)).toHaveLength(20_000)
    while (disk.count > 0) await Bun.sleep(5)
  })

  test('the disk threads report the system’s error for a folder that cannot be read', async () => {
    using file = openFolder(folder.path).reopen(0)
    using notFolder = file.child('big', 0)
    using inside = notFolder.child('a file with a long name 7', 0)
    await expect(disk.list(inside)).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})

describe('the first bytes of files', () => {
  test('first bytes are read only from files that were listed, not from links or replaced files', async () => {
    const root = join(folder.path, 'root')
    mkdirSync(root)
    for (const name of ['one', 'two', 'three', 'four']) writeFileSync(join(root, name), name)
    symlinkSync('one', join(root, 'way'))
    const storage = await storageOf(root)
    const nodes = [...(await storage.list(ROOT))].sort((a, b) => (a.path < b.path ? -1 : 1))
    expect(nodes.map(({ path }) => String(path))).toEqual([
      '/four',
      '/one',
      '/three',
      '/two',
      '/way',
    ])
    await storage.remove(parsePath('/three'))
    writeFileSync(join(root, 'other'), 'a file of its own')
    await storage.move(parsePath('/other'), parsePath('/two'), { overwrite: true })
    writeFileSync(join(root, 'four'), 'fourteen')

    using opened = await storage.openFolder(ROOT)
    const starts = await opened.readStarts(nodes, { bytesMax: 3 })
    const seen = starts.map(
      (start) => start && [new TextDecoder().decode(start.bytes), start.isAll],
    )
    expect(seen).toEqual([['fou', false], ['one', true], undefined, undefined, undefined])
    expect(readFileSync(join(root, 'two'), 'utf8')).toBe('a file of its own')
    storage.close()
  })

  test('first bytes have the requested room around them, unless the length of the file has changed', async () => {
    const root = join(folder.path, 'frames')
    mkdirSync(root)
    for (const name of ['one', 'three', 'two']) writeFileSync(join(root, name), name)
    const storage = await storageOf(root)
    const nodes = [...(await storage.list(ROOT))].sort((a, b) => (a.path < b.path ? -1 : 1))
    const room = [
      { before: 2, after: 1 },
      { before: 0, after: 4 },
      { before: 3, after: 0 },
    ]
    using opened = await storage.openFolder(ROOT)
    const frames = async () => {
      const starts = await opened.readStarts(nodes, { bytesMax: 100, room })
      return starts.map((start) => start?.framed)
    }
    const texts = (await frames()).map((framed) => framed && new TextDecoder().decode(framed))
    expect(texts).toEqual(['\0\0one\0', 'three\0\0\0\0', '\0\0\0two'])
    const [one, three] = await frames()
    expect(three?.buffer).toBe(one?.buffer as ArrayBuffer)
    expect(three?.byteOffset).toBe(6)

    truncateSync(join(root, 'three'), 2)
    const starts = await opened.readStarts(nodes, { bytesMax: 100, room })
    const read = starts.map((start) => start && new TextDecoder().decode(start.bytes))
    expect(read).toEqual(['one', 'th', 'two'])
    expect(starts.map((start) => start?.framed?.length)).toEqual([6, undefined, 6])
    storage.close()
  })
})

function storageOf(root: string): Promise<LocalStorage> {
  const ownPaths = { files: [], folders: [] }
  return LocalStorage.open(root, { fileMode: 0o644, folderMode: 0o755, ownPaths })
}
