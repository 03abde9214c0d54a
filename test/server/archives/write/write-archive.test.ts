import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Scope } from '#server/access/scope/scope.ts'
import { memberNames } from '#server/archives/write/archive-names.ts'
import { selectMembers } from '#server/archives/write/write-archive.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { Rule } from '#wire/api/user.ts'
import { findNameProblem, parsePath, ROOT } from '#wire/paths.ts'
import {
  archived,
  FORMAT_NAMES,
  namesIn,
  scopeOn,
  treeOf,
  unpack,
  untarred,
} from '../../../support/files/archives.ts'
import { NASTY_NAMES, temporaryFolder } from '../../../support/files/tree.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'

/** A whole even second: every format can keep it. */
const TIME = new Date('2024-03-10T12:34:56Z')

let folder: ReturnType<typeof temporaryFolder>
let root: string
let storage: LocalStorage

beforeEach(async () => {
  folder = temporaryFolder()
  root = join(folder.path, 'root')
  mkdirSync(root)
  storage = await LocalStorage.open(root, {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
})

afterEach(() => {
  storage.close()
  folder.remove()
})

/** Makes the file at `path` below the root, with the folders above it. */
function put(path: string, content: string | Uint8Array = path, mode = 0o640): void {
  const target = join(root, path)
  mkdirSync(join(target, '..'), { recursive: true })
  writeFileSync(target, content)
  chmodSync(target, mode)
}

function setTimes(at = root): void {
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    if (entry.isDirectory()) setTimes(join(at, entry.name))
    if (!entry.isSymbolicLink()) utimesSync(join(at, entry.name), TIME, TIME)
  }
}

const members = async (scope: Scope, ...names: string[]) =>
  namesIn('tar', await archived(scope, 'tar', ...names))

describe('extracting an archive', () => {
  beforeEach(() => {
    for (const name of NASTY_NAMES) put(`names/${name}`)
    put('deep/'.repeat(60) + 'n'.repeat(200))
    put(`${'m'.repeat(120)}/in a long folder`)
    put('zero', '')
    put('program', '#!/bin/sh\n', 0o755)
    put('sealed', 'read only', 0o400)
    put('Re: letter.eml')
    put('random', randomBytes(3_000_001))
    put('text', 'All work and no play. '.repeat(100_000))
    mkdirSync(join(root, 'empty/inside'), { recursive: true, mode: 0o750 })
    setTimes()
  })

  test.each(FORMAT_NAMES)('extracting a %s gives the original tree', async (format) => {
    const into = join(folder.path, 'out')
    await unpack(format, await archived(scopeOn(storage), format, '/'), into)
    const before = treeOf(root)
    for (const own of [...before.keys()]) if (own.startsWith('.filemgr')) before.delete(own)
    expect(treeOf(into)).toEqual(before)
  })
})

test.each(FORMAT_NAMES.filter((format) => format !== 'tar' && format !== 'zip'))(
  'a %s of repetitive text is much smaller than the text',
  async (format) => {
    put('text', 'All work and no play. '.repeat(100_000))
    expect((await archived(scopeOn(storage), format, '/')).length).toBeLessThan(200_000)
  },
)

test('modes in a tar or zip have no setuid or setgid bit', async () => {
  put('program', '#!/bin/sh\n', 0o6755)
  const bytes = async (format: 'tar' | 'zip') =>
    Buffer.from(await archived(scopeOn(storage), format, '/program'))
  const tar = await bytes('tar')
  // In a tar the mode is octal text at offset 100; in a zip it is in the external attributes of the central record.
  expect(Number.parseInt(tar.toString('latin1', 100, 107), 8)).toBe(0o755)
  const zip = await bytes('zip')
  const listed = zip.indexOf('PK\x01\x02', 0, 'latin1')
  expect((zip.readUInt32LE(listed + 38) >>> 16) & 0o7777).toBe(0o755)
})

test('extracting a tar of a random tree gives the original files', async () => {
  const unit = fc.constantFrom(...Array.from('aB0.-~ :\\%#é😀\n\u0301"\'*?'))
  const name = fc
    .oneof(fc.string({ unit, maxLength: 12 }), fc.string({ unit, minLength: 90, maxLength: 120 }))
    .map((text) => text.toWellFormed())
    .filter((text) => findNameProblem(text) === undefined)
  const file = fc.record({
    path: fc.array(name, { minLength: 1, maxLength: 4 }),
    content: fc.uint8Array({ maxLength: 2000 }),
  })
  const spelled = (path: string[]) =>
    path.flatMap((name) => memberNames([parsePath(`/${name}`)], ROOT, 'bytes')).join('/')
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(file, { maxLength: 12, selector: (it) => spelled(it.path) }),
      async (files) => {
        const tree = new MemoryStorage()
        const expected = new Map<string, string>()
        for (const { path, content } of files) {
          const target = parsePath(path.join('/'))
          try {
            await tree.mkdir(parsePath(path.slice(0, -1).join('/')))
            await tree.write(target, content, { overwrite: false })
          } catch {
            // A file where another path wants a folder: one of both is enough.
            continue
          }
          expected.set(spelled(path), Buffer.from(content).toString('hex'))
        }
        const into = temporaryFolder()
        try {
          await unpack('tar', await archived(scopeOn(tree), 'tar', '/'), into.path)
          for (const [path, content] of expected) {
            expect(readFileSync(join(into.path, path), 'hex')).toBe(content)
          }
          const files = readdirSync(into.path, { recursive: true, withFileTypes: true })
          expect(files.filter((entry) => entry.isFile())).toHaveLength(expected.size)
        } finally {
          into.remove()
        }
      },
    ),
    { numRuns: 30 },
  )
})

describe('the requested entries', () => {
  const picked = async (...names: string[]) => {
    const { base, hasSeveralPaths, roots } = await selectMembers(
      scopeOn(storage),
      names.map(parsePath),
    )
    return { base: `${base}`, hasSeveralPaths, roots: roots.map(({ path }) => `${path}`) }
  }
  beforeEach(() => {
    put('docs/a.txt')
    put('docs/sub/b.txt')
    put('c.txt')
  })

  test('an archive of one folder contains its entries without the folder itself', async () => {
    expect(await picked('/docs')).toEqual({
      base: '/docs',
      hasSeveralPaths: false,
      roots: ['/docs'],
    })
    expect(await members(scopeOn(storage), '/docs')).toEqual(['a.txt', 'sub/', 'sub/b.txt'])
  })

  test('an archive of one file names it relative to its folder', async () => {
    expect(await picked('/docs/a.txt')).toMatchObject({ base: '/docs', hasSeveralPaths: false })
    expect(await members(scopeOn(storage), '/docs/a.txt')).toEqual(['a.txt'])
  })

  test('an archive of several entries names them relative to their common folder', async () => {
    expect(await picked('/docs/a.txt', '/docs/sub')).toMatchObject({
      base: '/docs',
      hasSeveralPaths: true,
    })
    expect(await members(scopeOn(storage), '/docs/sub', '/c.txt')).toEqual([
      'c.txt',
      'docs/sub/',
      'docs/sub/b.txt',
    ])
  })

  test('an entry that is selected twice, or inside a selected folder, is archived once', async () => {
    expect(await members(scopeOn(storage), '/docs', '/docs/sub/b.txt', '/docs')).toEqual([
      'a.txt',
      'sub/',
      'sub/b.txt',
    ])
  })

  test('a missing name is refused before anything is read', async () => {
    await expect(picked('/c.txt', '/missing')).rejects.toMatchObject({ code: 'notFound' })
    symlinkSync('nowhere', join(root, 'dangling'))
    await expect(picked('/dangling')).rejects.toMatchObject({ code: 'notFound' })
  })

  test('an archive leaves out a broken link, and only that', async () => {
    symlinkSync('nowhere', join(root, 'dangling'))
    expect(await members(scopeOn(storage), '/c.txt', '/dangling')).toEqual(['c.txt'])
  })

  test('an archive is refused without the permission to download', async () => {
    const blind = scopeOn(storage, { perm: ['create', 'modify'] })
    await expect(selectMembers(blind, [ROOT])).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('entries that an archive leaves out', () => {
  const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })

  test('an archive leaves out denied files at any depth', async () => {
    put('private/secret.txt')
    put('docs/secret/deep.txt')
    put('docs/open.txt')
    const scope = scopeOn(storage, { rules: [deny('/private'), deny('/docs/secret')] })
    expect(await members(scope, '/')).toEqual(['docs/', 'docs/open.txt'])
    expect(await members(scope, '/docs', '/private')).toEqual(['open.txt'])
    await expect(members(scope, '/private')).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('an archive leaves out dotfiles for users who hide them', async () => {
    put('.hidden/file')
    put('.env')
    put('open')
    expect(await members(scopeOn(storage, { hideDotfiles: true }), '/')).toEqual(['open'])
    expect(await members(scopeOn(storage), '/')).toEqual([
      '.env',
      '.hidden/',
      '.hidden/file',
      'open',
    ])
  })

  test('an archive leaves out links that lead outside, and links to denied files', async () => {
    writeFileSync(join(folder.path, 'outside.txt'), 'OUTSIDE')
    put('private/secret.txt')
    symlinkSync('../outside.txt', join(root, 'relative'))
    symlinkSync(join(folder.path, 'outside.txt'), join(root, 'absolute'))
    symlinkSync('..', join(root, 'up'))
    symlinkSync('private', join(root, 'way round'))
    symlinkSync('nowhere', join(root, 'dangling'))
    const scope = scopeOn(storage, { rules: [deny('/private')] })
    expect(await members(scope, '/')).toEqual([])
  })

  test('an archive leaves out pipes and sockets', async () => {
    put('file')
    Bun.spawnSync(['mkfifo', join(root, 'pipe')])
    const socket = Bun.listen({ unix: join(root, 'socket'), socket: { data: () => undefined } })
    try {
      expect(await members(scopeOn(storage), '/')).toEqual(['file'])
      await expect(members(scopeOn(storage), '/pipe')).rejects.toMatchObject({
        code: 'unsupported',
      })
    } finally {
      socket.stop()
    }
  })
})

test('a tree of links adds at most twice its folders', async () => {
  const folders = Array.from({ length: 13 }, (_, at) => `d${String(at).padStart(2, '0')}`)
  for (const name of folders) {
    put(`${name}/file`)
    for (const other of folders) symlinkSync(`../${other}`, join(root, name, `to ${other}`))
  }
  const all = await members(scopeOn(storage), '/')
  expect(all.filter((name) => name.endsWith('/file'))).toHaveLength(2 * folders.length)
  expect(all.length).toBe(2 * 2 * folders.length)
  const through = await members(scopeOn(storage), '/d00/to d01')
  expect(through.filter((name) => /(^|\/)file$/.test(name))).toHaveLength(folders.length)
})

test('an archive follows links inside, and never in a circle @spec-11.18', async () => {
  put('a/file')
  put('b/other')
  symlinkSync('../b', join(root, 'a/to b'))
  symlinkSync('../a', join(root, 'b/to a'))
  symlinkSync('..', join(root, 'a/top'))
  symlinkSync('a/file', join(root, 'linked'))
  symlinkSync('a', join(root, 'z'))
  expect(await members(scopeOn(storage), '/')).toEqual([
    'a/',
    'a/file',
    'a/to b/',
    'a/to b/other',
    'b/',
    'b/other',
    'b/to a/',
    'b/to a/file',
    'linked',
  ])
})

test('no name in an archive leads out of the folder it is extracted to', async () => {
  put('zip/..\\..\\evil.sh')
  put('zip/C:\\evil.exe')
  put('zip/\\\\server\\evil')
  for (const format of ['zip', 'tar'] as const) {
    for (const name of await namesIn(format, await archived(scopeOn(storage), format, '/zip'))) {
      expect(name).not.toMatch(/\\|^\/|^\w:|(^|\/)\.\.(\/|$)/)
    }
  }
})

test('a zip marks its names as UTF-8', async () => {
  put('😀', '')
  const zip = Buffer.from(await archived(scopeOn(storage), 'zip', '/'))
  expect(zip.readUInt32LE(0)).toBe(0x04034b50)
  expect(zip.readUInt16LE(6) & 0x0800).toBe(0x0800)
})

test('a compressed tar contains the same bytes as the plain tar', async () => {
  put('file', randomBytes(300_000))
  setTimes()
  const plain = await archived(scopeOn(storage), 'tar', '/')
  for (const format of FORMAT_NAMES.filter((other) => other !== 'zip')) {
    const inside = await untarred(format, await archived(scopeOn(storage), format, '/'))
    expect(Buffer.from(inside).equals(plain)).toBe(true)
  }
})
