/** The limits of the trash: which items leave first, and how many bytes that frees. */
import { describe, expect, test } from 'bun:test'
import { BROUGHT_BY } from '#server/db/rows/brought-in.ts'
import { JournalRows } from '#server/db/rows/journal.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import { entry, insertChange, kept, ROOT, shortName, step } from './changes.ts'
import type { Given } from './fixture.ts'

export function describeTrashLimits(given: Given): void {
  const insert = async (...items: ReturnType<typeof kept>[]) => {
    const rows = new TrashRows(given.db)
    for (const item of items) await rows.insert(item)
    return rows.limits
  }
  const version = (name: string, path: string, values: Parameters<typeof kept>[2] = {}) =>
    kept(name, path, { role: 'version', ...values })
  const namesOf = async (items: AsyncIterable<StoredTrashItem>) =>
    (await Array.fromAsync(items)).map(shortName)

  describe('items leave', () => {
    test('oldest first, by trash, user, time and who brought them in', async () => {
      const limits = await insert(
        kept('a', '/a', { broughtBy: BROUGHT_BY.other }),
        kept('b', '/b', { userId: 2, atMs: 5 }),
        // An item is protected as its versions are.
        version('c', '/d', { broughtBy: BROUGHT_BY.other }),
        kept('d', '/d', { broughtBy: BROUGHT_BY.remover }),
        kept('e', '/e', { broughtBy: BROUGHT_BY.remover }),
        kept('f', '/f', { name: `${'f'.padEnd(24, '-')}.mount` }),
      )
      const list = (filter: Parameters<typeof limits.oldestFirst>[1]) =>
        namesOf(limits.oldestFirst(ROOT, filter))
      expect(await list({ trash: 'trash' })).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(await list({ userId: 2 })).toEqual(['b'])
      expect(await list({ beforeMs: 5, trash: 'trash' })).toEqual(['a', 'c', 'd', 'e'])
      expect(await list({ broughtBy: BROUGHT_BY.other })).toEqual(['a', 'c', 'd'])
      const leaving = (last?: 0 | 1 | 2) =>
        namesOf(limits.leavingFirst(ROOT, { userId: 1, trash: 'trash' }, last))
      expect(await leaving()).toEqual(['e', 'a', 'c', 'd'])
      expect(await leaving(BROUGHT_BY.unknown)).toEqual(['e'])
    })

    test('in pages that together have all of them', async () => {
      const names = Array.from({ length: 300 }, (_, index) => `${index}`)
      const limits = await insert(...names.map((name) => kept(name, `/${name}`)))
      expect(await namesOf(limits.oldestFirst(ROOT))).toEqual(names)
    })

    test('beyond a number: those of the user with the most', async () => {
      const limits = await insert(
        kept('other', '/o', { userId: 2 }),
        kept('a', '/a', { broughtBy: BROUGHT_BY.other }),
        kept('b', '/b', { broughtBy: BROUGHT_BY.remover }),
        kept('c', '/c', { broughtBy: BROUGHT_BY.remover }),
      )
      expect((await limits.beyond(ROOT, 2)).map(shortName)).toEqual(['b', 'c'])
      expect(await limits.beyond(ROOT, 4)).toEqual([])
      expect(await limits.newestFinished('/elsewhere')).toBe(0)
      expect(await limits.newestFinished(ROOT)).toBe(4)
    })
  })

  describe('versions leave', () => {
    test('beyond a number for a file, own ones of the older half first', async () => {
      const rows = new TrashRows(given.db)
      const users = [2, 1, 1, 2, 1]
      for (const [index, userId] of users.entries()) {
        await rows.insert(version(`${index}`, '/a', { userId }))
      }
      await rows.insert(version('other', '/b'))
      const beyond = async (count: number, after = 0) =>
        (await rows.limits.versionsBeyond(ROOT, count, after)).map(shortName)
      expect(await beyond(9)).toEqual([])
      expect(await beyond(3)).toEqual(['0', '2'])
      expect(await beyond(3, (await rows.limits.newestFinished(ROOT)) - 1)).toEqual([])
    })

    test('also if their change ends after a later one', async () => {
      const [rows, journal] = [new TrashRows(given.db), new JournalRows(given.db)]
      for (const name of ['0', '1']) await rows.insert(version(name, '/a'))
      const running = await journal.begin(entry({}))
      await rows.insert(version('2', '/a', { entry: running }))
      await rows.insert(version('3', '/b'))
      const counted = await rows.limits.newestFinished(ROOT)
      const beyond = async (after: number) =>
        (await rows.limits.versionsBeyond(ROOT, 2, after)).map(shortName)
      expect([counted, await beyond(0)]).toEqual([2, []])
      await journal.done(running)
      expect(await beyond(counted)).toEqual(['1'])
      expect(await rows.limits.newestFinished(ROOT)).toBe(4)
    })

    test('that replaced what the same user had written, as the journal knows', async () => {
      const rows = new TrashRows(given.db)
      await insertChange(given, {}, step('/a', { after: 'm1' }))
      const own = version('own', '/a')
      const entry = await insertChange(
        given,
        {},
        step('/a', { before: 'm1', after: 'm2', kept: own.name }),
      )
      await rows.insert(version('first', '/a', { userId: 2 }))
      await rows.insert({ ...own, entry })
      for (const name of ['x', 'y']) await rows.insert(version(name, '/a', { userId: 2 }))
      expect((await rows.limits.versionsBeyond(ROOT, 3, 0)).map(shortName)).toEqual(['own'])
    })

    test('beyond a size, except the newest of a file', async () => {
      const limits = await insert(
        version('a', '/a', { diskBytes: 2 ** 44 }),
        version('b', '/a', { diskBytes: 2 ** 44 }),
        version('c', '/a', { diskBytes: 2 ** 44 }),
        version('d', '/b', { diskBytes: 2 ** 45 }),
      )
      const large = (bytes: number, beforeMs = 5) =>
        limits.largeVersions(ROOT, 'trash', bytes, beforeMs)
      expect((await large(2 ** 45)).map(shortName)).toEqual(['a'])
      expect((await large(1)).map(shortName)).toEqual(['a', 'b'])
      expect(await large(1, 1)).toEqual([])
    })
  })

  test('bytes are counted for a trash, a user and a time, with a minimum for each item', async () => {
    const limits = await insert(
      kept('a', '/a', { diskBytes: 2 ** 45, atMs: 5 }),
      kept('b', '/b', { diskBytes: -1, isFolder: true }),
      kept('c', '/c', { userId: 2, diskBytes: 8192, broughtBy: BROUGHT_BY.other }),
      kept('d', '/d', { userId: 2, diskBytes: 0 }),
    )
    const all = 2 ** 45 + 4096 + 8192 + 4096
    expect(await limits.diskBytes(ROOT, 'trash')).toBe(all)
    expect(await limits.diskBytes(ROOT, 'other')).toBe(0)
    expect(await limits.diskBytes(ROOT, 'trash', { userId: 2, ownBeforeMs: 9, beforeMs: 0 })).toBe(
      4096,
    )
    expect(await limits.diskBytes(ROOT, 'trash', { userId: 2, ownBeforeMs: 0, beforeMs: 0 })).toBe(
      0,
    )
    expect(
      await limits.diskBytes(ROOT, 'trash', { userId: undefined, ownBeforeMs: 9, beforeMs: 5 }),
    ).toBe(all - 2 ** 45)
    const own = (ownBeforeMs: number, beforeMs = 0) =>
      limits.ownDiskBytes(ROOT, 'trash', { userId: 2, ownBeforeMs, beforeMs })
    expect(await own(0)).toEqual({ bytes: 8192 + 4096, freeBytes: 0 })
    expect(await own(9)).toEqual({ bytes: 8192 + 4096, freeBytes: 4096 })
    expect(await own(9, 9)).toEqual({ bytes: 8192 + 4096, freeBytes: 8192 + 4096 })
    expect(await limits.diskBytesByUser(ROOT, 'trash')).toEqual(
      new Map([
        [1, 2 ** 45 + 4096],
        [2, 8192 + 4096],
      ]),
    )
    expect((await limits.unmeasured(ROOT)).map(shortName)).toEqual(['b'])
    expect((await limits.shared(ROOT)).map(shortName)).toEqual(['d'])
  })
}
