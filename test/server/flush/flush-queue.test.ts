/** Flushes that several callers share. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeSync, fstatSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { FLUSHES_WAITING_MAX, FlushQueue, type SharedTarget } from '#server/flush/flush-queue.ts'
import { type Flusher, FlushThreads } from '#server/flush/flush-threads.ts'
import { createFiles } from '#server/flush/new-file.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { CountedFlushers } from '../../support/storage/counted-flushers.ts'
import { code } from '../../support/storage/served.ts'

/** No process opens so many files. */
const NOT_OPEN = 2 ** 30

let folder: ReturnType<typeof temporaryFolder>
let flushers: CountedFlushers
let queue: FlushQueue
let opened: number[]
beforeEach(() => {
  folder = temporaryFolder()
  flushers = new CountedFlushers()
  queue = new FlushQueue({}, flushers)
  opened = []
})
afterEach(() => {
  queue.close()
  for (const fd of opened) closeSync(fd)
  folder.remove()
})

/** Creates and opens a file with content. */
function file(name: string): { fd: number; inode: number; target: SharedTarget } {
  const fd = openSync(join(folder.path, name), 'w')
  opened.push(fd)
  writeSync(fd, name)
  const target = { key: name, open: () => fd, close: () => undefined }
  return { fd, inode: fstatSync(fd).ino, target }
}

/** @returns the number of the system error that a flush fails with; undefined if it succeeds */
function errno(flush: Promise<void>): Promise<string | undefined> {
  return flush.then(
    () => undefined,
    ({ code }: { code: string }) => code,
  )
}

test('a single flush begins at once', () => {
  const { inode, target } = file('log')
  const release = flushers.hold(inode)
  const done = queue.shared(target)
  expect(flushers.running).toEqual([inode])
  release()
  return done
})

test('callers that ask while a flush runs share the next one', async () => {
  const { inode, target } = file('log')
  const release = flushers.hold(inode)
  const first = queue.shared(target)
  let answered = 0
  const others = Array.from({ length: 20 }, () =>
    queue.shared(target).then(() => {
      answered += 1
    }),
  )
  const again = flushers.hold(inode)
  release()
  await first
  // Changes after the start of a flush are on the disk only after the next one.
  await flushers.begun(inode)
  expect(answered).toBe(0)
  again()
  await Promise.all(others)
  expect(flushers.flushed).toEqual([inode, inode])
  expect(flushers.mostOfOne).toBe(1)
})

test('different files are flushed in parallel', async () => {
  const files = Array.from({ length: 5 }, (_, at) => file(`file ${at}`))
  const releases = files.map(({ inode }) => flushers.hold(inode))
  const done = files.map(({ fd }) => queue.file(fd))
  expect(flushers.most).toBe(5)
  for (const release of releases) release()
  await Promise.all(done)
})

test('quick flushes of one turn are one task, and each reports its own failure', async () => {
  const files = ['one', 'two', 'three'].map(file)
  const failing = files[1]?.inode ?? 0
  flushers.fail(failing)
  const results = files.map(({ target }) => errno(queue.shared({ ...target, isQuick: true })))
  // The same target, and another one, in the same turn.
  results.push(errno(queue.file(file('four').fd, { isQuick: true })))
  const again = queue.shared({ ...(files[0]?.target ?? expect.unreachable()), isQuick: true })
  expect(flushers.running).toEqual([])
  expect(await Promise.all(results)).toEqual([undefined, 'EIO', undefined, undefined])
  await again
  expect(flushers.tasks).toBe(1)
  expect(flushers.flushed).toHaveLength(3)
})

test('a flush that begins at once does not begin the quick ones of the turn', async () => {
  const first = queue.file(file('one').fd, { isQuick: true })
  const atOnce = queue.file(file('at once').fd)
  const second = queue.file(file('two').fd, { isQuick: true })
  await Promise.all([first, atOnce, second])
  // One task for the file, and one for both quick flushes.
  expect([flushers.tasks, flushers.flushed.length]).toEqual([2, 3])
})

test('a quick flush of a target that is being flushed begins when that has ended', async () => {
  const { inode, target } = file('folder')
  const release = flushers.hold(inode)
  const first = queue.shared({ ...target, isQuick: true })
  await flushers.begun(inode)
  const second = queue.shared({ ...target, isQuick: true })
  await queue.file(file('other').fd, { isQuick: true })
  expect(flushers.flushed).not.toContain(inode)
  release()
  await Promise.all([first, second])
  expect(flushers.flushed.filter((flushed) => flushed === inode)).toHaveLength(2)
  expect(flushers.mostOfOne).toBe(1)
})

test('threads flush several files in one task', async () => {
  const real = new FlushQueue({}, new FlushThreads())
  for (let round = 0; round < 20; round += 1) {
    const files = Array.from({ length: 20 }, (_, at) => file(`${round} ${at}`))
    await Promise.all(files.map(({ fd }) => real.file(fd, { isQuick: true })))
    const results = [NOT_OPEN, file('open').fd].map((fd) => errno(real.file(fd, { isQuick: true })))
    expect(await Promise.all(results)).toEqual(['EBADF', undefined])
  }
  real.close()
})

test('a flush that fails does so for all callers that share it, and another file is flushed after it', async () => {
  const { inode, target } = file('log')
  flushers.fail(inode)
  const failed = [queue.shared(target), queue.shared(target), queue.shared(target)].map((done) =>
    done.then(
      () => 'done',
      (error: { code: string }) => error.code,
    ),
  )
  expect(await Promise.all(failed)).toEqual(['EIO', 'EIO', 'EIO'])
  const { fd, inode: other } = file('other')
  await queue.file(fd)
  expect(flushers.flushed).toEqual([other])
})

test('a file that cannot be opened fails, and blocks no other flush', async () => {
  const broken = {
    key: 'broken',
    open: () => {
      throw Object.assign(new Error('open'), { code: 'ENOENT' })
    },
    close: () => undefined,
  }
  await queue.shared(broken).then(
    () => expect.unreachable(),
    (error) => expect(error.code).toBe('ENOENT'),
  )
  await queue.file(file('other').fd)
})

test('a bounded number of flushes may wait', async () => {
  const none = { ...flushers, onFree: () => undefined, acquire: () => undefined }
  const full = new FlushQueue({}, { ...none, release: () => undefined, close: () => undefined })
  const { fd } = file('file')
  for (let at = 0; at < FLUSHES_WAITING_MAX; at += 1) void full.file(fd)
  expect(await code(full.file(fd))).toBe('unavailable')
})

test('nothing is flushed where durability is relaxed', async () => {
  const relaxed = new FlushQueue({ relaxed: true }, flushers)
  const { fd, target } = file('file')
  await relaxed.file(fd)
  await relaxed.shared(target)
  expect(flushers.flushed).toEqual([])
})

test('more threads start when several flushes wait, and failures have the code of the system error', async () => {
  const threads = new FlushThreads()
  const real = new FlushQueue({}, threads)
  // The flushers that `real` has got; undefined where the limit of threads was reached.
  const taken: unknown[] = []
  const take = threads.acquire.bind(threads)
  threads.acquire = (extent) => {
    const flusher = take(extent)
    taken.push(flusher)
    return flusher
  }
  const { fd } = file('file')
  // Flushes until a second thread has taken a part of them.
  while (new Set(taken.filter(Boolean)).size < 2) {
    await Promise.all(Array.from({ length: 8 }, () => real.file(fd)))
  }
  const failures = Array.from({ length: 8 }, () =>
    real.file(NOT_OPEN).then(
      () => 'done',
      (error: { code: string }) => error.code,
    ),
  )
  expect(new Set(await Promise.all(failures))).toEqual(new Set(['EBADF']))
  const whole = { key: 'whole', extent: 'fileSystem', close: () => undefined } as const
  await real.shared({ ...whole, open: () => fd })
  expect(await code(real.shared({ ...whole, open: () => NOT_OPEN }))).toMatchObject({
    code: 'EBADF',
  })
  real.close()
})

test('work that comes while all threads are ending gets a new one', async () => {
  const threads = new FlushThreads(300)
  const { fd } = file('flushed')
  const taken: Flusher[] = []
  while (taken.length < 3) {
    const free = new Promise<void>((resolve) => {
      threads.onFree = resolve
    })
    const flusher = threads.acquire('fileSystem')
    if (flusher) taken.push(flusher)
    else await free
  }
  await Promise.all(taken.map((flusher) => flusher.flush(fd, 'file')))
  for (const flusher of taken) threads.release(flusher)
  const free = new Promise<void>((resolve) => {
    threads.onFree = resolve
  })
  for (;;) {
    const flusher = threads.acquire('fileSystem')
    if (!flusher) break
    threads.release(flusher)
    await new Promise(setImmediate)
  }
  await free
  threads.close()
})

test('a new file has its mode and time, is flushed, and reports if that fails', async () => {
  const bytes = new TextEncoder().encode('content')
  const path = join(folder.path, 'new')
  const created = await queue.create({ path, bytes, mode: 0o604, modifiedMs: 1_000_000_000_000 })
  await created.flushed
  const { ino, mode, mtimeMs } = statSync(path)
  expect([mode & 0o777, mtimeMs]).toEqual([0o604, 1_000_000_000_000])
  expect(flushers.flushed).toEqual([ino])
  await expect(queue.create({ path, bytes, mode: 0o604 })).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(path, 'utf8')).toBe('content')
  rmSync(path)
  flushers.acquire = () => ({
    flush: async () => undefined,
    flushAll: async () => [],
    create: (files, { onWritten }) =>
      createFiles(files, {
        flush: () => {
          throw Object.assign(new Error('flush'), { code: 'EIO' })
        },
        onWritten,
      }),
  })
  const { flushed } = await queue.create({ path, bytes, mode: 0o604 })
  await expect(flushed).rejects.toMatchObject({ code: 'EIO' })
})
