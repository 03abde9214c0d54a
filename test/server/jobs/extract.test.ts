/** An extraction writes small files in parallel. */
import { expect, test } from 'bun:test'
import { Scope } from '#server/access/scope.ts'
import type { StoredItem, StoredJob } from '#server/db/job-rows.ts'
import { extractItem } from '#server/jobs/extract.ts'
import type { JobContext } from '#server/jobs/job-context.ts'
import { JobMeter } from '#server/jobs/meter.ts'
import { endsJob } from '#server/jobs/run-result.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { actorOf } from '../../support/actor.ts'
import { zipOf } from '../../support/made-archives.ts'
import { MemoryStorage } from '../../support/memory-storage.ts'
import { NO_SHARES } from '../../support/path-listener.ts'
import { code } from '../../support/served.ts'

const ARCHIVE = parsePath('/a.zip')

/** A storage without space for one file. */
class FullStorage extends MemoryStorage {
  override within(): this {
    return this
  }

  override async write(...args: Parameters<MemoryStorage['write']>) {
    if (args[0] === parsePath('/to/first')) throw new Fault('noSpace', 'There is no space left.')
    return super.write(...args)
  }
}

test('an extraction fails if the disk is full when one of its small files is written', async () => {
  const storage = new FullStorage()
  const names = ['first', 'second', 'third']
  await storage.write(ARCHIVE, zipOf(...names.map((name) => ({ name }))), { overwrite: false })
  await storage.mkdir(parsePath('/to'))
  const actor = actorOf({ id: 1, username: 'anna', perm: permissionsOf('create', 'download') })
  const scope = new Scope(storage, actor, NO_SHARES, async () => undefined)
  const item = { path: ARCHIVE, part: '', decision: 'refuse' } as StoredItem
  const context: JobContext = {
    job: { to: parsePath('/to') } as StoredJob,
    meter: new JobMeter(),
    items: () => [item],
    saveItem: () => undefined,
    replaceParts: () => undefined,
    createdBy: () => [],
    stopped: new AbortController().signal,
    throwIfStopped: () => undefined,
    throwIfPreempted: () => undefined,
    comparedHashes: new Map(),
    reportProgress: () => undefined,
    endsJob,
  }
  expect(await code(extractItem(scope, item, context))).toBe('noSpace')
})
