/** An extraction writes small files in parallel. */
import { expect, test } from 'bun:test'
import { Scope } from '#server/access/scope/scope.ts'
import type { StoredItem, StoredJob } from '#server/db/rows/job-rows.ts'
import type { JobContext } from '#server/jobs/context/job-context.ts'
import { JobMeter } from '#server/jobs/context/meter.ts'
import { extractItem } from '#server/jobs/kinds/extract.ts'
import { endsJob } from '#server/jobs/run-result.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { zipOf } from '../../../support/files/made-archives.ts'
import { actorOf } from '../../../support/storage/actor.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { code } from '../../../support/storage/served.ts'

const ARCHIVE = parsePath('/a.zip')

/** A storage whose parts are the storage itself. */
class OwnStorage extends MemoryStorage {
  override within(): this {
    return this
  }
}

/** A storage without space for one file. */
class FullStorage extends OwnStorage {
  override async write(...args: Parameters<MemoryStorage['write']>) {
    if (args[0] === parsePath('/to/first')) throw new Fault('noSpace', 'There is no space left.')
    return super.write(...args)
  }
}

/** Runs an extraction of the archive, of which an earlier run has written `created`. */
async function extract(storage: MemoryStorage, item: StoredItem, created: TreePath[] = []) {
  const actor = actorOf({ id: 1, username: 'anna', perm: permissionsOf('create', 'download') })
  const scope = new Scope(storage, actor, NO_SHARES, async () => undefined)
  const context: JobContext = {
    job: { to: parsePath('/to') } as StoredJob,
    meter: new JobMeter(),
    items: async () => [item],
    saveItem: async () => undefined,
    replaceParts: async () => undefined,
    createdBy: async () => created,
    stopped: new AbortController().signal,
    throwIfStopped: () => undefined,
    throwIfPreempted: () => undefined,
    comparedHashes: new Map(),
    reportProgress: () => undefined,
    endsJob: async (fault) => endsJob(fault),
  }
  return code(extractItem(scope, item, context))
}
const itemOf = (sourceVersion = '') =>
  ({ path: ARCHIVE, part: '', decision: 'refuse', sourceVersion }) as StoredItem

test('an extraction fails if the disk is full when one of its small files is written', async () => {
  const storage = new FullStorage()
  const names = ['first', 'second', 'third']
  await storage.write(ARCHIVE, zipOf(...names.map((name) => ({ name }))), { overwrite: false })
  await storage.mkdir(parsePath('/to'))
  expect(await extract(storage, itemOf())).toBe('noSpace')
})

test('an extraction continues only with the archive of which it has written files, and not with another one', async () => {
  const storage = new OwnStorage()
  const zip = (content: string) => zipOf({ name: 'first', content }, { name: 'second', content })
  await storage.write(ARCHIVE, zip('old'), { overwrite: false })
  await storage.mkdir(parsePath('/to'))
  const first = parsePath('/to/first')
  await storage.write(first, Buffer.from('old'), { overwrite: false })
  const item = itemOf()
  const { version } = await storage.stat(ARCHIVE)
  // The archive is replaced by one with the same names while the job is paused.
  await storage.write(ARCHIVE, zip('new'), { overwrite: true })
  expect(await extract(storage, itemOf(version), [first])).toBe('conflict')
  expect(await code(storage.stat(parsePath('/to/second')))).toBe('notFound')
  // The first run stores the version with which the next ones continue.
  await storage.remove(first)
  expect(await extract(storage, item)).toBe('no fault')
  expect(item.sourceVersion).toBe((await storage.stat(ARCHIVE)).version)
  await storage.remove(parsePath('/to/second'))
  expect(await extract(storage, item, [first])).toBe('no fault')
  expect((await storage.stat(parsePath('/to/second'))).sizeBytes).toBe(3)
})
