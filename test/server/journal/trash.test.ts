/** The limits of the trash: age, share of the disk, number of items and number of versions; the oldest content goes first. */

import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Scope } from '#server/access/scope/scope.ts'
import { MIGRATIONS } from '#server/db/migrations.ts'
import { openDatabase } from '#server/db/open.ts'
import { BROUGHT_BY } from '#server/db/rows/brought-in.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { Trash, type TrashOptions } from '#server/journal/trash.ts'
import { UserTrash } from '#server/journal/user-trash.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { ROOT_TRASH } from '#server/storage/step.ts'
import type { Usage } from '#wire/api/entry.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { DAY_MS } from '#wire/units.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { actorOf } from '../../support/storage/actor.ts'
import { NO_SHARES } from '../../support/storage/path-listener.ts'
import { STORAGE_OPTIONS } from '../../support/storage/served.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** The minimum size of an item. */
const UNIT = 4096
const DISK = diskOf(10 * UNIT)

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let rows: TrashRows
let storage: LocalStorage
beforeEach(async () => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  rows = new TrashRows(new SqliteDatabase(db, async () => undefined))
  mkdirSync(join(folder.path, 'root'))
  storage = await LocalStorage.open(join(folder.path, 'root'), STORAGE_OPTIONS)
})
afterEach(() => {
  storage.close()
  db.close()
  folder.remove()
})

const trashOf = (options: Partial<TrashOptions> = {}, usage = DISK) =>
  new Trash(rows, storage.can.trash, async () => usage, {
    root: folder.path,
    isOn: true,
    excluded: [],
    keepMs: HOUR_MS,
    sharePercent: 100,
    versionsMax: 10,
    itemsMax: 1000,
    nowMs: Date.now,
    ...options,
  })
const names = () => readdirSync(join(folder.path, 'root/.filemgr/trash')).sort()
const nameOf = (number: number) => `${number}`.padStart(24, '0')

async function insert(
  changes: Partial<StoredTrashItem> & Pick<StoredTrashItem, 'name'>,
): Promise<void> {
  await rows.insert({
    root: folder.path,
    entry: 0,
    atMs: Date.now(),
    userId: 1,
    username: 'anna',
    role: 'trash',
    path: parsePath('/kept'),
    isFolder: false,
    sizeBytes: 0,
    diskBytes: changes.sizeBytes ?? 0,
    modifiedMs: 0,
    shares: '',
    ...changes,
  })
}

/** Puts a file into the trash. @returns its name there */
async function keep(
  number: number,
  options: {
    ageMs?: number
    bytes?: number
    role?: 'trash' | 'version'
    path?: string
    userId?: number
    entry?: number
    broughtBy?: StoredTrashItem['broughtBy']
  } = {},
): Promise<string> {
  const name = nameOf(number)
  const { ageMs = 0, bytes = UNIT, role = 'trash', path = `/${number}`, ...same } = options
  writeFileSync(join(folder.path, 'root/.filemgr/trash', name), new Uint8Array(bytes))
  await insert({
    name,
    atMs: Date.now() - ageMs,
    role,
    path: parsePath(path),
    sizeBytes: bytes,
    ...same,
  })
  return name
}

/** As `keep`, one after the other. */
async function keepAll(
  numbers: readonly number[],
  options: Parameters<typeof keep>[1],
): Promise<string[]> {
  const kept: string[] = []
  for (const number of numbers) kept.push(await keep(number, options))
  return kept
}

test('old items of the trash are deleted', async () => {
  await keep(1, { ageMs: 2 * HOUR_MS })
  const young = await keep(2)
  expect(await trashOf().prune()).toBe(1)
  expect(names()).toEqual([young])
})

test('the oldest items are deleted until the trash has its share of the disk', async () => {
  const ageMs = 2 * DAY_MS
  await keep(1, { ageMs })
  await keep(2, { ageMs })
  const [third, fourth] = [await keep(3, { ageMs }), await keep(4, { ageMs })]
  expect(await trashOf({ sharePercent: 20, keepMs: 30 * DAY_MS }).prune()).toBe(2)
  expect(names()).toEqual([third, fourth])
  expect(await rows.limits.diskBytes(folder.path, ROOT_TRASH)).toBe(2 * UNIT)
})

test('what a user brought in and deleted leaves before what others brought in, with its share and its number', async () => {
  const ageMs = 2 * DAY_MS
  const other = await keep(1, { ageMs, broughtBy: BROUGHT_BY.other })
  const unknown = await keep(2, { ageMs })
  for (const number of [3, 4, 5]) await keep(number, { ageMs, broughtBy: BROUGHT_BY.remover })
  const bounds = { sharePercent: 30, keepMs: 30 * DAY_MS }
  expect(await trashOf(bounds).prune()).toBe(2)
  expect(names()).toEqual([other, unknown, nameOf(5)])
  expect(await trashOf({ ...bounds, itemsMax: 1 }).prune()).toBe(2)
  expect(names()).toEqual([other])
})

test('a deleted file with a version that others brought in stays as long as that version', async () => {
  const ageMs = 2 * DAY_MS
  const version = await keep(1, {
    ageMs,
    path: '/file',
    role: 'version',
    broughtBy: BROUGHT_BY.other,
  })
  const file = await keep(2, { ageMs, path: '/file', broughtBy: BROUGHT_BY.remover })
  await keep(3, { ageMs })
  expect(await trashOf({ sharePercent: 20, keepMs: 30 * DAY_MS }).prune()).toBe(1)
  expect(names()).toEqual([version, file])
})

test('items that were deleted today stay, even beyond the share of the disk', async () => {
  await keep(1, { ageMs: 25 * HOUR_MS })
  const today = [await keep(2, { ageMs: 2 * HOUR_MS }), await keep(3)]
  expect(await trashOf({ sharePercent: 5, keepMs: 30 * DAY_MS }).prune()).toBe(1)
  expect(names()).toEqual(today)
})

test('items that were deleted an hour ago are deleted if the disk has little free space', async () => {
  await keep(1, { ageMs: 2 * HOUR_MS })
  const now = await keep(2)
  const short = diskOf(DISK.total, 9.6 * UNIT)
  expect(await trashOf({ sharePercent: 5, keepMs: 30 * DAY_MS }, short).prune()).toBe(1)
  expect(names()).toEqual([now])
})

test('a limited number of versions of a file stay, and deleted files do not count', async () => {
  const stays = [
    await keep(1, { role: 'version', path: '/other' }),
    await keep(2, { path: '/file' }),
  ]
  await keep(3, { role: 'version', path: '/file' })
  stays.push(
    await keep(4, { role: 'version', path: '/file', userId: 2 }),
    await keep(5, { role: 'version', path: '/file' }),
  )
  expect(await trashOf({ versionsMax: 2 }).prune()).toBe(1)
  expect(names()).toEqual(stays)
})

test('what a user replaced first stays although the user saves the file many times', async () => {
  const file = { role: 'version', path: '/file' } as const
  const stays = [await keep(1, { ...file, userId: 2 }), await keep(2, file)]
  for (const number of [3, 4, 5]) await keep(number, file)
  stays.push(await keep(6, file), await keep(7, file))
  expect(await trashOf({ versionsMax: 4 }).prune()).toBe(3)
  expect(names()).toEqual(stays)
})

test('the versions of a file are counted again when it gets a new one', async () => {
  const trash = trashOf({ versionsMax: 1 })
  const first = await keep(1, { role: 'version', path: '/file' })
  expect(await trash.prune()).toBe(0)
  const stays = [await keep(2, { role: 'version', path: '/other' })]
  expect(await trash.prune()).toBe(0)
  stays.push(await keep(3, { role: 'version', path: '/file' }))
  expect(await trash.prune()).toBe(1)
  expect(names()).toEqual(stays)
  expect(names()).not.toContain(first)
})

test('the number of items in the trash is limited, and the user with the most items loses the oldest, empty or not @limit-56', async () => {
  const another = await keep(1)
  for (let number = 2; number < 8; number += 1) await keep(number, { bytes: 0, userId: 2 })
  expect(await trashOf({ itemsMax: 4 }).prune()).toBe(3)
  expect(names()).toEqual([another, ...[5, 6, 7].map(nameOf)])
})

describe('the trash beyond its share of the disk', () => {
  const SHARE = { sharePercent: 60, keepMs: 30 * DAY_MS }

  test('the user with the most loses first, and others keep what fits into an equal part', async () => {
    const hers = await keep(1, { ageMs: 3 * DAY_MS })
    const his = await keepAll([2, 3, 4, 5, 6, 7, 8], { ageMs: 2 * DAY_MS, userId: 2 })
    expect(await trashOf(SHARE).prune()).toBe(2)
    expect(names()).toEqual([hers, ...his.slice(2)])
  })

  test('items of today push nothing of others out', async () => {
    const hers = await keep(1, { ageMs: 3 * DAY_MS })
    const his = await keepAll([2, 3, 4, 5, 6, 7, 8, 9], { userId: 2 })
    expect(await trashOf(SHARE).prune()).toBe(0)
    expect(names()).toEqual([hers, ...his])
  })

  test('versions of one file beyond half of the share go first, except the newest and those of this hour', async () => {
    const version = { role: 'version', path: '/file', ageMs: 2 * HOUR_MS } as const
    const older = await keep(1, { ageMs: 3 * DAY_MS })
    const versions = await keepAll([2, 3, 4, 5, 6], version)
    const now = await keep(7, { ...version, ageMs: 0 })
    expect(await trashOf(SHARE).prune()).toBe(1)
    expect(names()).toEqual([older, ...versions.slice(1), now])
  })

  test('a large newest version stays while it is of today', async () => {
    const bytes = 7 * UNIT
    const newest = await keep(1, { role: 'version', path: '/file', ageMs: 2 * HOUR_MS, bytes })
    expect(await trashOf(SHARE).prune()).toBe(0)
    expect(names()).toEqual([newest])
  })
})

describe('a full disk', () => {
  test('a write deletes items past their day, and of today only those of its user that are not new', async () => {
    const hers = await keep(1, { ageMs: HOUR_MS })
    await keep(2, { ageMs: 25 * HOUR_MS })
    await keep(3, { userId: 2, ageMs: HOUR_MS })
    const justNow = await keep(4, { userId: 2, ageMs: 9 * MINUTE_MS })
    const { room } = trashOf()
    expect(await room.reclaimable(ROOT_TRASH, 2)).toBe(2 * UNIT)
    expect(await room.makeRoom(ROOT_TRASH, 2)).toBe(true)
    expect(names()).toEqual([hers, justNow])
    expect([room.removedOf(1), room.removedOf(2)]).toEqual([0, 1])
  })

  test('a write of nobody in particular deletes nothing of today', async () => {
    const kept = [await keep(1), await keep(2, { userId: 2 })]
    const { room } = trashOf()
    expect(await room.reclaimable(ROOT_TRASH, undefined)).toBe(0)
    expect(await room.makeRoom(ROOT_TRASH, undefined)).toBe(false)
    expect(names()).toEqual(kept)
  })
})

test('empty files count towards the size of the trash', async () => {
  await keep(1, { bytes: 0 })
  expect(await rows.limits.diskBytes(folder.path, ROOT_TRASH)).toBe(UNIT)
})

test('rows without content are deleted, and content without a row when it is old', async () => {
  const name = await keep(1)
  await storage.can.trash?.discard(name)
  writeFileSync(join(folder.path, 'root/.filemgr/trash', nameOf(2)), 'foreign')
  expect(await trashOf().prune()).toBe(0)
  expect(await rows.findByName(name)).toBeUndefined()
  expect(names()).toEqual([nameOf(2)])
  await trashOf({ keepMs: -HOUR_MS }).prune()
  expect(names()).toEqual([])
})

test('items on a file system that is not mounted stay in the list until their time is over', async () => {
  const away = (number: number) => `${nameOf(number)}.${'0'.repeat(16)}`
  await insert({ name: away(1), sizeBytes: 10_000, atMs: Date.now() - 2 * HOUR_MS })
  await insert({ name: away(2), sizeBytes: 10_000 })
  expect(await trashOf().prune()).toBe(0)
  expect(await rows.findByName(away(1))).toBeUndefined()
  expect(await rows.findByName(away(2))).toBeDefined()
})

test('the size of a folder is measured before it counts', async () => {
  const name = nameOf(1)
  mkdirSync(join(folder.path, 'root/.filemgr/trash', name))
  writeFileSync(join(folder.path, 'root/.filemgr/trash', name, 'file'), new Uint8Array(64 * 1024))
  await insert({
    name,
    path: parsePath('/folder'),
    isFolder: true,
    sizeBytes: -1,
    atMs: Date.now() - 25 * HOUR_MS,
  })
  const options = { keepMs: 30 * DAY_MS }
  expect(await trashOf(options, diskOf(10 ** 9)).prune()).toBe(0)
  expect(await rows.limits.diskBytes(folder.path, ROOT_TRASH)).toBeGreaterThanOrEqual(64 * 1024)
  const small = diskOf(64 * 1024)
  expect(await trashOf({ ...options, sharePercent: 1 }, small).prune()).toBe(1)
  expect(names()).toEqual([])
})

test('items are deleted to make room only if the new item then fits', async () => {
  await keep(1, { ageMs: HOUR_MS })
  const second = await keep(2, { ageMs: HOUR_MS })
  // Of 10 units, 7 are free, and 2 are in the trash.
  const { room } = trashOf({}, diskOf(10 * UNIT, 3 * UNIT))
  await room.makeRoomFor(10 * UNIT, 1)
  await room.makeRoomFor(6 * UNIT, 1)
  expect(names()).toEqual([nameOf(1), second])
  await room.makeRoomFor(7.5 * UNIT, 1)
  expect(names()).toEqual([])
  expect(await trashOf().room.makeRoom(ROOT_TRASH, 1)).toBe(false)
})

test('nothing is kept in a folder of --trash-except, nor below it', () => {
  const trash = trashOf({ excluded: [parsePath('/scratch')] })
  const keeps = (path: string) => trash.keepsAt(path as TreePath)
  expect([keeps('/a'), keeps('/scratch'), keeps('/scratch/a'), keeps('/scratched')]).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(trashOf({ isOn: false }).keepsAt(parsePath('/a'))).toBe(false)
})

function diskOf(total: number, used = 0): Usage {
  return { total, used, free: total - used }
}

test('an item that is deleted meanwhile does not stop the deletion of all', async () => {
  for (const number of [1, 2, 3]) await keep(number)
  const actor = actorOf({ id: 1, username: 'anna', perm: permissionsOf('admin') })
  const scope = new Scope(storage, actor, NO_SHARES, async () => undefined)
  const trash = trashOf()
  const { trash: scopeTrash } = scope
  if (!scopeTrash) throw new Error('Nothing is kept.')
  const discard = scopeTrash.discard.bind(scopeTrash)
  scopeTrash.discard = async (item) => {
    await discard(item)
    const other = await rows.findByName(nameOf(2))
    if (other) await trash.discard(other)
  }
  await new UserTrash({ root: folder.path, trashRows: rows, trash }).purgeAll(scope, {
    onPurged: async () => undefined,
  })
  expect(names()).toEqual([])
})

describe('versions of deleted files', () => {
  const versionAt = (number: number, path: string) => keep(number, { role: 'version', path })
  const versionsAt = async (path: string) =>
    (await rows.listVersions(folder.path, parsePath(path))).map(({ name }) => name)

  test('they do not count towards the limit of the next file of that name', async () => {
    const stays = [await versionAt(1, '/file'), await keep(2, { path: '/file' })]
    stays.push(await versionAt(3, '/file'))
    expect(await trashOf({ versionsMax: 1 }).prune()).toBe(0)
    expect(names()).toEqual(stays)
  })

  test('they are deleted if the file was deleted permanently, but not those of the next file', async () => {
    await versionAt(1, '/folder/file')
    const stays = await keep(2, { role: 'version', path: '/folder/file', entry: 8 })
    await rows.dropVersions(folder.path, parsePath('/folder'), 7)
    expect(await versionsAt('/folder/file')).toEqual([stays])
    expect(await trashOf().prune()).toBe(1)
    expect(names()).toEqual([stays])
  })

  test('they belong to the file again if its deletion did not happen', async () => {
    const version = await versionAt(1, '/folder/file')
    const deletion = await keep(2, { path: '/folder' })
    expect(await versionsAt('/folder/file')).toEqual([])
    await rows.remove(deletion)
    expect(await versionsAt('/folder/file')).toEqual([version])
  })

  test('an older database gets them', () => {
    const file = join(folder.path, 'older.db')
    const steps = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex((step) => step.includes('deleted_with')),
    )
    const older = new Database(file)
    for (const step of steps) older.exec(step)
    const add = (id: number, role: string, path: string) =>
      older.exec(
        `INSERT INTO kept VALUES (${id}, '${id}', '/r', 0, 0, 1, '', '${role}', '${path}', 0, 0, 0, '', '')`,
      )
    add(1, 'version', '/a/b c/file')
    add(2, 'version', '/a/b')
    add(3, 'trash', '/a/b c')
    add(4, 'version', '/a/b c/file')
    add(5, 'trash', '/a/b c/file')
    add(6, 'version', '/a/b c/file')
    add(7, 'trash', '/other')
    older.exec(`PRAGMA user_version = ${steps.length}`)
    older.close()
    const newer = openDatabase(file)
    const found = newer.query("SELECT id, deleted_with FROM kept WHERE role = 'version'").values()
    newer.close()
    expect(found).toEqual([
      [1, 3],
      [2, 0],
      [4, 5],
      [6, 0],
    ])
  })
})
