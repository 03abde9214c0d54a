/** Small new files are written by the thread that asks, as long as the disk is fast. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { ShortCalls } from '#server/lib/short-calls.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { SmallFiles } from '#server/storage/local/operations/small-files.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { CountedFlushers } from '../../../../support/storage/counted-flushers.ts'

let folder: ReturnType<typeof temporaryFolder>
let parent: ReturnType<typeof openFolder>
let flushers: CountedFlushers
/** How long each reading of the clock takes. */
let stepMs: number
let nowMs: number
let files: SmallFiles

beforeEach(() => {
  folder = temporaryFolder()
  parent = openFolder(folder.path)
  flushers = new CountedFlushers()
  stepMs = 0
  nowMs = 0
  const calls = new ShortCalls(() => {
    nowMs += stepMs
    return nowMs
  })
  files = new SmallFiles(new FlushQueue({}, flushers), calls)
})
afterEach(() => {
  parent.close()
  folder.remove()
})

/** @returns whether the file is open, so that this thread has written it */
async function stage(name: string, bytes = Buffer.from('content')): Promise<boolean> {
  const content = { bytes, mode: 0o604, modifiedMs: -1000 }
  const staged = await files.stage({ parent, name }, content, async () => false)
  if ('fd' in staged) await staged.close()
  else await staged.flushed
  return 'fd' in staged
}

test('a small file is written by this thread, with its mode and time', async () => {
  expect(await stage('file')).toBe(true)
  expect(readFileSync(join(folder.path, 'file'), 'utf8')).toBe('content')
  const { mode, mtimeMs } = statSync(join(folder.path, 'file'))
  expect([mode & 0o777, mtimeMs]).toEqual([0o604, -1000])
  expect(flushers.flushed).toEqual([])
})

test('after a slow write, and for a larger file, another thread writes and flushes', async () => {
  expect(await stage('large', Buffer.alloc(1024 * 1024))).toBe(false)
  stepMs = 100
  expect(await stage('slow')).toBe(true)
  stepMs = 0
  expect(await stage('next')).toBe(false)
  nowMs += 60_000
  expect(await stage('later')).toBe(true)
  expect(flushers.flushed).toHaveLength(2)
})

test('a taken name is refused, and its file stays', async () => {
  await stage('file')
  await expect(stage('file', Buffer.from('other'))).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readdirSync(folder.path)).toEqual(['file'])
  expect(readFileSync(join(folder.path, 'file'), 'utf8')).toBe('content')
})
