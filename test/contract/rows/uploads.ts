/** The rows of uploads. */
import { describe, expect, test } from 'bun:test'
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import { UploadRows } from '#server/db/rows/uploads.ts'
import { UserRows } from '#server/db/rows/users.ts'
import { parsePath } from '#wire/paths.ts'
import { countOf, type Given, insertUsers } from './fixture.ts'

const ROOT = '/served'
const upload = (id: string, values: Partial<StoredUpload> = {}): StoredUpload => ({
  id,
  root: ROOT,
  userId: 1,
  path: parsePath(`/${id}`),
  overwrite: false,
  sizeBytes: 5,
  metadata: { name: id, empty: null },
  createdMs: 1,
  touchedMs: 1,
  isPathAmbiguous: false,
  hasPublicationBegun: false,
  unverifiedFrom: undefined,
  session: '',
  published: '',
  holder: '',
  ...values,
})
const publication = { touchedMs: 9, session: 's', published: 'mark' }

export function describeUploadRows(given: Given): void {
  /** Inserts uploads with their rows. */
  const stored = async (...uploads: StoredUpload[]) => {
    const rows = new UploadRows(given.db)
    for (const one of uploads) await rows.insert(one, true)
    return rows
  }

  describe('uploads', () => {
    test('are inserted, changed and found by their path, the newest first', async () => {
      await insertUsers(given.db, 1, 2)
      const path = parsePath('/same')
      const rows = await stored(
        upload('a', { path, createdMs: 5, sizeBytes: 2 ** 45 }),
        upload('b', { path, createdMs: 7, overwrite: true, isPathAmbiguous: true }),
        upload('c', { path, createdMs: 6 }),
        upload('other', { path, userId: 2, createdMs: 9 }),
      )
      expect(await rows.findByPath(ROOT, 1, path)).toEqual(
        upload('b', { path, createdMs: 7, overwrite: true, isPathAmbiguous: true }),
      )
      expect(await rows.findByPath('/elsewhere', 1, path)).toBeUndefined()
      await rows.touch('a', 2 ** 41)
      await rows.setUnverifiedFrom('a', 2 ** 40)
      await rows.setPublished('a', 'mark')
      const changed = { touchedMs: 2 ** 41, unverifiedFrom: 2 ** 40, published: 'mark' }
      expect(await rows.find('a')).toMatchObject({ ...changed, sizeBytes: 2 ** 45 })
      await rows.setUnverifiedFrom('a', undefined)
      expect((await rows.find('a'))?.unverifiedFrom).toBeUndefined()
      expect(await rows.listByRoot(ROOT)).toHaveLength(4)
    })

    test('without a row get one, unless their user is gone', async () => {
      await insertUsers(given.db, 1, 2)
      const rows = new UploadRows(given.db)
      await rows.insert(upload('mine'))
      await rows.insert(upload('gone', { userId: 2 }))
      await rows.insert(upload('last'))
      expect(await countOf(given.db, 'uploads')).toBe(0)
      await new UserRows(given.db).remove(2)
      await rows.writeRows()
      const left = (await rows.listByRoot(ROOT)).map(({ id }) => id).toSorted()
      expect(left).toEqual(['last', 'mine'])
      expect(await rows.takeEnded(ROOT)).toEqual(['gone'])
    })

    test('are published by the process that uses them, or by any if there is none', async () => {
      await insertUsers(given.db, 1)
      const rows = await stored(upload('free'), upload('own'), upload('taken'))
      expect(await rows.hold('own', { holder: 'me.1', from: '' })).toBe(true)
      expect(await rows.hold('taken', { holder: 'me2.1', from: '' })).toBe(true)
      expect(await rows.hold('taken', { holder: 'me.1', from: '' })).toBe(false)
      const begin = (id: string) => rows.beginPublication(id, publication, { writer: 'me' })
      const begun = [
        await begin('free'),
        await begin('own'),
        await begin('taken'),
        await begin('x'),
      ]
      expect(begun).toEqual([true, true, false, false])
      expect(await rows.find('own')).toMatchObject({ ...publication, hasPublicationBegun: true })
      await rows.markUnpublished('own')
      expect((await rows.find('own'))?.hasPublicationBegun).toBe(false)
    })

    test('are changed only by the request that uses them', async () => {
      await insertUsers(given.db, 1)
      const rows = await stored(upload('a'))
      await rows.hold('a', { holder: 'me.1', from: '' })
      await rows.touch('a', 7, 'me.10')
      await rows.setUnverifiedFrom('a', 3, 'other.1')
      expect(await rows.beginPublication('a', publication, { holder: 'me.10' })).toBe(false)
      expect(await rows.remove('a', '')).toBe(false)
      expect(await rows.find('a')).toMatchObject({ unverifiedFrom: undefined, published: '' })
      expect((await rows.find('a'))?.touchedMs).not.toBe(7)
      await rows.touch('a', 7, 'me.1')
      expect((await rows.find('a'))?.touchedMs).toBe(7)
      expect(await rows.beginPublication('a', publication, { holder: 'me.1' })).toBe(true)
      await rows.setPublished('a', 'wrong', 'other.1')
      expect((await rows.find('a'))?.published).toBe(publication.published)
      expect(await rows.remove('a', 'me.1')).toBe(true)
    })

    test('have one holder, whom others can ask to stop', async () => {
      await insertUsers(given.db, 1)
      const rows = await stored(upload('a'))
      await rows.hold('a', { holder: 'me.1', from: '' })
      await rows.ask('a', 'other')
      expect(await rows.leaseOf('a')).toEqual({ holder: 'me.1', isAsked: false })
      await rows.ask('a', 'me.1')
      expect(await rows.leaseOf('a')).toEqual({ holder: 'me.1', isAsked: true })
      await rows.confirm('a', 'me.1')
      await rows.release('a', 'other')
      expect(await rows.leaseOf('a')).toEqual({ holder: 'me.1', isAsked: false })
      await rows.release('a', 'me.1')
      expect(await rows.leaseOf('a')).toEqual({ holder: '', isAsked: false })
      expect(await rows.leaseOf('none')).toBeUndefined()
    })

    test('that are unfinished are counted, listed and summed', async () => {
      await insertUsers(given.db, 1, 2)
      const rows = await stored(
        upload('small', { sizeBytes: 1 }),
        upload('large', { sizeBytes: 2 ** 45 }),
        upload('other', { userId: 2, sizeBytes: 3 }),
        upload('elsewhere', { root: '/elsewhere' }),
        upload('finished', { hasPublicationBegun: true }),
      )
      expect(await rows.countUnfinished(1)).toEqual({ ofUser: 3, all: 4 })
      const ids = async (...by: Parameters<UploadRows['listUnfinished']>) =>
        (await rows.listUnfinished(...by)).map(({ id }) => id)
      expect(await ids(ROOT, undefined)).toEqual(['large', 'other', 'small'])
      expect(await ids(ROOT, 1, 1)).toEqual(['large'])
      expect(await ids(ROOT, undefined, 9, 'other')).toEqual(['other'])
      expect(await rows.listAllUnfinished()).toHaveLength(4)
      expect(await rows.listUnfinished(ROOT, 2, 9)).toMatchObject([
        { username: 'user 2', scope: '/' },
      ])
      const declared = await rows.declaredBytes(ROOT)
      expect(declared.toSorted((a, b) => a.userId - b.userId)).toEqual([
        { userId: 1, bytes: 2 ** 45 + 1 },
        { userId: 2, bytes: 3 },
      ])
    })

    test('that are finished are kept up to a number, except those that are not published', async () => {
      await insertUsers(given.db, 1)
      const finished = (id: string, touchedMs: number) =>
        upload(id, { hasPublicationBegun: true, touchedMs })
      const rows = await stored(finished('a', 1), finished('b', 2), finished('c', 3), upload('d'))
      await rows.removeFinished(1, 1, ({ id }) => id !== 'a')
      const left = (await rows.listByRoot(ROOT)).map(({ id }) => id).toSorted()
      expect(left).toEqual(['a', 'c', 'd'])
    })

    test('that are deleted unfinished leave their ids, once', async () => {
      await insertUsers(given.db, 1)
      const rows = await stored(
        upload('a'),
        upload('b'),
        upload('c', { hasPublicationBegun: true }),
      )
      await rows.remove('a')
      await new UserRows(given.db).remove(1)
      expect((await rows.takeEnded(ROOT)).toSorted()).toEqual(['a', 'b'])
      expect(await rows.takeEnded(ROOT)).toEqual([])
    })
  })
}
