/** The index of names notices changes by other programs, whenever they happen. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IndexThread } from '#server/index/index-thread.ts'
import type { NameBatch } from '#server/index/protocol.ts'
import { splitAtNul } from '#server/index/sent-names.ts'
import { TreeReader } from '#server/storage/local/confine/tree-reader.ts'
import { handleAt } from '#server/storage/portable/handle-at.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

/** Enough folders that a check lets other work go first. */
const FOLDER_COUNT = 3000

let folder: ReturnType<typeof temporaryFolder>
let root: number
beforeEach(() => {
  folder = temporaryFolder()
  root = openSync(folder.path, 'r')
})
afterEach(() => {
  closeSync(root)
  folder.remove()
})

test('a file that another program creates during a check is found by a search that begins then', async () => {
  for (let index = 0; index < FOLDER_COUNT; index += 1) mkdirSync(join(folder.path, `${index}`))
  const { index, found } = await openIndex()
  // The check passes the root first. This does not wait for its end.
  await index.sizes(ROOT)
  writeFileSync(join(folder.path, 'created'), '')
  expect(await found(ROOT, 'created')).toEqual(['created'])
})

test('a folder that another program has replaced is searched, and not the one that was there', async () => {
  const searched = join(folder.path, 'searched')
  mkdirSync(searched)
  writeFileSync(join(searched, 'x-old'), '')
  const { found } = await openIndex()
  // The old folder still exists, so that the new one has another inode.
  using elsewhere = { ...temporaryFolder(), [Symbol.dispose]: () => elsewhere.remove() }
  renameSync(searched, join(elsewhere.path, 'old'))
  mkdirSync(searched)
  writeFileSync(join(searched, 'x-new'), '')
  expect(await found(parsePath('/searched'), 'x')).toEqual(['x-new'])
})

test('a folder that has just changed is read again, because its time may stay the same', () => {
  mkdirSync(join(folder.path, 'new'))
  using reader = new TreeReader(handleAt(root), { files: [], folders: [] })
  const { version } = reader.read(ROOT)
  expect(version.modifiedMs).toBe(Number.NaN)
  expect(reader.version(ROOT)).toMatchObject({ ino: version.ino, changedMs: version.changedMs })
})

test('everything is looked at again when anything may have changed', async () => {
  mkdirSync(join(folder.path, 'deep/inner'), { recursive: true })
  const { index, found } = await openIndex(Number.POSITIVE_INFINITY)
  writeFileSync(join(folder.path, 'deep/inner/new'), '')
  expect(await found(ROOT, 'new')).toEqual([])
  index.changed([ROOT])
  expect(await found(ROOT, 'new')).toEqual(['deep/inner/new'])
})

/**
 * Opens an index. `found` returns the paths that a search sends.
 *
 * @param freshMs how long it does not look at the disk
 */
async function openIndex(freshMs = 0) {
  const batches: NameBatch[] = []
  const request = {
    root,
    ownPaths: { files: [], folders: [] },
    file: '',
    madeFrom: '',
    memoryBytes: 2 ** 28,
    freshMs,
    readAgainMs: Number.POSITIVE_INFINITY,
  }
  const index = new IndexThread(request, (response) => {
    if ('batch' in response) batches.push(response.batch)
  })
  await index.open()
  const found = async (path: TreePath, query: string) => {
    await index.search(1, path, query)
    return batches.flatMap(({ paths }) => splitAtNul(paths))
  }
  return { index, found }
}
