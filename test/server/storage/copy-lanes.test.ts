/** Copies side by side: so many at a time, flushed together, and nothing is closed under one of them. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { fstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { CopyPool, PARALLEL_COPIES, PARALLEL_FILES } from '#server/storage/copy-pool.ts'
import { type Handle, openFolder } from '#server/storage/handle.ts'
import { FOLDER_FLAGS } from '#server/storage/local-resolve.ts'
import { CountedFlushers } from '../../support/counted-flushers.ts'
import { temporaryFolder } from '../../support/tree.ts'

const FILES = PARALLEL_COPIES

let folder: ReturnType<typeof temporaryFolder>
let flushers: CountedFlushers
let top: Handle
let lanes: CopyPool
beforeEach(() => {
  folder = temporaryFolder()
  flushers = new CountedFlushers()
  top = openFolder(folder.path)
  lanes = new CopyPool(new FlushQueue({}, flushers), top)
})
afterEach(() => {
  lanes[Symbol.dispose]()
  top.close()
  folder.remove()
})

/** New files, each in a lane that flushes it when all have begun. @returns their inodes */
async function flushedTogether(isLost = (_at: number) => false): Promise<number[]> {
  const all = Promise.withResolvers<void>()
  const inodes: number[] = []
  for (let at = 0; at < FILES; at += 1) {
    writeFileSync(join(folder.path, `${at}`), 'x')
    const file = top.child(`${at}`, 0)
    inodes.push(file.stat().ino)
    if (isLost(at)) flushers.fail(file.stat().ino)
    await lanes.begin(1, [file], async () => {
      await all.promise
      await lanes.file(file.fd)
    })
  }
  all.resolve()
  await lanes.ended()
  return inodes
}

test('files that are complete at the same time are flushed by one flush of their file system', async () => {
  const inodes = await flushedTogether()
  lanes.throwIfFailed()
  const whole = top.stat().ino
  // The first asks alone, the others share the next one.
  expect(flushers.flushed).toEqual([whole, whole])
  expect(flushers.extents).toEqual(['fileSystem', 'fileSystem'])
  expect(inodes).not.toContain(whole)
})

test('where that fails, each file says for itself whether it is on the disk', async () => {
  flushers.fail(top.stat().ino)
  const inodes = await flushedTogether()
  lanes.throwIfFailed()
  expect(flushers.flushed.toSorted()).toEqual(inodes.toSorted())
})

test('a lost write is reported once, and the next caller is flushed separately', async () => {
  const whole = top.stat().ino
  // The flush after it would succeed.
  flushers.fail(whole, 1)
  const inodes = await flushedTogether()
  lanes.throwIfFailed()
  expect(flushers.flushed.filter((inode) => inode !== whole).toSorted()).toEqual(inodes.toSorted())
})

test('a copy that cannot be flushed fails', async () => {
  flushers.fail(top.stat().ino)
  await flushedTogether((at) => at === 3)
  expect(() => lanes.throwIfFailed()).toThrow('flush')
})

test('a limited number of files is copied at a time, more wait for a flush, and only one large file is copied at a time', async () => {
  using readable = top.reopen(FOLDER_FLAGS)
  const [gate, flush] = [Promise.withResolvers<void>(), flushers.hold(top.stat().ino)]
  let begun = 0
  const copying = () => {
    begun += 1
    return gate.promise
  }
  const all = Promise.all(Array.from({ length: PARALLEL_FILES }, () => lanes.begin(1, [], copying)))
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(begun).toBe(PARALLEL_COPIES)
  gate.resolve()
  await all
  await lanes.ended()
  begun = 0
  const flushing = () => {
    begun += 1
    return lanes.file(readable.fd)
  }
  const more = Promise.all(
    Array.from({ length: PARALLEL_FILES + 6 }, () => lanes.begin(1, [], flushing)),
  )
  const large = lanes.begin(2 ** 40, [], async () => undefined)
  await flushers.begun(top.stat().ino)
  while (begun < PARALLEL_FILES) await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(begun).toBe(PARALLEL_FILES)
  flush()
  await Promise.all([more, large])
  await lanes.ended()
  expect(begun).toBe(PARALLEL_FILES + 6)
})

test('after a failure nothing begins, and handles are closed when their work has ended', async () => {
  const gate = Promise.withResolvers<void>()
  const [open, late] = [top.duplicate(), top.duplicate()]
  await lanes.begin(1, [open], () => gate.promise)
  const failed = await lanes.begin(1, [], () => Promise.reject(new Error('no')))
  await failed.completed.catch(() => undefined)
  const refused = lanes
    .begin(1, [late], async () => undefined)
    .then(
      () => 'begun',
      ({ message }) => message,
    )
  expect(await refused).toBe('no')
  expect(() => fstatSync(late.fd)).toThrow('EBADF')
  expect(fstatSync(open.fd).isDirectory()).toBe(true)
  gate.resolve()
  await lanes.ended()
  expect(() => fstatSync(open.fd)).toThrow('EBADF')
})
