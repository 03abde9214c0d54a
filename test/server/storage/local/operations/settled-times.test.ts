/** A file system that sets the time of a written file only when it is flushed, as some network file systems do. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { fstatSync, futimesSync, lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import type { Flusher } from '#server/flush/flush-threads.ts'
import { createFiles } from '#server/flush/new-file.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { markOf, type Step } from '#server/storage/step.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { CountedFlushers, flushAllBy } from '../../../../support/storage/counted-flushers.ts'
import { STORAGE_OPTIONS } from '../../../../support/storage/served.ts'

/** Sets another time of each file that it flushes. */
class SettlingFlushers extends CountedFlushers {
  override acquire(): Flusher {
    const { flush } = super.acquire()
    const settle: Flusher['flush'] = async (fd, extent) => {
      await flush(fd, extent)
      if (fstatSync(fd).isFile()) futimesSync(fd, new Date(), new Date(Date.now() - 28_000))
    }
    return {
      flush: settle,
      flushAll: flushAllBy(settle),
      create: (files, { onWritten }) =>
        createFiles(files, { flush: (fd) => settle(fd, 'file'), onWritten }),
    }
  }
}

let folder: ReturnType<typeof temporaryFolder>
let storage: LocalStorage
beforeEach(async () => {
  folder = temporaryFolder()
  const flushes = new FlushQueue({}, new SettlingFlushers())
  storage = await LocalStorage.open(folder.path, { ...STORAGE_OPTIONS, flushes })
})
afterEach(() => {
  storage.close()
  folder.remove()
})

test('the record of a write that is on the disk has the mark of the published file', async () => {
  const path = join(folder.path, 'file')
  writeFileSync(join(folder.path, 'other'), '')
  for (const content of ['new', 'saved']) {
    const steps: Step[] = []
    /** What a restart would find in the journal. */
    const onDisk: Step[] = []
    await storage.write(parsePath('/file'), new TextEncoder().encode(content), {
      overwrite: true,
      keepRemoved: true,
      record: async (recorded) => {
        steps.push(...recorded)
        onDisk.push(...structuredClone(recorded))
      },
    })
    const mark = markOf(lstatSync(path, { bigint: true }))
    const happened = steps.filter((step) => step.happened)
    expect(happened.map(({ kind, after }) => [kind, after])).toEqual([
      [content === 'new' ? 'made' : 'replaced', mark],
    ])
    expect(onDisk.at(-1)?.after).toBe(mark)
    const kept = happened.flatMap((step) => (step.kept ? [step.kept] : []))
    expect(kept.length).toBe(content === 'new' ? 0 : 1)
    for (const name of kept) expect(storage.can.trash?.mark(name)).toBeDefined()
  }
})
