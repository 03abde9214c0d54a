import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { describeStorage } from '../../contract/storage.ts'
import { temporaryFolder } from '../../support/tree.ts'

const OPTIONS = { fileMode: 0o640, folderMode: 0o750, secretFiles: [] }
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

  const code = (work: Promise<unknown>) =>
    work.then(
      () => 'no fault',
      (error) => (error instanceof Fault ? error.code : error),
    )
  const text = async (path: string) =>
    new Response((await storage.read(parsePath(path))).bytes).text()
  const names = async (path: TreePath) => {
    const found: string[] = []
    for await (const node of storage.list(path)) found.push(node.path)
    return found.sort()
  }
  const put = (path: string, content = 'x') =>
    storage.write(parsePath(path), encoder.encode(content), { overwrite: true })
  const untouched = () => {
    expect(readdirSync(outside)).toEqual(['secret.txt'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET')
  }

  test('links that leave are refused by every verb, and left out of lists', async () => {
    symlinkSync(outside, join(root, 'folder'))
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file'))
    symlinkSync(join(outside, 'new.txt'), join(root, 'dangling'))
    symlinkSync('../outside', join(root, 'relative'))
    for (const path of ['/folder', '/folder/secret.txt', '/file', '/relative/secret.txt']) {
      expect(await code(storage.stat(parsePath(path)))).toBe('forbidden')
      expect(await code(storage.read(parsePath(path)))).toBe('forbidden')
      expect(
        await code(storage.copy(parsePath(path), parsePath('/copy'), { overwrite: true })),
      ).toBe('forbidden')
      expect(await code(put(path))).toBe('forbidden')
    }
    expect(await code(put('/dangling'))).toBe('forbidden')
    expect(await code(put('/folder/planted'))).toBe('forbidden')
    expect(await code(storage.mkdir(parsePath('/folder/planted')))).toBe('forbidden')
    expect(await code(storage.remove(parsePath('/folder/secret.txt')))).toBe('forbidden')
    expect(
      await code(
        storage.move(parsePath('/folder/secret.txt'), parsePath('/x'), { overwrite: true }),
      ),
    ).toBe('forbidden')
    expect(
      await code(
        storage.move(parsePath('/inside/own.txt'), parsePath('/folder/x'), { overwrite: true }),
      ),
    ).toBe('forbidden')
    expect(await names(ROOT)).toEqual(['/inside'])
    untouched()
  })

  test('a link that leaves can be removed, and what it leads to stays', async () => {
    symlinkSync(outside, join(root, 'folder'))
    await storage.remove(parsePath('/folder'))
    expect(existsSync(join(root, 'folder'))).toBe(false)
    untouched()
  })

  test('removing or copying a folder does not follow links out of it', async () => {
    mkdirSync(join(root, 'box'))
    symlinkSync(outside, join(root, 'box', 'link'))
    await storage.copy(parsePath('/box'), parsePath('/box2'), { overwrite: false })
    expect(readdirSync(join(root, 'box2'))).toEqual([])
    await storage.remove(parsePath('/box'))
    untouched()
  })

  test('links that stay are followed, absolute ones too', async () => {
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

  test('links that lead nowhere or in circles harm nobody', async () => {
    symlinkSync('missing', join(root, 'dangling'))
    symlinkSync('loop', join(root, 'loop'))
    symlinkSync('.', join(root, 'self'))
    expect(await storage.stat(parsePath('/dangling'))).toMatchObject({
      kind: 'danglingLink',
      isLink: true,
    })
    expect(await code(storage.stat(parsePath('/loop')))).toBe('forbidden')
    expect(await names(ROOT)).toEqual(['/dangling', '/inside', '/self'])
    await storage.copy(parsePath('/self'), parsePath('/copied'), { overwrite: false })
    expect(readFileSync(join(root, 'copied', 'inside', 'own.txt'), 'utf8')).toBe('own')
    await put('/dangling', 'made')
    expect(readFileSync(join(root, 'missing'), 'utf8')).toBe('made')
    for (const name of ['/dangling', '/loop', '/self']) await storage.remove(parsePath(name))
    expect(await names(ROOT)).toEqual(['/copied', '/inside', '/missing'])
  })

  test('a folder swapped for a link in the middle of verbs leads no verb outside', async () => {
    const victim = join(root, 'victim')
    mkdirSync(victim)
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
    for (let round = 0; round < 300; round += 1) {
      const verbs = [
        put('/victim/secret.txt', 'PLANTED'),
        storage.mkdir(parsePath('/victim/planted')),
        storage
          .read(parsePath('/victim/secret.txt'))
          .then(async ({ bytes }) => seen.push(await new Response(bytes).text())),
        storage.copy(parsePath('/victim'), parsePath('/taken'), { overwrite: true }),
        storage.move(parsePath('/victim/secret.txt'), parsePath('/stolen'), { overwrite: true }),
        storage.remove(parsePath('/victim/secret.txt')),
        names(parsePath('/victim')).then((found) =>
          seen.push(...found.filter((name) => name.endsWith('SECRET'))),
        ),
      ]
      await Promise.allSettled(verbs)
    }
    stop = true
    await swapper
    untouched()
    expect(seen).not.toContain('SECRET')
    const taken = join(root, 'taken', 'secret.txt')
    expect(existsSync(taken) ? readFileSync(taken, 'utf8') : 'PLANTED').toBe('PLANTED')
  })

  test('the private folder is nobody’s to see, by any name', async () => {
    symlinkSync('.filemgr', join(root, 'alias'))
    for (const path of ['/.filemgr', '/.filemgr/uploads', '/alias', '/alias/uploads']) {
      expect(await code(storage.stat(parsePath(path)))).toBe('forbidden')
      expect(await code(storage.mkdir(parsePath(`${path}/x`)))).toBe('forbidden')
      expect(await code(put(`${path}/x`))).toBe('forbidden')
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

  test('secret files inside the tree are nobody’s to see', async () => {
    const database = join(root, 'inside', 'filemgr.db')
    writeFileSync(database, 'hash')
    symlinkSync('inside/filemgr.db', join(root, 'alias'))
    const guarded = await LocalStorage.open(root, { ...OPTIONS, secretFiles: [database] })
    for (const path of ['/inside/filemgr.db', '/alias']) {
      expect(await code(guarded.read(parsePath(path)))).toBe('forbidden')
      expect(await code(guarded.copy(parsePath(path), parsePath('/c'), { overwrite: true }))).toBe(
        'forbidden',
      )
    }
    await guarded.copy(parsePath('/inside'), parsePath('/copied'), { overwrite: false })
    const away = guarded.move(parsePath('/inside'), parsePath('/away'), { overwrite: false })
    expect(await code(away)).toBe('forbidden')
    expect(await code(guarded.remove(parsePath('/inside')))).toBe('forbidden')
    guarded.close()
    expect(readdirSync(join(root, 'copied'))).toEqual(['own.txt'])
  })

  test('a replaced file keeps its rights; a new one gets the configured ones', async () => {
    writeFileSync(join(root, 'script.sh'), 'old', { mode: 0o755 })
    await put('/script.sh', 'new')
    await put('/plain')
    await storage.mkdir(parsePath('/made/deep'))
    const mode = (name: string) => statSync(join(root, name)).mode & 0o777
    expect([mode('script.sh'), mode('plain'), mode('made'), mode('made/deep')]).toEqual([
      0o755, 0o640, 0o750, 0o750,
    ])
  })

  test('somebody who reads while a file is replaced reads the old one to its end', async () => {
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

  test('an owned file is taken when the write succeeds and kept when it fails', async () => {
    const owned = join(storage.uploadsFolder, 'upload')
    writeFileSync(owned, 'bytes')
    await put('/taken')
    const write = (path: string, overwrite: boolean) =>
      storage.write(parsePath(path), { ownedFile: owned }, { overwrite })
    expect(await code(write('/taken', false))).toBe('conflict')
    expect(readFileSync(owned, 'utf8')).toBe('bytes')
    await write('/free', false)
    expect(existsSync(owned)).toBe(false)
    expect(await text('/free')).toBe('bytes')
  })

  test('what another process left unfinished goes at the next start, living ones keep theirs', async () => {
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

  test('something else under the private name is an error at the start', async () => {
    const other = join(base.path, 'other')
    mkdirSync(other)
    symlinkSync(outside, join(other, '.filemgr'))
    expect(await code(LocalStorage.open(other, OPTIONS))).toBe('conflict')
    untouched()
  })

  test('no verb leaves a descriptor open', async () => {
    const open = () => readdirSync('/proc/self/fd').length
    symlinkSync('inside', join(root, 'link'))
    symlinkSync(outside, join(root, 'out'))
    const round = async () => {
      await put('/a/b/c/file').catch(() => undefined)
      await storage.mkdir(parsePath('/a/b'))
      await put('/a/b/file')
      await text('/a/b/file')
      await (await storage.read(parsePath('/a/b/file'))).bytes.cancel()
      await names(parsePath('/link'))
      await code(storage.stat(parsePath('/out/x')))
      await code(names(parsePath('/a/b/file')))
      await storage.copy(parsePath('/a'), parsePath('/z'), { overwrite: true })
      await storage.move(parsePath('/z'), parsePath('/y'), { overwrite: true })
      await storage.remove(parsePath('/y'))
      await storage.usage(ROOT)
      for await (const _ of storage.list(ROOT)) break
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

  test('a hard link and a file renamed under a reader keep their bytes', async () => {
    await put('/one', 'bytes')
    linkSync(join(root, 'one'), join(root, 'two'))
    const { bytes } = await storage.read(parsePath('/one'))
    renameSync(join(root, 'one'), join(root, 'three'))
    expect(await new Response(bytes).text()).toBe('bytes')
    await put('/two', 'replaced')
    expect(await text('/three')).toBe('bytes')
  })
})
