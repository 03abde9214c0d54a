/** Open objects by paths: what is at a path now must be what was there when it was opened, and no link leads anywhere. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '#server/os/errno.ts'
import { O_FOLDER, O_PATH } from '#server/os/flags.ts'
import { PathHandle } from '#server/storage/portable/path-handle.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

const READ = constants.O_RDONLY
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY

let base: ReturnType<typeof temporaryFolder>
let root: PathHandle
const disk = (...names: string[]) => join(base.path, ...names)

beforeEach(() => {
  base = temporaryFolder()
  mkdirSync(disk('root', 'outer', 'inner'), { recursive: true })
  mkdirSync(disk('outside', 'inner'), { recursive: true })
  writeFileSync(disk('root', 'outer', 'inner', 'file'), 'own')
  writeFileSync(disk('outside', 'inner', 'file'), 'SECRET')
  root = PathHandle.openTop(disk('root'))
})
afterEach(() => {
  root.close()
  base.remove()
})

/** What was found out before is out of date after any wait. */
const nextMoment = () => Promise.resolve()

function failure(act: () => unknown): string {
  try {
    act()
    return 'done'
  } catch (error) {
    return errnoOf(error) ?? String(error)
  }
}

test('a folder above that is replaced by a link, or by another folder, is not used any more', async () => {
  for (const replace of [
    () => symlinkSync(disk('outside'), disk('root', 'outer')),
    () => renameSync(disk('outside'), disk('root', 'outer')),
    // The folder in it is the same one then.
    () => symlinkSync(disk('moved'), disk('root', 'outer')),
  ]) {
    using outer = root.child('outer', O_FOLDER)
    using inner = outer.child('inner', FOLDER)
    renameSync(disk('root', 'outer'), disk('moved'))
    replace()
    await nextMoment()
    expect([
      failure(() => inner.at('file')),
      failure(() => inner.child('file', READ)),
      failure(() => inner.names()),
      failure(() => inner.realPath()),
      failure(() => inner.requireUnmoved()),
      failure(() => inner.reopen(FOLDER)),
      failure(() => outer.duplicate()),
    ]).toEqual(Array(7).fill('ENOENT'))
    rmSync(disk('root', 'outer'), { recursive: true })
    renameSync(disk('moved'), disk('root', 'outer'))
    await nextMoment()
    expect(inner.names()).toEqual(['file'])
    mkdirSync(disk('outside', 'inner'), { recursive: true })
  }
})

test('a link is not followed: it is referred to, or refused', () => {
  symlinkSync(disk('outside', 'inner'), disk('root', 'folder'))
  symlinkSync(disk('outside', 'inner', 'file'), disk('root', 'link'))
  expect(failure(() => root.child('link', READ))).toBe('ELOOP')
  expect(failure(() => root.child('folder', FOLDER))).toBe('ENOTDIR')
  using link = root.child('link', O_PATH)
  expect(link.stat().isSymbolicLink()).toBe(true)
})

test('a name that is no name of one entry is refused', () => {
  for (const name of ['..', '../outside', 'outer/../../outside', 'outer//inner', 'a\0b', '']) {
    expect(
      failure(() => root.at(name)),
      name,
    ).toBe('EINVAL')
  }
  for (const name of ['..', 'outer/inner', '']) {
    expect(
      failure(() => root.child(name, O_PATH)),
      name,
    ).toBe('EINVAL')
  }
})

test('a file that was opened stays open when its name changes; another file of its name is not opened again', async () => {
  using outer = root.child('outer', O_FOLDER)
  using inner = outer.child('inner', O_FOLDER)
  using file = inner.child('file', O_PATH)
  renameSync(disk('root', 'outer', 'inner', 'file'), disk('root', 'renamed'))
  writeFileSync(disk('root', 'outer', 'inner', 'file'), 'another one')
  await nextMoment()
  expect(file.stat().ino).toBe(lstatSync(disk('root', 'renamed')).ino)
  expect(failure(() => file.reopen(READ))).toBe('ENOENT')
})

test('a folder that this process has renamed is found under its new name', async () => {
  using outer = root.child('outer', O_FOLDER)
  using inner = outer.child('inner', FOLDER)
  renameSync(outer.at('inner'), root.at('new'))
  inner.movedTo(root, 'new')
  await nextMoment()
  expect([inner.names(), inner.realPath()]).toEqual([['file'], disk('root', 'new')])
})

test('the folder above the root is opened by its path, up to that of the file system', () => {
  let folder = root.above()
  expect(folder.realPath()).toBe(base.path)
  while (folder.realPath() !== '/') {
    using below = folder
    folder = below.above()
  }
  using top = folder.above()
  expect([top.realPath(), top.identity()]).toEqual(['/', folder.identity()])
  folder.close()
})

test('nothing is replaced by a rename to a name that must be free', () => {
  writeFileSync(disk('root', 'a'), 'a')
  writeFileSync(disk('root', 'taken'), 'taken')
  mkdirSync(disk('root', 'empty'))
  mkdirSync(disk('root', 'folder'))
  symlinkSync('nowhere', disk('root', 'link'))
  for (const from of ['a', 'folder', 'link']) {
    for (const to of ['taken', 'empty', 'outer']) {
      expect(
        failure(() => root.renameToFree(from, root, to)),
        `${from} ${to}`,
      ).toBe('EEXIST')
    }
    root.renameToFree(from, root, `${from}2`)
  }
  expect(readdirSync(disk('root')).sort()).toEqual([
    'a2',
    'empty',
    'folder2',
    'link2',
    'outer',
    'taken',
  ])
  expect(readFileSync(disk('root', 'a2'), 'utf8')).toBe('a')
  expect(lstatSync(disk('root', 'a2')).nlink).toBe(1)
})

test('what is on the way to its place keeps its old name if the new one cannot be had', () => {
  writeFileSync(disk('root', 'a'), 'a')
  expect(failure(() => root.renameToFree('a', root, 'n'.repeat(300)))).toBe('ENAMETOOLONG')
  expect(existsSync(disk('root', 'a'))).toBe(true)
})
