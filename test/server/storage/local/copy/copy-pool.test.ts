/** Parallel copies: their limit, their shared flushes, and when their handles are closed. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { fstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { CopyPool, PARALLEL_COPIES, PARALLEL_FILES } from '#server/storage/local/copy/copy-pool.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import type { Handle } from '#server/storage/local/handles/handle.ts'
import { FOLDER_FLAGS } from '#server/storage/local/handles/resolve.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { CountedFlushers } from '../../../../support/storage/counted-flushers.ts'

const FILES = PARALLEL_COPIES

let folder: ReturnType<typeof temporaryFolder>
let flushers: CountedFlushers
let top: Handle
let pool: CopyPool
beforeEach(() => {
  folder = temporaryFolder()
  flushers = new CountedFlushers()
  top = openFolder(folder.path)
  pool = new CopyPool(new FlushQueue({}, flushers), top)
})
afterEach(() => {
  pool[Symbol.dispose]()
  top.close()
  folder.remove()
})

/** Creates files, and starts a task for each that flushes it when all tasks have started. @returns their inodes */
async function flushedTogether(isLost = (_at: number) => false): Promise<number[]> {
  const all = Promise.withResolvers<void>()
  const inodes: number[] = []
  for (let at = 0; at < FILES; at += 1) {
    writeFileSync(join(folder.path, `${at}`), 'x')
    const file = top.child(`${at}`, 0)
    inodes.push(file.stat().ino)
    if (isLost(at)) flushers.fail(file.stat().ino)
    await pool.begin(1, [file], async () => {
      await all.promise
      await pool.file(file.fd)
    })
  }
  all.resolve()
  await pool.ended()
  return inodes
}

test('files that are complete at the same time are flushed by one flush of their file system @spec-7.56', async () => {
  const inodes = await flushedTogether()
  pool.throwIfFailed()
  const whole = top.stat().ino
  // The first asks alone, the others share the next one.
  expect(flushers.flushed).toEqual([whole, whole])
  expect(flushers.extents).toEqual(['fileSystem', 'fileSystem'])
  expect(inodes).not.toContain(whole)
})

test('after a failed flush of the file system, each file is flushed separately', async () => {
  flushers.fail(top.stat().ino)
  const inodes = await flushedTogether()
  pool.throwIfFailed()
  expect(flushers.flushed.toSorted()).toEqual(inodes.toSorted())
})

test('after a failed flush of the file system, no later flush of it counts for a file', async () => {
  const whole = top.stat().ino
  // The next flush of the file system would succeed.
  flushers.fail(whole, 1)
  const inodes = await flushedTogether()
  pool.throwIfFailed()
  expect(flushers.flushed.filter((inode) => inode !== whole).toSorted()).toEqual(inodes.toSorted())
})

test('a copy of which neither file system nor file can be flushed fails', async () => {
  flushers.fail(top.stat().ino)
  await flushedTogether((at) => at === 3)
  expect(() => pool.throwIfFailed()).toThrow('flush')
})

test('a limited number of files is copied at a time, more wait for a flush, and only one large file is copied at a time', async () => {
  using readable = top.reopen(FOLDER_FLAGS)
  const [gate, flush] = [Promise.withResolvers<void>(), flushers.hold(top.stat().ino)]
  let begun = 0
  const copying = () => {
    begun += 1
    return gate.promise
  }
  const all = Promise.all(Array.from({ length: PARALLEL_FILES }, () => pool.begin(1, [], copying)))
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(begun).toBe(PARALLEL_COPIES)
  gate.resolve()
  await all
  await pool.ended()
  begun = 0
  const flushing = () => {
    begun += 1
    return pool.file(readable.fd)
  }
  const more = Promise.all(
    Array.from({ length: PARALLEL_FILES + 6 }, () => pool.begin(1, [], flushing)),
  )
  const large = pool.begin(2 ** 40, [], async () => undefined)
  await flushers.begun(top.stat().ino)
  while (begun < PARALLEL_FILES) await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(begun).toBe(PARALLEL_FILES)
  flush()
  await Promise.all([more, large])
  await pool.ended()
  expect(begun).toBe(PARALLEL_FILES + 6)
})

test('after a failure no task starts, and the handles of a running task stay open until it ends', async () => {
  const gate = Promise.withResolvers<void>()
  const [open, late] = [top.duplicate(), top.duplicate()]
  await pool.begin(1, [open], () => gate.promise)
  const failed = await pool.begin(1, [], () => Promise.reject(new Error('no')))
  await failed.completed.catch(() => undefined)
  const refused = pool
    .begin(1, [late], async () => undefined)
    .then(
      () => 'begun',
      ({ message }) => message,
    )
  expect(await refused).toBe('no')
  expect(() => fstatSync(late.fd)).toThrow('EBADF')
  expect(fstatSync(open.fd).isDirectory()).toBe(true)
  gate.resolve()
  await pool.ended()
  expect(() => fstatSync(open.fd)).toThrow('EBADF')
})
