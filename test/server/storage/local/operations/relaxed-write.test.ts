/** Small new files while nothing is flushed: they are written and closed at once. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { WriteOptions } from '#server/storage/storage.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { CountedFlushers } from '../../../../support/storage/counted-flushers.ts'
import { STORAGE_OPTIONS } from '../../../../support/storage/served.ts'

const MODE_BITS = 0o7777

let folder: ReturnType<typeof temporaryFolder>
let flushers: CountedFlushers
let storage: LocalStorage
let umask: number
const disk = (name: string) => join(folder.path, name)
const modeOf = (name: string) => statSync(disk(name)).mode & MODE_BITS

beforeEach(async () => {
  umask = process.umask(0o022)
  folder = temporaryFolder()
  flushers = new CountedFlushers()
  const flushes = new FlushQueue({ relaxed: true }, flushers)
  storage = await LocalStorage.open(folder.path, { ...STORAGE_OPTIONS, flushes })
})
afterEach(() => {
  storage.close()
  folder.remove()
  process.umask(umask)
})

const write = (name: string, options: Partial<WriteOptions> = {}) =>
  storage.write(parsePath(`/${name}`), new TextEncoder().encode('new'), {
    overwrite: true,
    ...options,
  })

test('a new file has its content and its mode, and nothing is flushed', async () => {
  await write('file')
  await write('program', { isExecutable: true })
  expect(readFileSync(disk('file'), 'utf8')).toBe('new')
  expect([modeOf('file'), modeOf('program')]).toEqual([0o640, 0o750])
  expect(flushers.flushed).toEqual([])
})

test('a new file has the mode of the options, also if the umask of the server is stricter', async () => {
  process.umask(0o077)
  await write('file')
  expect(modeOf('file')).toBe(0o640)
})

test('a new file has the time of the request', async () => {
  await write('file', { modifiedMs: 1_000_000_000_000 })
  expect(statSync(disk('file')).mtimeMs).toBe(1_000_000_000_000)
})

test('a file that another program creates during the write passes its mode on to the new content', async () => {
  let asked = 0
  await write('file', {
    accept() {
      asked += 1
      if (asked > 1) return
      writeFileSync(disk('file'), 'theirs')
      chmodSync(disk('file'), 0o604)
    },
  })
  expect(asked).toBeGreaterThan(1)
  expect(readFileSync(disk('file'), 'utf8')).toBe('new')
  expect(modeOf('file')).toBe(0o604)
  expect(readdirSync(folder.path).sort()).toEqual(['.filemgr', 'file'])
})
