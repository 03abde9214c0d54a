/** The trash counts the blocks that its content occupies, and so what its deletion would free. */

import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { linkSync, mkdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { parsePath, ROOT } from '#wire/paths.ts'
import { DAY_MS } from '#wire/units.ts'
import { JournaledTree } from '../../support/storage/journaled-tree.ts'

const TIB = 2 ** 40
const MIB = 2 ** 20

let journaled: JournaledTree
beforeEach(async () => {
  journaled = await JournaledTree.open('anna', 'ben')
})
afterEach(() => journaled.close())

const anna = () => journaled.scope({ id: 2, path: '/anna' })
const ben = () => journaled.scope({ id: 3, path: '/ben' })
const bensTrash = async () => (await journaled.tree.trash.room.ownAt(ROOT, 3)).bytes

/** Makes everything in the trash older. */
function age(ms: number): void {
  using db = new Database(journaled.database)
  db.query('UPDATE kept SET at_ms = at_ms - ?').run(ms)
}

/** A file of 1 TiB without a block. */
function makeSparse(name: string): void {
  writeFileSync(journaled.disk(name), '')
  truncateSync(journaled.disk(name), TIB)
}

test('the deletion of a sparse file deletes nothing of others, and promises no space', async () => {
  writeFileSync(journaled.disk('anna/old'), 'old')
  await anna().remove(parsePath('/old'))
  age(2 * DAY_MS)
  makeSparse('ben/disk.img')
  await ben().remove(parsePath('/disk.img'))
  expect(await journaled.tree.trash.prune()).toBe(0)
  expect(journaled.trashed()).toHaveLength(2)
  age(2 * DAY_MS)
  const { bavail, bsize } = statfsSync(journaled.disk())
  const { free } = await ben().usage(ROOT)
  expect(Math.abs(free - bavail * bsize)).toBeLessThan(TIB / 2)
  const upload = ben().fill.requireRoom(parsePath('/upload'), bavail * bsize + TIB / 2)
  await expect(upload).rejects.toMatchObject({ code: 'noSpace' })
})

test('a replaced sparse file counts as its blocks, too, and its size is still the length', async () => {
  makeSparse('ben/disk.img')
  await ben().write(parsePath('/disk.img'), Buffer.from('small'), { overwrite: true })
  expect(await bensTrash()).toBeLessThan(MIB)
  const [version] = await journaled.rows.trash.listVersions(
    journaled.disk(),
    parsePath('/ben/disk.img'),
  )
  expect(version?.sizeBytes).toBe(TIB)
})

test('a file with another name outside of the trash frees nothing, until that name is gone', async () => {
  writeFileSync(journaled.disk('ben/one'), new Uint8Array(MIB))
  linkSync(journaled.disk('ben/one'), journaled.disk('ben/two'))
  await ben().remove(parsePath('/one'))
  expect(await bensTrash()).toBeLessThan(MIB / 2)
  rmSync(journaled.disk('ben/two'))
  await journaled.tree.trash.measureAgain()
  expect(await bensTrash()).toBeGreaterThanOrEqual(MIB)
})

test('the size of a deleted folder is that of its files, not of their blocks', async () => {
  mkdirSync(journaled.disk('ben/folder/below'), { recursive: true })
  writeFileSync(journaled.disk('ben/folder/one'), 'one')
  writeFileSync(journaled.disk('ben/folder/below/three'), 'three')
  await ben().remove(parsePath('/folder'))
  const row = () => journaled.rows.trash.findByName(journaled.trashed()[0] ?? '')
  expect((await row())?.sizeBytes).toBe(-1)
  await journaled.tree.trash.prune()
  expect((await row())?.sizeBytes).toBe(8)
  expect((await row())?.diskBytes).toBeGreaterThan(8)
})

test('two names of a file in a deleted folder count once', async () => {
  mkdirSync(journaled.disk('ben/folder'))
  writeFileSync(journaled.disk('ben/folder/one'), new Uint8Array(MIB))
  linkSync(journaled.disk('ben/folder/one'), journaled.disk('ben/folder/two'))
  await ben().remove(parsePath('/folder'))
  await journaled.tree.trash.prune()
  expect(await bensTrash()).toBeGreaterThanOrEqual(MIB)
  expect(await bensTrash()).toBeLessThan(2 * MIB)
})

test('the trash counts as at most what the disk says is used', async () => {
  writeFileSync(journaled.disk('ben/file'), 'file')
  await ben().remove(parsePath('/file'))
  using db = new Database(journaled.database)
  db.query('UPDATE kept SET disk_bytes = ?').run(2 ** 50)
  age(2 * DAY_MS)
  const { total, free } = await ben().usage(ROOT)
  expect(free).toBeLessThanOrEqual(total)
  const upload = ben().fill.requireRoom(parsePath('/upload'), total + MIB)
  await expect(upload).rejects.toMatchObject({ code: 'noSpace' })
})
