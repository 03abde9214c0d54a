import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { LATEST_MS, sentTime } from '#wire/api/entry.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { describeStorage } from '../../../contract/storage.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { code, STORAGE_OPTIONS as OPTIONS } from '../../../support/storage/served.ts'
import { attribute, setAttribute } from '../../../support/system/attributes.ts'

const encoder = new TextEncoder()

describeStorage('LocalStorage', async () => {
  const folder = temporaryFolder()
  const storage = await LocalStorage.open(folder.path, OPTIONS)
  return {
    storage,
    close() {
      storage.close()
      folder.remove()
    },
  }
})

describe('LocalStorage on a disk', () => {
  let base: ReturnType<typeof temporaryFolder>
  let root: string
  let outside: string
  let storage: LocalStorage

  beforeEach(async () => {
    base = temporaryFolder()
    root = join(base.path, 'root')
    outside = join(base.path, 'outside')
    mkdirSync(join(root, 'inside'), { recursive: true })
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret.txt'), 'SECRET')
    writeFileSync(join(root, 'inside', 'own.txt'), 'own')
    storage = await LocalStorage.open(root, OPTIONS)
  })
  afterEach(() => {
    storage.close()
    base.remove()
  })

  const text = async (path: string) =>
    new Response((await storage.read(parsePath(path))).bytes).text()
  const names = async (path: TreePath) => {
    const found: string[] = []
    for (const node of await storage.list(path)) found.push(node.path)
    return found.sort()
  }
  const put = (path: string, content = 'x') =>
    storage.write(parsePath(path), encoder.encode(content), { overwrite: true })
  const untouched = () => {
    expect(readdirSync(outside)).toEqual(['secret.txt'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET')
  }

  test('a link that leads outside is not followed by any operation, and left out of listings', async () => {
    symlinkSync(outside, join(root, 'folder'))
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file'))
    symlinkSync(join(outside, 'new.txt'), join(root, 'dangling'))
    symlinkSync('../outside', join(root, 'relative'))
    for (const path of ['/folder', '/folder/secret.txt', '/file', '/relative/secret.txt']) {
      expect(await code(storage.stat(parsePath(path)))).toBe('outside')
      expect(await code(storage.read(parsePath(path)))).toBe('outside')
      expect(
        await code(storage.copy(parsePath(path), parsePath('/copy'), { overwrite: true })),
      ).toBe('outside')
      expect(await code(put(path))).toBe('outside')
      expect(await code(storage.list(parsePath(path)))).toBe('outside')
    }
    expect(await code(put('/dangling'))).toBe('outside')
    expect(await code(put('/folder/planted'))).toBe('outside')
    expect(await code(storage.mkdir(parsePath('/folder/planted')))).toBe('outside')
    expect(await code(storage.remove(parsePath('/folder/secret.txt')))).toBe('outside')
    expect(
      await code(
        storage.move(parsePath('/folder/secret.txt'), parsePath('/x'), { overwrite: true }),
      ),
    ).toBe('outside')
    expect(
      await code(
        storage.move(parsePath('/inside/own.txt'), parsePath('/folder/x'), { overwrite: true }),
      ),
    ).toBe('outside')
    expect(await names(ROOT)).toEqual(['/inside'])
    untouched()
  })

  test('a dangling link is copied as a link, alone and in a folder, and so is a link that leads outside', async () => {
    mkdirSync(join(root, 'box'))
    // The text of a link is bytes, also those of letters like this one.
    symlinkSync('missing/\u00e4', join(root, 'box', 'broken'))
    symlinkSync(join(outside, 'none'), join(root, 'box', 'out'))
    await storage.copy(parsePath('/box'), parsePath('/box2'), { overwrite: false })
    await storage.copy(parsePath('/box/broken'), parsePath('/alone'), { overwrite: false })
    await storage.copy(parsePath('/box/broken'), parsePath('/inside/own.txt'), { overwrite: true })
    expect(readdirSync(join(root, 'box2'))).toEqual(['broken', 'out'])
    expect(readlinkSync(join(root, 'box2/out'))).toBe(join(outside, 'none'))
    for (const copy of ['box2/broken', 'alone', 'inside/own.txt']) {
      expect(readlinkSync(join(root, copy))).toBe('missing/\u00e4')
    }
    expect(await names(parsePath('/box2'))).toEqual(['/box2/broken'])
    for (const folder of ['box', 'box2']) await storage.remove(parsePath(`/${folder}`))
    await storage.remove(parsePath('/alone'))
    untouched()
  })

  test('a link that leads outside can be removed, and its target stays', async () => {
    symlinkSync(outside, join(root, 'folder'))
    await storage.remove(parsePath('/folder'))
    expect(existsSync(join(root, 'folder'))).toBe(false)
    untouched()
  })

  test('removing or copying a folder does not follow links out of it', async () => {
    mkdirSync(join(root, 'box'))
    symlinkSync(outside, join(root, 'box', 'link'))
    await storage.copy(parsePath('/box'), parsePath('/box2'), { overwrite: false })
    expect(readlinkSync(join(root, 'box2/link'))).toBe(outside)
    await storage.remove(parsePath('/box'))
    untouched()
  })

  test('links that stay inside are followed, absolute ones too', async () => {
    symlinkSync('inside', join(root, 'relative'))
    symlinkSync(join(root, 'inside', 'own.txt'), join(root, 'absolute'))
    expect(await text('/relative/own.txt')).toBe('own')
    expect(await text('/absolute')).toBe('own')
    expect(await storage.stat(parsePath('/absolute'))).toMatchObject({
      isLink: true,
      kind: 'file',
      real: '/inside/own.txt',
    })
    await put('/absolute', 'through the link')
    expect(readFileSync(join(root, 'inside', 'own.txt'), 'utf8')).toBe('through the link')
    expect(await names(parsePath('/relative'))).toEqual(['/relative/own.txt'])
  })

  test('dangling and circular links break no operation', async () => {
    symlinkSync('missing', join(root, 'dangling'))
    symlinkSync('loop', join(root, 'loop'))
    symlinkSync('.', join(root, 'self'))
    expect(await storage.stat(parsePath('/dangling'))).toMatchObject({
      kind: 'danglingLink',
      isLink: true,
    })
    expect(await storage.stat(parsePath('/loop'))).toMatchObject({
      kind: 'danglingLink',
      isLink: true,
    })
    expect(await names(ROOT)).toEqual(['/dangling', '/inside', '/loop', '/self'])
    await storage.copy(parsePath('/self'), parsePath('/copied'), { overwrite: false })
    expect(readFileSync(join(root, 'copied', 'inside', 'own.txt'), 'utf8')).toBe('own')
    await put('/dangling', 'made')
    expect(readFileSync(join(root, 'dangling'), 'utf8')).toBe('made')
    for (const name of ['/dangling', '/loop', '/self']) await storage.remove(parsePath(name))
    expect(await names(ROOT)).toEqual(['/copied', '/inside'])
  })

  test('no operation follows a folder that is replaced by a symlink while it runs', async () => {
    const victim = join(root, 'victim')
    mkdirSync(victim)
    const marker = join(outside, 'marker')
    writeFileSync(marker, '')
    let stop = false
    const swapper = (async () => {
      for (let turn = 0; !stop; turn += 1) {
        rmSync(victim, { recursive: true, force: true })
        if (turn % 2 === 0) symlinkSync(outside, victim)
        else mkdirSync(victim)
        await new Promise(setImmediate)
      }
    })()
    const seen: string[] = []
    // How operations ended. Both must occur, or the folder was never replaced in time.
    const ends = new Set<string>()
    for (let round = 0; round < 300 || !ends.has('fulfilled') || !ends.has('outside'); round += 1) {
      await new Promise(setImmediate)
      const operations = [
        put('/victim/secret.txt', 'PLANTED'),
        storage.mkdir(parsePath('/victim/planted')),
        storage
          .read(parsePath('/victim/secret.txt'))
          .then(async ({ bytes }) => seen.push(await new Response(bytes).text())),
        storage.copy(parsePath('/victim'), parsePath('/taken'), { overwrite: true }),
        storage.move(parsePath('/victim/secret.txt'), parsePath('/stolen'), { overwrite: true }),
        storage.remove(parsePath('/victim/secret.txt')),
        names(parsePath('/victim')).then((found) =>
          seen.push(...found.filter((name) => name.endsWith('marker'))),
        ),
      ]
      for (const end of await Promise.allSettled(operations)) {
        ends.add(end.status === 'fulfilled' ? end.status : end.reason.code)
      }
    }
    stop = true
    await swapper
    rmSync(marker)
    untouched()
    expect(seen).not.toContain('SECRET')
    expect(seen).not.toContain('/victim/marker')
    expect(existsSync(join(root, 'taken/marker'))).toBe(false)
    const taken = join(root, 'taken', 'secret.txt')
    expect(existsSync(taken) ? readFileSync(taken, 'utf8') : 'PLANTED').toBe('PLANTED')
  })

  test('an open folder stays the same one after it is renamed and replaced', async () => {
    using folder = await storage.openFolder(parsePath('/inside'))
    renameSync(join(root, 'inside'), join(root, 'moved'))
    symlinkSync(outside, join(root, 'inside'))
    const files = [...(await folder.list())]
    expect(files.map(({ path }) => String(path))).toEqual(['/inside/own.txt'])
    const [start] = await folder.readStarts(files, { bytesMax: 10 })
    expect(start && new TextDecoder().decode(start.bytes)).toBe('own')
    untouched()
  })

  test('no operation reaches the private folder, by its name or by a link', async () => {
    symlinkSync('.filemgr', join(root, 'alias'))
    for (const path of ['/.filemgr', '/.filemgr/uploads', '/alias', '/alias/uploads']) {
      expect(await code(storage.stat(parsePath(path)))).toBe('forbidden')
      expect(await code(storage.mkdir(parsePath(`${path}/x`)))).toBe('forbidden')
      expect(await code(put(`${path}/x`))).toBe('forbidden')
      expect(await code(storage.list(parsePath(path)))).toBe('forbidden')
      expect(await code(storage.read(parsePath(path)))).toBe('forbidden')
      expect(
        await code(storage.copy(parsePath(path), parsePath('/copy'), { overwrite: false })),
      ).toBe('forbidden')
    }
    expect(await code(storage.remove(parsePath('/.filemgr')))).toBe('forbidden')
    expect(
      await code(storage.move(parsePath('/.filemgr'), parsePath('/x'), { overwrite: true })),
    ).toBe('forbidden')
    expect(await code(storage.within(parsePath('/.filemgr')).stat(ROOT))).toBe('forbidden')
    expect(await code(storage.within(parsePath('/alias')).stat(ROOT))).toBe('forbidden')
    expect(await names(ROOT)).toEqual(['/inside'])
    expect(statSync(join(root, '.filemgr')).mode & 0o777).toBe(0o700)
  })

  describe('the server’s own files inside the tree', () => {
    const own = (name: string) => join(root, 'inside', name)
    let guarded: LocalStorage
    beforeEach(async () => {
      for (const name of ['filemgr.db', 'config.yaml']) writeFileSync(own(name), 'SECRET')
      mkdirSync(own('cache/ab'), { recursive: true })
      writeFileSync(own('cache/ab/preview'), 'SECRET')
      const files = ['filemgr.db', 'filemgr.db-journal', 'config.yaml'].map(own)
      files.push(join(root, '.config/filemgr/config.yaml'))
      guarded = await LocalStorage.open(root, {
        ...OPTIONS,
        ownPaths: { files, folders: [own('cache')] },
      })
    })
    afterEach(() => guarded.close())

    const move = (from: string, to: string) =>
      code(guarded.move(parsePath(from), parsePath(to), { overwrite: true }))
    const copy = (from: string, to: string) =>
      code(guarded.copy(parsePath(from), parsePath(to), { overwrite: true }))
    const untouchedOwn = () => {
      expect(readdirSync(join(root, 'inside')).sort()).toEqual(
        ['cache', 'config.yaml', 'filemgr.db', 'own.txt'].sort(),
      )
      for (const name of ['filemgr.db', 'config.yaml', 'cache/ab/preview']) {
        expect(readFileSync(own(name), 'utf8')).toBe('SECRET')
      }
    }

    test('the server’s own files are reached by no name: their own, a link, a second name of the file', async () => {
      symlinkSync('inside/filemgr.db', join(root, 'alias'))
      symlinkSync('inside/cache', join(root, 'way'))
      linkSync(own('filemgr.db'), join(root, 'second'))
      const paths = [
        '/inside/filemgr.db',
        '/alias',
        '/second',
        '/inside/cache/ab/preview',
        '/way/ab/preview',
      ]
      for (const path of paths) {
        expect(await code(guarded.stat(parsePath(path)))).toBe('forbidden')
        expect(await code(guarded.read(parsePath(path)))).toBe('forbidden')
        expect(await copy(path, '/c')).toBe('forbidden')
        const isLink = lstatSync(join(root, path)).isSymbolicLink()
        if (!isLink) expect(await move(path, '/c')).toBe('forbidden')
      }
      const found = [...(await guarded.list(parsePath('/inside')))]
      expect(found.map(({ path }) => path)).toEqual([parsePath('/inside/own.txt')])
      expect(await code(guarded.list(parsePath('/way')))).toBe('forbidden')
      expect(await code(guarded.within(parsePath('/inside/cache')).stat(ROOT))).toBe('forbidden')
      const listed = [...(await guarded.list(ROOT))].map(({ path }) => path as string)
      expect(listed.sort()).toEqual(['/inside'])
      untouchedOwn()
    })

    test('the server’s own files are never replaced, and missing ones are never created', async () => {
      for (const name of ['filemgr.db', 'FileMgr.DB', 'filemgr.db-journal', 'config.yaml']) {
        const path = `/inside/${name}`
        const planted = guarded.write(parsePath(path), encoder.encode('x'), { overwrite: true })
        expect(await code(planted)).toBe('forbidden')
        writeFileSync(join(root, 'prepared'), 'x')
        expect(await copy('/prepared', path)).toBe('forbidden')
        expect(await move('/prepared', path)).toBe('forbidden')
        expect(await code(guarded.mkdir(parsePath(path)))).toBe('forbidden')
      }
      untouchedOwn()
    })

    test('no user can create the folders of reserved paths', async () => {
      const write = (path: string) =>
        code(guarded.write(parsePath(path), encoder.encode('x'), { overwrite: true }))
      expect(await code(guarded.mkdir(parsePath('/.config')))).toBe('forbidden')
      expect(await code(guarded.mkdir(parsePath('/.config/filemgr')))).toBe('forbidden')
      mkdirSync(join(root, 'prepared/filemgr'), { recursive: true })
      writeFileSync(join(root, 'prepared/filemgr/config.yaml'), 'x')
      for (const transfer of [copy, move])
        expect(await transfer('/prepared', '/.config')).toBe('forbidden')
      expect(await write('/.config')).toBe('forbidden')
      expect(existsSync(join(root, '.config'))).toBe(false)
      // The operator has created the folder: now the next name in the path is reserved.
      mkdirSync(join(root, '.config'))
      const later = await LocalStorage.open(root, {
        ...OPTIONS,
        ownPaths: { files: [join(root, '.config/filemgr/config.yaml')], folders: [] },
      })
      expect(await code(later.mkdir(parsePath('/.config/other')))).toBe('no fault')
      expect(await code(later.mkdir(parsePath('/.config/filemgr')))).toBe('forbidden')
      later.close()
    })

    test('the server’s own files are never replaced by a folder that is merged over theirs', async () => {
      for (const name of ['filemgr.db', 'config.yaml', 'filemgr.db-journal', 'cache']) {
        for (const transfer of [copy, move]) {
          mkdirSync(join(root, 'prepared/inside'), { recursive: true })
          writeFileSync(join(root, 'prepared/inside/aaa'), 'x')
          writeFileSync(join(root, 'prepared/inside', name), 'PREPARED')
          expect(await transfer('/prepared/inside', '/inside')).toBe('forbidden')
          untouchedOwn()
        }
      }
    })

    test('the server’s own files stay when a folder above them is copied, moved or removed', async () => {
      expect(await copy('/inside', '/copied')).toBe('no fault')
      expect(readdirSync(join(root, 'copied'))).toEqual(['own.txt'])
      expect(await move('/inside', '/away')).toBe('forbidden')
      expect(await code(guarded.remove(parsePath('/inside')))).toBe('forbidden')
      untouchedOwn()
    })
  })

  test('a replaced file keeps its permission bits; a new one gets the configured ones', async () => {
    writeFileSync(join(root, 'script.sh'), 'old', { mode: 0o755 })
    await put('/script.sh', 'new')
    await put('/plain')
    const streamed = new Blob(['x']).stream()
    await storage.write(parsePath('/streamed'), streamed, { overwrite: false })
    await storage.mkdir(parsePath('/made/deep'))
    const mode = (name: string) => statSync(join(root, name)).mode & 0o777
    const names = ['script.sh', 'plain', 'streamed', 'made', 'made/deep']
    expect(names.map(mode)).toEqual([0o755, 0o640, 0o640, 0o750, 0o750])
  })

  test('names that are not UTF-8 are listed, read, renamed, copied and removed byte for byte', async () => {
    const raw = (name: string) =>
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')])
    mkdirSync(raw('d\xe9'))
    writeFileSync(raw('d\xe9/caf\xe9.txt'), 'latin')
    symlinkSync(Buffer.from('caf\xe9.txt', 'latin1'), raw('d\xe9/l\xff'))
    const [folder = ROOT] = (await names(ROOT)).filter((path) => path !== '/inside')
    const inside = await names(parsePath(folder))
    expect(inside).toHaveLength(2)
    for (const path of inside) expect(await text(path)).toBe('latin')
    await storage.copy(parsePath(folder), parsePath('/copy'), { overwrite: false })
    await storage.move(parsePath(folder), parsePath('/moved'), { overwrite: false })
    const bytes = (path: string) => readdirSync(join(root, path), { encoding: 'latin1' }).sort()
    expect(bytes('copy')).toEqual(['caf\xe9.txt', 'l\xff'])
    expect(bytes('moved')).toEqual(['caf\xe9.txt', 'l\xff'])
    const [file = ROOT] = await names(parsePath('/moved'))
    await storage.write(parsePath(file), encoder.encode('saved'), { overwrite: true })
    expect(readFileSync(raw('moved/caf\xe9.txt'), 'utf8')).toBe('saved')
    await storage.remove(parsePath(file))
    expect(bytes('moved')).toEqual(['l\xff'])
    await storage.remove(parsePath('/moved'))
    await storage.remove(parsePath('/copy'))
    expect(await names(ROOT)).toEqual(['/inside'])
  })

  test('a name that another writer takes at the last moment is checked again, and its file stays', async () => {
    const seen: (number | undefined)[] = []
    const work = storage.write(parsePath('/new'), encoder.encode('ours'), {
      overwrite: true,
      accept(existing) {
        seen.push(existing?.sizeBytes)
        if (existing) throw new Fault('forbidden', 'no')
        writeFileSync(join(root, 'new'), 'theirs')
      },
    })
    expect(await code(work)).toBe('forbidden')
    expect(seen).toEqual([undefined, 6])
    expect(readFileSync(join(root, 'new'), 'utf8')).toBe('theirs')
  })

  test('a file that changes right before it is replaced is checked again, and kept', async () => {
    for (const change of ['edited in place', 'replaced'] as const) {
      writeFileSync(join(root, 'file'), 'first')
      let asked = 0
      const work = storage.write(parsePath('/file'), encoder.encode('ours'), {
        overwrite: true,
        accept() {
          asked += 1
          if (asked > 1) throw new Fault('precondition', 'changed')
          if (change === 'replaced') {
            writeFileSync(join(root, 'other'), 'second')
            renameSync(join(root, 'other'), join(root, 'file'))
          } else {
            writeFileSync(join(root, 'file'), 'second')
          }
        },
      })
      expect(await code(work)).toBe('precondition')
      expect(readFileSync(join(root, 'file'), 'utf8')).toBe('second')
    }
  })

  test('a copy and new content are never setuid or setgid', async () => {
    for (const name of ['tool', 'saved']) {
      writeFileSync(join(root, name), 'x')
      chmodSync(join(root, name), 0o6755)
    }
    await storage.copy(parsePath('/tool'), parsePath('/copy'), { overwrite: false })
    mkdirSync(join(root, 'folder'))
    renameSync(join(root, 'tool'), join(root, 'folder/tool'))
    await storage.copy(parsePath('/folder'), parsePath('/copied'), { overwrite: false })
    await put('/saved', 'y')
    const bits = (name: string) => statSync(join(root, name)).mode & 0o7777
    expect(['copy', 'copied/tool', 'saved'].map(bits)).toEqual([0o755, 0o755, 0o755])
  })

  test('copies and new content keep extended attributes, and holes stay holes', async () => {
    const path = join(root, 'file')
    writeFileSync(path, 'x')
    setAttribute(path, 'user.note', 'kept')
    truncateSync(path, 8 * 1024 * 1024)
    await storage.copy(parsePath('/file'), parsePath('/copy'), { overwrite: false })
    const { size, blocks } = statSync(join(root, 'copy'))
    expect(size).toBe(8 * 1024 * 1024)
    expect(blocks * 512).toBeLessThan(1024 * 1024)
    expect(readFileSync(join(root, 'copy')).equals(readFileSync(path))).toBe(true)
    await put('/file', 'saved')
    for (const name of ['copy', 'file']) {
      expect(attribute(join(root, name), 'user.note')).toBe('kept')
    }
  })

  test('a copy contains a folder behind links once, however many links point to it', async () => {
    const depth = 12
    for (let level = 0; level <= depth; level += 1) {
      mkdirSync(join(root, `levels/l${level}`), { recursive: true })
      if (level === depth) continue
      for (const name of ['a', 'b'])
        symlinkSync(`../l${level + 1}`, join(root, `levels/l${level}`, name))
    }
    await storage.copy(parsePath('/levels'), parsePath('/copy'), { overwrite: false })
    const { stdout } = Bun.spawnSync(['find', join(root, 'copy')])
    expect(stdout.toString().trim().split('\n').length).toBeLessThan(100)
  })

  test('a storage for exactly one folder fails with notFound after the folder is replaced by a link', async () => {
    mkdirSync(join(root, 'private'))
    const exact = storage.within(parsePath('/inside'), { isExact: true })
    const deep = storage.within(parsePath('/inside/deep'), { isExact: true })
    mkdirSync(join(root, 'inside/deep'))
    for (const each of [exact, deep]) expect((await each.stat(ROOT)).kind).toBe('folder')
    renameSync(join(root, 'inside'), join(root, 'gone'))
    symlinkSync('gone', join(root, 'inside'))
    for (const each of [exact, deep]) expect(await code(each.stat(ROOT))).toBe('notFound')
    expect((await storage.within(parsePath('/inside')).stat(ROOT)).kind).toBe('folder')
  })

  test('modification times are limited to the range that every client can represent', async () => {
    const bytes = encoder.encode('x')
    await storage.write(parsePath('/far'), bytes, { overwrite: false, modifiedMs: 8.64e15 })
    expect((await storage.stat(parsePath('/far'))).modifiedMs).toBeLessThanOrEqual(LATEST_MS)
    utimesSync(join(root, 'far'), 1e13, 1e13)
    const [{ modifiedMs } = { modifiedMs: 0 }] = await (await storage.list(ROOT)).filter(
      ({ path }) => path === '/far',
    )
    expect(new Date(modifiedMs).toISOString()).toMatch(/^\d{4}-/)
    expect(sentTime('1e308')).toBeUndefined()
    expect(sentTime('')).toBeUndefined()
    expect(sentTime(' ')).toBeUndefined()
    expect(sentTime(String(LATEST_MS))).toBe(LATEST_MS)
  })

  test('an entry cannot be moved onto itself or into itself, under any name', async () => {
    mkdirSync(join(root, 'a/dir/deep'), { recursive: true })
    for (const name of ['f', 'dir/x', 'dir/deep/y']) writeFileSync(join(root, 'a', name), name)
    symlinkSync('a', join(root, 'l'))
    const move = (from: string, to: string, overwrite = true) =>
      code(storage.move(parsePath(from), parsePath(to), { overwrite }))
    for (const overwrite of [true, false]) {
      expect(await move('/a/f', '/l/f', overwrite)).toBe('conflict')
      expect(await move('/l/f', '/a/f', overwrite)).toBe('conflict')
      expect(await move('/a/dir', '/l/dir', overwrite)).toBe('conflict')
      expect(await move('/a/dir', '/l/dir/new', overwrite)).toBe('badRequest')
      expect(await move('/a/dir', '/l/dir/deep/new', overwrite)).toBe('badRequest')
    }
    expect(await move('/a/dir', '/l/dir/deep')).toBe('badRequest')
    for (const name of ['f', 'dir/x', 'dir/deep/y']) expect(await text(`/a/${name}`)).toBe(name)
    // If both names are hard links to one file, the moved name is removed.
    linkSync(join(root, 'a/f'), join(root, 'a/twin'))
    expect(await move('/a/twin', '/l/f')).toBe('no fault')
    expect(readdirSync(join(root, 'a')).sort()).toEqual(['dir', 'f'])
    expect(await text('/a/f')).toBe('f')
  })

  test.each([
    ['move', (from: TreePath, to: TreePath) => storage.move(from, to, { overwrite: false })],
    ['copy', (from: TreePath, to: TreePath) => storage.copy(from, to, { overwrite: false })],
  ])('a %s never makes a path that is too deep to open', async (_, act) => {
    const levels = (name: string, count: number) => Array(count).fill(name).join('/')
    mkdirSync(join(root, levels('d', 200)), { recursive: true })
    mkdirSync(join(root, levels('e', 60)), { recursive: true })
    writeFileSync(join(root, levels('e', 55), 'file'), 'file')
    const [from, below] = [parsePath('/e'), levels('d', 200)]
    expect(await code(act(from, parsePath(`/${below}/e`)))).toBe('badRequest')
    expect(existsSync(join(root, below, 'e'))).toBe(false)
    expect(existsSync(join(root, levels('e', 55), 'file'))).toBe(true)
    // The path of the deepest entry has exactly as many levels as a path may have.
    rmSync(join(root, levels('e', 57)), { recursive: true })
    expect(await code(act(from, parsePath(`/${below}/e`)))).toBe('no fault')
    expect(readFileSync(join(root, below, levels('e', 55), 'file'), 'utf8')).toBe('file')
  })

  test('a reader of a file that is replaced reads the old content to its end', async () => {
    await put('/file', 'old'.repeat(500_000))
    const { bytes } = await storage.read(parsePath('/file'))
    const reader = bytes.getReader()
    const first = await reader.read()
    await put('/file', 'new')
    const rest: Uint8Array[] = [first.value ?? new Uint8Array()]
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest.push(part.value)
    expect(Buffer.concat(rest).toString()).toBe('old'.repeat(500_000))
  })

  test('an uploaded file is moved if the write succeeds, and unchanged if it fails', async () => {
    const owned = join(storage.uploadsFolder, 'upload')
    writeFileSync(owned, 'bytes')
    await put('/taken')
    const write = (path: string, overwrite: boolean) =>
      storage.write(parsePath(path), { ownedFile: owned }, { overwrite })
    expect(await code(write('/taken', false))).toBe('conflict')
    expect(readFileSync(owned, 'utf8')).toBe('bytes')
    const { version } = await write('/free', false)
    expect(existsSync(owned)).toBe(false)
    expect((await storage.stat(parsePath('/free'))).version).toBe(version)
    expect(await text('/free')).toBe('bytes')
  })

  test('a start removes the staged files of ended processes, and keeps those of running ones', async () => {
    const work = join(root, '.filemgr', 'work')
    const own = readdirSync(work)[0] ?? ''
    mkdirSync(join(work, 'abandoned'))
    writeFileSync(join(work, 'abandoned', 'half'), 'x')
    const second = await LocalStorage.open(root, OPTIONS)
    expect(readdirSync(work)).toContain(own)
    expect(readdirSync(work)).not.toContain('abandoned')
    second.close()
    expect(readdirSync(work)).toEqual([own])
  })

  test('items that a killed process had set aside are restored, unless their record is invalid', async () => {
    const work = join(root, '.filemgr/work')
    const aside = (name: string) => join(work, 'gone', `aside-${name}`)
    for (const name of ['real', 'up', 'pipe', 'device']) {
      mkdirSync(aside(name), { recursive: true })
      writeFileSync(join(aside(name), 'thing'), name)
    }
    writeFileSync(join(aside('real'), 'origin'), 'inside/back')
    writeFileSync(join(aside('up'), 'origin'), '../inside/../up')
    Bun.spawnSync(['mkfifo', join(aside('pipe'), 'origin')])
    symlinkSync('/dev/zero', join(aside('device'), 'origin'))
    const second = await LocalStorage.open(root, OPTIONS)
    expect(readFileSync(join(root, 'inside/back'), 'utf8')).toBe('real')
    expect(readFileSync(join(root, 'up'), 'utf8')).toBe('up')
    expect(readdirSync(join(work, 'gone')).sort()).toEqual([
      'aside-device',
      'aside-pipe',
      'aside-real',
      'aside-up',
    ])
    second.close()
  })

  test('a start fails if another file has the name of the private folder', async () => {
    const other = join(base.path, 'other')
    mkdirSync(other)
    symlinkSync(outside, join(other, '.filemgr'))
    expect(await code(LocalStorage.open(other, OPTIONS))).toBe('conflict')
    untouched()
  })

  test('no operation leaves a descriptor open, also if it fails', async () => {
    const open = () => readdirSync('/proc/self/fd').length
    symlinkSync('inside', join(root, 'link'))
    symlinkSync(outside, join(root, 'out'))
    const other = join(base.path, 'other')
    mkdirSync(other)
    writeFileSync(join(other, '.filemgr'), 'no folder')
    const round = async () => {
      await put('/a/b/c/file').catch(() => undefined)
      await storage.mkdir(parsePath('/a/b'))
      await put('/a/b/file')
      await text('/a/b/file')
      await (await storage.read(parsePath('/a/b/file'))).bytes.cancel()
      await names(parsePath('/link'))
      await code(storage.stat(parsePath('/out/x')))
      expect(await code(put(`/${'n'.repeat(300)}`))).toBe('badRequest')
      expect(await code(LocalStorage.open(other, OPTIONS))).toBe('conflict')
      await code(names(parsePath('/a/b/file')))
      await storage.copy(parsePath('/a'), parsePath('/z'), { overwrite: true })
      await storage.move(parsePath('/z'), parsePath('/y'), { overwrite: true })
      await storage.remove(parsePath('/y'))
      await storage.usage(ROOT)
      await storage.list(ROOT)
    }
    await round()
    const before = open()
    for (let turn = 0; turn < 20; turn += 1) await round()
    expect(open()).toBe(before)
  })

  test('pipes, sockets and devices are not read', async () => {
    Bun.spawnSync(['mkfifo', join(root, 'pipe')])
    expect((await storage.stat(parsePath('/pipe'))).kind).toBe('pipe')
    expect(await code(storage.read(parsePath('/pipe')))).toBe('unsupported')
  })

  test('moving one name of a file over another leaves one name', async () => {
    await put('/one', 'bytes')
    linkSync(join(root, 'one'), join(root, 'two'))
    const [one, two] = [parsePath('/one'), parsePath('/two')]
    expect(await code(storage.move(one, two, { overwrite: false }))).toBe('conflict')
    await storage.move(one, two, { overwrite: true })
    expect(existsSync(join(root, 'one'))).toBe(false)
    expect(await text('/two')).toBe('bytes')
  })

  test('a file that is renamed while it is read, and a second name of a replaced file, keep their bytes', async () => {
    await put('/one', 'bytes')
    linkSync(join(root, 'one'), join(root, 'two'))
    const { bytes } = await storage.read(parsePath('/one'))
    renameSync(join(root, 'one'), join(root, 'three'))
    expect(await new Response(bytes).text()).toBe('bytes')
    await put('/two', 'replaced')
    expect(await text('/three')).toBe('bytes')
  })
})
