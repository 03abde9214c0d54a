/** Writes that share flushes, and the order of the flushes. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { createFiles } from '#server/flush/new-file.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { CountedFlushers, flushAllBy } from '../../../support/storage/counted-flushers.ts'
import { code, STORAGE_OPTIONS } from '../../../support/storage/served.ts'

const FILES = 40
const bytes = new TextEncoder().encode('content')

let folder: ReturnType<typeof temporaryFolder>
let flushers: CountedFlushers
let storage: LocalStorage
const disk = (name: string) => join(folder.path, name)
const inodeOf = (name: string) => statSync(disk(name)).ino
beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(disk('to'))
  flushers = new CountedFlushers()
  const flushes = new FlushQueue({}, flushers)
  storage = await LocalStorage.open(folder.path, { ...STORAGE_OPTIONS, flushes })
})
afterEach(() => {
  storage.close()
  folder.remove()
})

const write = (name: string) =>
  storage.write(parsePath(`/to/${name}`), bytes, {
    overwrite: true,
    keepRemoved: true,
    record: async () => undefined,
  })

/** Waits until a condition is true. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate)
}

test('concurrent writes share the flushes of their folder', async () => {
  const to = inodeOf('to')
  const release = flushers.hold(to)
  const first = write('first')
  await flushers.begun(to)
  const others = Array.from({ length: FILES }, (_, at) => write(`${at}`))
  await until(() => readdirSync(disk('to')).length === FILES + 1)
  release()
  await Promise.all([first, ...others])
  const flushesOf = (inode: number) => flushers.flushed.filter((other) => other === inode).length
  expect(flushesOf(to)).toBe(2)
  // Each file has its own flush, and a folder that did not change has none.
  expect(flushers.flushed).toHaveLength(FILES + 1 + 2)
})

test('a name appears after the content and the journal entry are on the disk', async () => {
  const entry = Promise.withResolvers<void>()
  let told = false
  const done = storage.write(parsePath('/to/file'), bytes, {
    overwrite: false,
    record: () => {
      told = true
      return entry.promise
    },
  })
  await until(() => told && flushers.flushed.length === 1)
  expect(existsSync(disk('to/file'))).toBe(false)
  entry.resolve()
  await done
  expect(flushers.flushed).toEqual([inodeOf('to/file'), inodeOf('to')])
})

test('a confirmed change and the version that it replaced are on the disk', async () => {
  await write('file')
  const old = inodeOf('to/file')
  const trash = inodeOf('.filemgr/trash')
  flushers.flushed.length = 0
  const [to, releases] = [inodeOf('to'), [flushers.hold(inodeOf('to')), flushers.hold(trash)]]
  let answered = false
  const done = write('file').then(() => {
    answered = true
  })
  await Promise.all([flushers.begun(to), flushers.begun(trash)])
  expect(inodeOf('to/file')).not.toBe(old)
  releases[0]?.()
  await until(() => flushers.flushed.includes(to))
  expect(answered).toBe(false)
  releases[1]?.()
  await done
})

test('a name that another writer took during the flush keeps the file of that writer', async () => {
  let calls = 0
  const writing = storage.write(parsePath('/to/file'), bytes, {
    overwrite: false,
    accept: (existing) => {
      calls += existing ? 10 : 1
    },
    record: async () => {
      await write('file')
    },
  })
  expect(await code(writing)).toBe('conflict')
  // Called once more right before the change of the name.
  expect(calls).toBe(11)
})

test('a right that ends during the write prevents the change', async () => {
  let mayWrite = true
  const writing = storage.write(parsePath('/to/file'), bytes, {
    overwrite: false,
    accept: () => {
      if (!mayWrite) throw new Fault('forbidden', 'no')
    },
    record: async () => {
      mayWrite = false
    },
  })
  expect(await code(writing)).toBe('forbidden')
  expect(existsSync(disk('to/file'))).toBe(false)
})

test('content that cannot be flushed is not published', async () => {
  const failing = new CountedFlushers()
  const original = failing.acquire.bind(failing)
  const flush = async (fd: number) => {
    const { ino } = statSync(`/proc/self/fd/${fd}`)
    failing.fail(ino)
    await original().flush(fd, 'file')
  }
  failing.acquire = () => ({
    flush,
    flushAll: flushAllBy(flush),
    create: (files, { onWritten }) => createFiles(files, { flush, onWritten }),
  })
  const other = await LocalStorage.open(disk('to'), {
    ...STORAGE_OPTIONS,
    flushes: new FlushQueue({}, failing),
  })
  expect(await code(other.write(parsePath('/file'), bytes, { overwrite: false }))).toBe('internal')
  expect(existsSync(disk('to/file'))).toBe(false)
  other.close()
})
