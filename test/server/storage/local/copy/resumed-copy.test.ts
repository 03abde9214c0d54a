/** A copy that continues checks the files that are already copied, for a move by hash. */
import { expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { relocate, relocateAhead } from '#server/storage/local/copy/relocate.ts'
import { copiesIn, ResumedCopy, removeCopy } from '#server/storage/local/copy/resumed-copy.ts'
import { mustHaveSameBytes } from '#server/storage/local/copy/same-bytes.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { Volumes } from '#server/storage/local/volumes/volumes.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { code, serveForEach } from '../../../../support/storage/served.ts'

const served = serveForEach({ root: 'root' })
const disk = (...names: string[]) => join(served.path, 'root', ...names)
const at = parsePath

/** Callbacks that record their calls. `mayCopy` may stop the copy. */
function recordingCallbacks(mayCopy: (path: string) => boolean = () => true) {
  const seen: string[] = []
  let [bytes, files] = [0, 0]
  const resumable = {
    name: 'copy',
    next(path: string) {
      if (!mayCopy(path)) throw new Fault('aborted', 'stopped')
      seen.push(path)
    },
    copied(count: number) {
      bytes += count
    },
    done() {
      files += 1
    },
  }
  return { resumable, seen, counts: () => [files, bytes] }
}

function fill(): void {
  mkdirSync(disk('tree/deep'), { recursive: true })
  writeFileSync(disk('tree/a'), 'aaaa')
  writeFileSync(disk('tree/deep/b'), 'bb')
  symlinkSync('a', disk('tree/link'))
}

test('a stopped copy is invisible; after it continues, it is complete and no partial copy is left', async () => {
  fill()
  const first = recordingCallbacks((path) => !path.endsWith('b'))
  const copy = (of: ReturnType<typeof recordingCallbacks>) =>
    code(served.storage.copy(at('/tree'), at('/to'), { overwrite: false, resumable: of.resumable }))
  expect(await copy(first)).toBe('aborted')
  expect(existsSync(disk('to'))).toBe(false)
  expect(readdirSync(disk('.filemgr/jobs'))).toEqual(['copy'])
  // Changes before the copy continues are detected.
  writeFileSync(disk('tree/a'), 'changed')
  rmSync(disk('tree/link'))
  const second = recordingCallbacks()
  expect(await copy(second)).toBe('no fault')
  expect(readdirSync(disk('to')).sort()).toEqual(['a', 'deep'])
  expect(readFileSync(disk('to/a'), 'utf8')).toBe('changed')
  expect(second.counts()).toEqual([2, 'changedbb'.length])
  expect(existsSync(disk('.filemgr/jobs'))).toBe(false)
})

/** Changes the content of a file, and restores its time, as programs for encrypted containers do. */
function changeUnseen(path: string, content: string): void {
  const { atimeMs, mtimeMs } = statSync(path)
  writeFileSync(path, content)
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
}

/** Copies the tree. @returns the numbers of files and bytes that were reported, and of files that were copied */
async function copyTree(options: { accept?: () => void } = {}) {
  let newFiles = 0
  const { resumable, counts } = recordingCallbacks()
  const beforeNewFile = () => {
    newFiles += 1
  }
  const request = { overwrite: false, resumable: { ...resumable, beforeNewFile }, ...options }
  const outcome = await code(served.storage.copy(at('/tree'), at('/to'), request))
  return [outcome, ...counts(), newFiles]
}
/** Stops a copy right before it is published. */
const refuse = () => {
  throw new Fault('forbidden', 'not now')
}

test('a copy that continues copies a file again whose content was changed with the same size and time', async () => {
  fill()
  rmSync(disk('tree/link'))
  // A time in whole seconds is restored exactly.
  utimesSync(disk('tree/a'), 1000, 1000)
  expect(await copyTree({ accept: refuse })).toEqual(['forbidden', 2, 6, 2])
  changeUnseen(disk('tree/a'), 'AAAA')
  expect(await copyTree()).toEqual(['no fault', 2, 6, 1])
  expect(readFileSync(disk('to/a'), 'utf8')).toBe('AAAA')
})

test('a copy that continues keeps the copies of files that were not changed, or only in their attributes', async () => {
  fill()
  rmSync(disk('tree/link'))
  expect(await copyTree({ accept: refuse })).toEqual(['forbidden', 2, 6, 2])
  chmodSync(disk('tree/a'), 0o600)
  expect(await copyTree()).toEqual(['no fault', 2, 6, 0])
  expect(readFileSync(disk('to/a'), 'utf8')).toBe('aaaa')
})

test('a move that continues compares a file again that was changed with the same size and time', async () => {
  fill()
  using root = openFolder(disk())
  const volumes = await Volumes.open(root, new FlushQueue())
  using volume = await volumes.use(root)
  const source = { parent: root, name: 'tree' }
  // The job remembers which files it has compared, also while it is paused.
  const resumable = { ...recordingCallbacks().resumable, compared: new Map<string, string>() }
  const copyAhead = async () => {
    using copy = new ResumedCopy(volume.folder, { resumable, pathOf: () => at('/x') })
    await relocateAhead(source, copy.staged, volumes.flushes, copy)
  }
  utimesSync(disk('tree/a'), 1000, 1000)
  await copyAhead()
  changeUnseen(disk('tree/a'), 'AAAA')
  await copyAhead()
  expect(readFileSync(disk('.filemgr/jobs/copy/tree/a'), 'utf8')).toBe('AAAA')
  await removeCopy(volume.folder, 'copy')
  volumes.close()
})

test('a moved file is compared once, although the move gives it a hidden name before its second check', async () => {
  writeFileSync(disk('single'), 'content')
  using root = openFolder(disk())
  const volumes = await Volumes.open(root, new FlushQueue())
  using volume = await volumes.use(root)
  let compared = 0
  class Compared extends Map<string, string> {
    override set(key: string, value: string) {
      compared += 1
      return super.set(key, value)
    }
  }
  const resumable = { ...recordingCallbacks().resumable, compared: new Compared() }
  {
    using copy = new ResumedCopy(volume.folder, { resumable, pathOf: () => at('/x') })
    const source = { parent: root, name: 'single' }
    await relocateAhead(source, copy.staged, volumes.flushes, copy)
    renameSync(disk('single'), disk('hidden'))
    await relocate({ parent: root, name: 'hidden' }, copy.staged, volumes.flushes, copy)
  }
  expect(compared).toBe(1)
  await removeCopy(volume.folder, 'copy')
  volumes.close()
})

test('the check of many copied files delays no other request', async () => {
  mkdirSync(disk('tree'))
  for (let file = 0; file < 1200; file += 1) writeFileSync(disk(`tree/f${file}`), 'x')
  const { resumable } = recordingCallbacks()
  const options = { overwrite: false, resumable, accept: refuse }
  expect(await code(served.storage.copy(at('/tree'), at('/to'), options))).toBe('forbidden')
  let [checks, others] = [0, 0]
  const seen = {
    ...recordingCallbacks().resumable,
    next() {
      checks += 1
    },
  }
  const between = () => {
    if (checks > 0 && checks < 1200) others += 1
    if (checks < 1200) setImmediate(between)
  }
  setImmediate(between)
  await served.storage.copy(at('/tree'), at('/to'), { overwrite: false, resumable: seen })
  expect(checks).toBe(1200)
  expect(others).toBeGreaterThan(3)
})

test('a large file is stopped between two parts', async () => {
  writeFileSync(disk('large'), Buffer.alloc(20 * 1024 * 1024, 'x'))
  // A file with a hole is always copied in parts: a file system that can would clone another at once.
  truncateSync(disk('large'), 21 * 1024 * 1024)
  let parts = 0
  const resumable = {
    name: 'copy',
    next: () => undefined,
    done: () => undefined,
    copied() {
      parts += 1
      if (parts === 2) throw new Fault('aborted', 'stopped')
    },
  }
  const options = { overwrite: false, resumable }
  expect(await code(served.storage.copy(at('/large'), at('/to'), options))).toBe('aborted')
  expect([parts, existsSync(disk('to'))]).toEqual([2, false])
})

test('the partial copy of a stopped copy is listed by its name, and can be removed', async () => {
  fill()
  const { resumable } = recordingCallbacks((path) => !path.endsWith('b'))
  await code(served.storage.copy(at('/tree'), at('/to'), { overwrite: false, resumable }))
  expect(await served.storage.can.copies?.()).toEqual(['copy'])
  await served.storage.can.removeCopy?.('copy', at('/to'))
  expect(await served.storage.can.copies?.()).toEqual([])
  expect(existsSync(disk('.filemgr/jobs'))).toBe(false)
})

test('a move compares the files that an earlier process has copied by hash', async () => {
  fill()
  using root = openFolder(disk())
  const volumes = await Volumes.open(root, new FlushQueue())
  using volume = await volumes.use(root)
  const source = { parent: root, name: 'tree' }
  const make = () =>
    new ResumedCopy(volume.folder, {
      resumable: recordingCallbacks().resumable,
      pathOf: () => at('/x'),
    })
  {
    using copy = make()
    await relocateAhead(source, copy.staged, volumes.flushes, copy)
  }
  const staged = disk('.filemgr/jobs/copy/tree/a')
  const { atimeMs, mtimeMs } = statSync(staged)
  writeFileSync(staged, 'AAAA')
  utimesSync(staged, atimeMs / 1000, mtimeMs / 1000)
  using copy = make()
  await relocate(source, copy.staged, volumes.flushes, copy)
  expect(readFileSync(staged, 'utf8')).toBe('aaaa')
  expect(copiesIn(volume.folder)).toEqual(['copy'])
  await removeCopy(volume.folder, 'copy')
  volumes.close()
})

test('a copy that differs from its source is reported', async () => {
  fill()
  using root = openFolder(disk())
  using file = root.child('tree', 0)
  using source = file.child('a', 0)
  expect(await code(mustHaveSameBytes(source, disk('tree/a')))).toBe('no fault')
  expect(await code(mustHaveSameBytes(source, disk('tree/deep/b')))).toBe('conflict')
})
