/**
 * A folder is merged into one above it, and both contain folders of the same names: `T/NF/NF` into `T/NF`. The folder
 * itself then has the name of one of its entries.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isFault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { JournaledTree } from '../../../../support/storage/journaled-tree.ts'

let opened: JournaledTree
beforeEach(async () => {
  opened = await JournaledTree.open('u')
})
afterEach(() => opened.close())

const scope = () => opened.scope({ id: 2, path: '/u' })

/** Makes files, whose content is their path, and with a slash at the end folders. */
function make(...paths: string[]): void {
  for (const path of paths) {
    const onDisk = opened.disk('u', path)
    mkdirSync(path.endsWith('/') ? onDisk : dirname(onDisk), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(onDisk, path)
  }
}

const tree = () => opened.contentsOf('u')

/** Merges one folder into another. @returns the number of the change */
async function merge(from: string, to: string): Promise<number> {
  const changing = scope()
  await changing.move(parsePath(`/${from}`), parsePath(`/${to}`), { overwrite: true })
  return changing.entries.at(-1) ?? 0
}

describe('a folder with the name of its own folder', () => {
  test('is merged, and its own folder of that name is what remains', async () => {
    make('T/NF/NF/i', 'T/NF/NF/NF/d', 'T/NF/k')
    await merge('T/NF/NF', 'T/NF')
    expect(tree()).toEqual({
      T: 'folder',
      'T/NF': 'folder',
      'T/NF/NF': 'folder',
      'T/NF/NF/d': 'T/NF/NF/NF/d',
      'T/NF/i': 'T/NF/NF/i',
      'T/NF/k': 'T/NF/k',
    })
  })

  test('keeps files of equal names apart, whichever the disk lists first', async () => {
    for (const names of [
      ['NF', 'i'],
      ['i', 'NF'],
    ]) {
      rmSync(opened.disk('u/T'), { recursive: true, force: true })
      for (const name of names) make(name === 'i' ? 'T/NF/NF/i' : 'T/NF/NF/NF/i')
      await merge('T/NF/NF', 'T/NF')
      expect(tree()).toMatchObject({ 'T/NF/i': 'T/NF/NF/i', 'T/NF/NF/i': 'T/NF/NF/NF/i' })
    }
  })

  test('is merged when its own folder is empty, and when there are more levels of that name', async () => {
    make('a/a/a/')
    await merge('a/a', 'a')
    expect(tree()).toEqual({ a: 'folder', 'a/a': 'folder' })
    make('a/a/a/a/a/x', 'a/a/x')
    await merge('a/a', 'a')
    expect(tree()).toEqual({
      a: 'folder',
      'a/a': 'folder',
      'a/a/a': 'folder',
      'a/a/a/a': 'folder',
      'a/a/a/a/x': 'a/a/a/a/a/x',
      'a/x': 'a/a/x',
    })
  })

  test('is undone in one step', async () => {
    make('T/NF/NF/i', 'T/NF/NF/j/x', 'T/NF/NF/NF/i', 'T/NF/NF/NF/j/y', 'T/NF/i')
    const before = tree()
    const id = await merge('T/NF/NF', 'T/NF')
    expect(tree()).not.toEqual(before)
    await opened.tree.undo.undo(scope(), id)
    expect(tree()).toEqual(before)
  })

  test('that is a file refuses the merge before anything is changed', async () => {
    make('T/NF/NF/i', 'T/NF/NF/NF')
    const before = tree()
    await expect(merge('T/NF/NF', 'T/NF')).rejects.toThrow('A folder already has this name.')
    expect(tree()).toEqual(before)
  })
})

/** Content by path, as `contentsOf` returns it. */
type Contents = Record<string, string>

/** What the merge means: the source is taken away, and then its entries are put over those of the target. */
function merged(before: Contents, from: string, to: string): Contents {
  const inSource = (path: string) => path === from || path.startsWith(`${from}/`)
  const after = Object.fromEntries(Object.entries(before).filter(([path]) => !inSource(path)))
  for (const [path, content] of Object.entries(before)) {
    if (path.startsWith(`${from}/`)) after[join(to, path.slice(from.length + 1))] = content
  }
  return Object.fromEntries(Object.entries(after).sort())
}

test('any folder is merged into any folder above it, and the undo restores both', async () => {
  const random = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T
  let mergedCount = 0
  for (let round = 0; round < 150; round += 1) {
    for (const name of readdirSync(opened.disk('u'))) {
      rmSync(opened.disk('u', name), { recursive: true })
    }
    for (let count = 0; count < 14; count += 1) {
      const names = Array.from({ length: 1 + Math.floor(Math.random() * 6) }, () =>
        random(['a', 'b']),
      )
      const path = `a/${names.join('/')}/${random(['', 'x', 'y'])}`
      try {
        make(path)
      } catch {
        // A file has the name of a folder of this path.
      }
    }
    const before = tree()
    const folders = Object.keys(before).filter((path) => before[path] === 'folder')
    const from = random(folders.filter((path) => path.split('/').length > 1))
    if (!from) continue
    const to = random(
      folders
        .filter((path) => from.startsWith(`${path}/`) && path !== dirname(from))
        .concat(dirname(from)),
    )
    const label = `${from} into ${to} of ${Object.keys(before)}`
    try {
      const id = await merge(from, to)
      expect([label, tree()]).toEqual([label, merged(before, from, to)])
      await opened.tree.undo.undo(scope(), id)
      mergedCount += 1
    } catch (error) {
      if (!isFault(error, 'isDirectory', 'notDirectory')) throw new Error(label, { cause: error })
    }
    expect([label, tree()]).toEqual([label, before])
  }
  expect(mergedCount).toBeGreaterThan(50)
}, 180_000)
