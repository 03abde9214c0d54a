/** A storage of recorded paths. `without-openat2.test.ts` runs this file again without openat2(2). */
import { describe, expect, test } from 'bun:test'
import { lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { hasOpenBeneath } from '#server/os/open-beneath.ts'
import { folderMark, keepsInodeNumbers } from '#server/storage/local/changes/folder-mark.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { code, serveForEach } from '../../../../support/storage/served.ts'
import { WITHOUT_OPENAT2 } from '../../../../support/system/without-openat2.ts'

const served = serveForEach({
  fill: () => {
    mkdirSync(disk('real/deep'), { recursive: true })
    mkdirSync(disk('other'))
    for (const name of ['real/file', 'real/deep/file']) writeFileSync(disk(name), name)
    symlinkSync('real', disk('link'))
    symlinkSync(disk('real'), disk('absolute'))
    symlinkSync('deep', disk('real/within'))
    symlinkSync('file', disk('real/to-file'))
    symlinkSync('missing', disk('dangling'))
    symlinkSync('/', disk('outside'))
  },
})
const { disk } = served
const at = parsePath
const recorded = () => served.storage.within(ROOT, { followsLinks: false })

test('this process resolves paths with openat2, unless it is told not to', () => {
  expect(hasOpenBeneath()).toBe(process.env[WITHOUT_OPENAT2] === undefined)
})

describe('a storage that follows no links', () => {
  test('opens what real paths name', async () => {
    expect((await recorded().stat(at('/real/deep/file'))).kind).toBe('file')
    expect((await recorded().stat(ROOT)).kind).toBe('folder')
    expect([...(await recorded().list(at('/real/deep')))].map(({ path }) => path)).toEqual([
      at('/real/deep/file'),
    ])
    expect(await code(recorded().stat(at('/real/none')))).toBe('notFound')
    expect(await code(recorded().stat(at('/none/file')))).toBe('notFound')
    expect(await code(recorded().list(at('/real/file')))).toBe('notDirectory')
  })

  test.each(['/link/file', '/absolute/file', '/real/within/file', '/outside/etc', '/dangling/x'])(
    'refuses a link in a path: %s',
    async (path) => {
      const storage = recorded()
      const name = at(path)
      const free = at('/free')
      const bytes = new Uint8Array(1)
      const operations: Record<string, Promise<unknown>> = {
        stat: storage.stat(name),
        read: storage.read(name),
        write: storage.write(name, bytes, { overwrite: true }),
        mkdir: storage.mkdir(at(`${path}/made`)),
        remove: storage.remove(name),
        'move from': storage.move(name, free, { overwrite: false }),
        'move to': storage.move(at('/real/file'), name, { overwrite: true }),
        'copy to': storage.copy(at('/real/file'), name, { overwrite: true }),
        mark: storage.can.trash?.markAt(name) ?? Promise.resolve(),
        folder: storage.can.trash?.parentAt(name) ?? Promise.resolve(),
      }
      for (const [operation, result] of Object.entries(operations)) {
        expect(await code(result), operation).toBe('outside')
      }
      expect(lstatSync(disk('real/file')).isFile()).toBe(true)
    },
  )

  test('treats a link at the end of a path as the object itself', async () => {
    const storage = recorded()
    for (const name of ['link', 'absolute', 'outside', 'dangling', 'real/to-file']) {
      const node = await storage.stat(at(`/${name}`))
      expect([name, node.kind, node.isLink]).toEqual([name, 'danglingLink', true])
      expect(await code(storage.list(at(`/${name}`)))).toBe('notDirectory')
    }
    await storage.move(at('/link'), at('/moved'), { overwrite: false })
    expect(readlinkSync(disk('moved'))).toBe('real')
    await storage.remove(at('/moved'))
    expect(lstatSync(disk('moved'), { throwIfNoEntry: false })).toBe(undefined)
    expect(lstatSync(disk('real/file')).isFile()).toBe(true)
    expect(await code(storage.mkdir(at('/absolute')))).toBe('outside')
  })

  test('applies to storages within it, which cannot follow links again', async () => {
    const inner = recorded().within(at('/real'), { isExact: true })
    expect(await code(inner.stat(at('/within/file')))).toBe('outside')
    expect(await code(recorded().within(at('/link'), { isExact: true }).stat(ROOT))).toBe(
      'notFound',
    )
    const again = recorded().within(ROOT, { followsLinks: true, checkPath: () => undefined })
    expect(await code(again.stat(at('/link/file')))).toBe('outside')
    expect(await code(served.storage.stat(at('/link/file')))).toBe('no fault')
  })
})

describe('the mark of a folder', () => {
  test('is that of the folder object, also for a missing name in it', async () => {
    const { trash } = recorded().can
    for (const name of ['/real/file', '/real/none']) {
      expect(await trash?.parentAt(at(name))).toBe(await trash?.markAt(at('/real')))
    }
    using root = openFolder(served.path)
    expect(await trash?.parentAt(at('/none'))).toBe(folderMark(root))
    expect(await trash?.parentAt(at('/none/x'))).toBe(undefined)
  })

  test('is compared by operations that expect it', async () => {
    const { storage } = served
    const expectParent = (await recorded().can.trash?.parentAt(at('/other/x'))) ?? ''
    expect(expectParent).not.toBe('')
    const file = at('/real/file')
    const to = at('/other/file')
    expect(await code(storage.remove(file, { expectParent }))).toBe('precondition')
    const transfer = { overwrite: false, expectParent }
    expect(await code(storage.move(file, to, transfer))).toBe('precondition')
    const wrongTarget = { overwrite: false, expectTargetParent: `${expectParent}0` }
    expect(await code(storage.move(file, to, wrongTarget))).toBe('precondition')
    await storage.move(file, to, {
      overwrite: false,
      expectParent: '',
      expectTargetParent: expectParent,
    })
    await storage.remove(to, { expectParent })
  })

  test('is unknown where folders get new numbers, as on VFAT, FUSE and SMB', () => {
    const [ext4, btrfs, tmpfs, nfs] = [0xef53, 0x9123683e, 0x01021994, 0x6969]
    for (const type of [ext4, btrfs, tmpfs, nfs]) expect(keepsInodeNumbers(type)).toBe(true)
    const [vfat, fuse, smb2] = [0x4d44, 0x65735546, 0xfe534d42]
    for (const type of [vfat, fuse, smb2, smb2 | 0]) expect(keepsInodeNumbers(type)).toBe(false)
  })
})
