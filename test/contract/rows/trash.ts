/** The rows of the trash. */
import { describe, expect, test } from 'bun:test'
import { JournalRows } from '#server/db/rows/journal.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import { parsePath } from '#wire/paths.ts'
import { entry, kept, ROOT, shortName } from './changes.ts'
import { type Given, insertUsers } from './fixture.ts'

export function describeTrashRows(given: Given): void {
  const insert = async (...items: ReturnType<typeof kept>[]) => {
    const rows = new TrashRows(given.db)
    for (const item of items) await rows.insert(item)
    return rows
  }
  const version = (name: string, path: string, values: Parameters<typeof kept>[2] = {}) =>
    kept(name, path, { role: 'version', ...values })
  const nameOf = (name: string) => kept(name, '/').name

  describe('the trash', () => {
    test('lists the items below a folder, newest first, without those of unfinished changes', async () => {
      const unfinished = await new JournalRows(given.db).begin(entry())
      const rows = await insert(
        kept('a', '/x/a'),
        kept('b', '/x/b/ä', { sizeBytes: 2 ** 45, isFolder: true, shares: '[]' }),
        kept('c', '/x y'),
        kept('d', '/x/d', { entry: unfinished }),
        kept('e', '/x/e', { root: '/elsewhere' }),
      )
      const list = async (folder: string, before = Number.MAX_SAFE_INTEGER) =>
        (await rows.listTrash(ROOT, parsePath(folder), before, 9)).map(shortName)
      expect([await list('/x'), await list('/')]).toEqual([
        ['b', 'a'],
        ['c', 'b', 'a'],
      ])
      const b = await rows.findByName(nameOf('b'))
      expect(b).toEqual({
        ...kept('b', '/x/b/ä', { sizeBytes: 2 ** 45, isFolder: true, shares: '[]' }),
        id: b?.id ?? 0,
        originalPath: parsePath('/x/b/ä'),
        broughtBy: 1,
      })
      expect(await list('/', b?.id)).toEqual(['a'])
      const d = await rows.findByName(nameOf('d'))
      expect(await rows.find(ROOT, d?.id ?? 0)).toBeUndefined()
      expect(await rows.hasBelow(ROOT, parsePath('/x/b'))).toBe(true)
      expect(await rows.hasBelow(ROOT, parsePath('/y'))).toBe(false)
      expect(await rows.roots()).toEqual(['/elsewhere', ROOT])
    })

    test('has one item of a name, and measures it', async () => {
      const rows = await insert(kept('a', '/a', { isFolder: true, sizeBytes: -1 }), kept('b', '/b'))
      await expect(rows.insert(kept('a', '/other'))).rejects.toThrow()
      for (const name of ['a', 'b'])
        await rows.setSize(nameOf(name), { diskBytes: 1, sizeBytes: 2 })
      const sizes = ['a', 'b'].map(async (name) => (await rows.findByName(nameOf(name)))?.sizeBytes)
      expect(await Promise.all(sizes)).toEqual([2, 5])
      await rows.setRecorded([nameOf('a')])
      expect((await rows.limits.unrecorded(ROOT, 9)).map(shortName)).toEqual(['b'])
      await rows.removeLazily(nameOf('a'))
      expect(await rows.findByName(nameOf('a'))).toBeUndefined()
    })

    test('gets found content with the user of its record', async () => {
      await insertUsers(given.db, 3)
      const rows = new TrashRows(given.db)
      const { atMs, role, path, isFolder, sizeBytes, modifiedMs } = kept('f', '/f')
      const record = { atMs, role, path, originalPath: path, isFolder, sizeBytes, modifiedMs }
      await rows.insertFound(ROOT, nameOf('f'), { ...record, username: 'user 3' })
      await rows.insertFound(ROOT, nameOf('g'), { ...record, username: 'gone' })
      expect((await rows.findByName(nameOf('f')))?.userId).toBe(3)
      expect((await rows.findByName(nameOf('g')))?.userId).toBe(0)
    })
  })

  describe('versions', () => {
    test('follow their file, and belong to its deletion until it is restored', async () => {
      const rows = await insert(
        version('a', '/f/a'),
        version('b', '/f/a/b'),
        version('c', '/f/ab'),
        kept('deleted', '/f/a'),
        version('new', '/f/a'),
      )
      const versions = async (path: string) =>
        (await rows.listVersions(ROOT, parsePath(path))).map(shortName)
      expect([await versions('/f/a'), await versions('/f/ab')]).toEqual([['new'], ['c']])
      const item = await rows.findByName(nameOf('deleted'))
      const id = item?.id ?? 0
      expect((await rows.versionsOf({ id })).map(shortName).toSorted()).toEqual(['a', 'b'])
      await rows.moveVersions(ROOT, parsePath('/f/a'), parsePath('/ä'), id)
      await rows.moveVersions(ROOT, parsePath('/f'), parsePath('/g'))
      expect([await versions('/g/a'), await versions('/g/ab')]).toEqual([['new'], ['c']])
      await rows.remove(nameOf('deleted'))
      expect([await versions('/ä'), await versions('/ä/b')]).toEqual([['a'], ['b']])
      expect((await rows.findByName(nameOf('b')))?.originalPath).toBe(parsePath('/f/a/b'))
    })

    test('of a permanently deleted file belong to no file any more, those of later entries do', async () => {
      const rows = await insert(version('a', '/a', { entry: 5 }), version('b', '/a', { entry: 6 }))
      await rows.dropVersions(ROOT, parsePath('/a'), 5)
      expect((await rows.listVersions(ROOT, parsePath('/a'))).map(shortName)).toEqual(['b'])
      expect((await rows.limits.versionsBeyond(ROOT, 9, 0)).map(shortName)).toEqual(['a'])
    })
  })
}
