/** Lists of archives in memory. */
import { expect, test } from 'bun:test'
import { Scope } from '#server/access/scope/scope.ts'
import { ArchiveLists, openArchiveFile } from '#server/archives/read/contents.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { tarOf, zipOf } from '../../../support/files/made-archives.ts'
import { actorOf } from '../../../support/storage/actor.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'

const NEVER = new AbortController().signal

/** Counts how often a file is opened. */
class Counting extends MemoryStorage {
  opened = 0

  override within(): this {
    return this
  }

  override read(...args: Parameters<MemoryStorage['read']>): ReturnType<MemoryStorage['read']> {
    this.opened += 1
    return super.read(...args)
  }
}

async function tree(files: Record<string, Uint8Array>, ...may: 'download'[]) {
  const storage = new Counting()
  for (const [name, bytes] of Object.entries(files)) {
    await storage.write(parsePath(name), bytes, { overwrite: true })
  }
  const actor = actorOf({ id: 1, username: 'anna', perm: permissionsOf(...may) })
  const scope = new Scope(storage, actor, NO_SHARES, async () => undefined)
  const lists = new ArchiveLists('/root')
  const read = async (path: string) => {
    const before = storage.opened
    const { tree } = await lists.read(scope, parsePath(path), NEVER)
    return { names: tree.folder(ROOT).items.size, isRead: storage.opened > before }
  }
  return { scope, storage, lists, read }
}

const zipWith = (count: number) =>
  zipOf(...Array.from({ length: count }, (_, at) => ({ name: `${at}` })))

test('the number of cached archive entries is limited @limit-53', async () => {
  const most = SERVER_LIMITS.archiveListsEntries
  const [half, whole] = [zipWith(most / 2), zipWith(most)]
  const { read } = await tree({ '/a.zip': half, '/b.zip': half, '/c.zip': whole }, 'download')
  expect(await read('/a.zip')).toEqual({ names: most / 2, isRead: true })
  expect(await read('/a.zip')).toEqual({ names: most / 2, isRead: false })
  // Each list counts as one entry more.
  expect((await read('/b.zip')).isRead).toBe(true)
  expect((await read('/b.zip')).isRead).toBe(false)
  expect((await read('/a.zip')).isRead).toBe(true)
  expect((await read('/c.zip')).isRead).toBe(true)
  expect((await read('/a.zip')).isRead).toBe(true)
}, 60_000)

test('without the right to download, an archive is not read, not even from the cache', async () => {
  const { storage, lists, read } = await tree({ '/a.zip': zipOf({ name: 'a' }) }, 'download')
  await read('/a.zip')
  const before = storage.opened
  const barred = actorOf({ id: 2, username: 'otto', perm: permissionsOf() })
  const scope = new Scope(storage, barred, NO_SHARES, async () => undefined)
  await expect(lists.read(scope, parsePath('/a.zip'), NEVER)).rejects.toThrow('download')
  await expect(openArchiveFile(scope, parsePath('/a.zip'), parsePath('/a'), NEVER)).rejects.toThrow(
    'download',
  )
  expect(storage.opened).toBe(before)
})

test('reading the list of an archive can be stopped, and a stopped list is not cached', async () => {
  const { scope, lists, read } = await tree({ '/a.tar': tarOf({ name: 'a' }) }, 'download')
  const stop = AbortSignal.abort(new Error('stopped'))
  await expect(lists.read(scope, parsePath('/a.tar'), stop)).rejects.toThrow('stopped')
  expect(await read('/a.tar')).toEqual({ names: 1, isRead: true })
})

test('an entry of a zip without a time has none', async () => {
  const { scope, lists } = await tree({ '/a.zip': zipOf({ name: 'a' }) }, 'download')
  const { tree: contents } = await lists.read(scope, parsePath('/a.zip'), NEVER)
  expect(contents.folder(ROOT).items.get('a')?.modifiedMs).toBe(undefined)
})
