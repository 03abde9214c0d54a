/** The number of entries that a plan counts. */
import { expect, test } from 'bun:test'
import { Scope } from '#server/access/scope/scope.ts'
import { makePlan } from '#server/jobs/plans/plan.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { FolderNodes } from '#server/storage/folder-nodes.ts'
import type { StorageFolder } from '#server/storage/storage-folder.ts'
import { childPath, parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'

const ANNA = {
  id: 1,
  username: 'anna',
  perm: permissionsOf('create', 'delete'),
  scope: ROOT,
  rulesFrom: [ROOT],
  rules: [],
  hideDotfiles: false,
}

/** A storage in which `/endless` lists more and more folders. */
class Endless extends MemoryStorage {
  listed = 0

  override within(): this {
    return this
  }

  override async openFolder(path: TreePath): Promise<StorageFolder> {
    return { ...(await super.openFolder(ROOT)), path, list: () => this.list(path) }
  }

  override async list(path: TreePath): Promise<FolderNodes> {
    const node = await super.stat(parsePath('/endless'))
    this.listed += 1
    const names = ['0', '1', '2']
    return FolderNodes.of(names.map((name) => ({ ...node, path: childPath(path, name) })))
  }
}

test('a plan counts a limited number of entries @limit-49', async () => {
  const storage = new Endless()
  await storage.mkdir(parsePath('/endless'))
  const scope = new Scope(storage, ANNA, NO_SHARES, async () => undefined)
  const items = [{ path: parsePath('/endless'), decision: 'refuse' as const }]
  const { plan } = await makePlan(scope, { kind: 'delete', items, to: undefined })
  expect(plan).toMatchObject({ isPartial: true, isLarge: true })
  expect(plan.folders).toBe(SERVER_LIMITS.planEntriesMax)
  expect(storage.listed).toBe(SERVER_LIMITS.planEntriesMax)
}, 60_000)

/** A storage on a disk that keeps space for its administrator. */
class Reserving extends MemoryStorage {
  override within(): this {
    return this
  }

  override async usage() {
    return { total: 1000, used: 100, free: 850 }
  }
}

test('the free space of a plan is what can be written, without the blocks kept for root', async () => {
  const storage = new Reserving()
  for (const path of ['/folder', '/other']) await storage.mkdir(parsePath(path))
  const perm = permissionsOf('create', 'download')
  const scope = new Scope(storage, { ...ANNA, perm }, NO_SHARES, async () => undefined)
  const items = [{ path: parsePath('/folder'), decision: 'refuse' as const }]
  for (const to of ['/other', '/not/there']) {
    const { plan } = await makePlan(scope, { kind: 'copy', items, to: parsePath(to) })
    expect(plan).toMatchObject({ free: 850, freeAfter: 850 })
  }
})
