/** The rows of the journal: entries, steps, undos, and what was touched since. */
import { describe, expect, test } from 'bun:test'
import { JournalRows } from '#server/db/rows/journal.ts'
import type { StoredEntry } from '#server/db/rows/journal-rows.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import { parsePath } from '#wire/paths.ts'
import { entry, insertChange, kept, ROOT, shortName, step } from './changes.ts'
import { countOf, type Given } from './fixture.ts'

export function describeJournalRows(given: Given): void {
  const rowsOf = () => new JournalRows(given.db)
  const change = (values: Partial<StoredEntry>, ...steps: Parameters<typeof insertChange>[2][]) =>
    insertChange(given, values, ...steps)

  describe('entries', () => {
    test('are begun, get steps, and are found when they are done', async () => {
      const rows = rowsOf()
      const id = await rows.begin(entry({ atMs: 2 ** 41, to: parsePath('/b') }))
      await rows.putStep(id, 1, step('/b', { isFolder: true, completeMs: 2 ** 41 }))
      await rows.putStep(id, 0, step('/a'))
      await rows.putStep(id, 0, step('/a', { after: 'mark' }))
      expect([await rows.find(ROOT, id), await rows.exists(id)]).toEqual([undefined, true])
      expect((await rows.unfinished(ROOT)).map((one) => one.id)).toEqual([id])
      expect(await rows.changeWriter(id, { from: 'other', to: 'you' })).toBe(false)
      expect(await rows.changeWriter(id, { from: 'me', to: 'you' })).toBe(true)
      expect(await rows.done(id)).toBe(512 + 2 * (2 * 2 + 64) + 4)
      expect(await rows.find(ROOT, id)).toEqual({
        ...entry({ atMs: 2 ** 41, to: parsePath('/b'), writer: 'you' }),
        id,
        undoneBy: 0,
      })
      expect(await rows.stepsOf(id)).toEqual([
        { number: 0, step: step('/a', { after: 'mark' }) },
        { number: 1, step: step('/b', { isFolder: true, completeMs: 2 ** 41 }) },
      ])
      await rows.removeStep(id, 0)
      expect(await rows.stepsOf(id)).toHaveLength(1)
      await rows.remove(id)
      expect([await rows.exists(id), await countOf(given.db, 'journal_steps')]).toEqual([false, 0])
    })

    test('are listed by their columns, newest first', async () => {
      const ids = [
        await change({ username: 'anna', session: 's' }),
        await change({ userId: 2, username: 'bert', atMs: 5 }),
        await change({ root: '/elsewhere' }),
      ]
      const list = async (...by: Parameters<JournalRows['list']>) =>
        (await rowsOf().list(...by)).map(({ id }) => ids.indexOf(id))
      expect(await list({}, 9)).toEqual([2, 1, 0])
      expect(await list({ root: ROOT }, 9)).toEqual([1, 0])
      expect(await list({ root: ROOT, userId: 2 }, 9)).toEqual([1])
      expect(await list({ username: 'anna', session: 's' }, 9)).toEqual([0])
      expect(await list({ fromMs: 5 }, 9)).toEqual([1])
      expect(await list({ before: ids[2] ?? 0 }, 1)).toEqual([1])
      await change({ undoOf: ids[0] ?? 0, verb: 'undo' })
      expect(await list({ root: ROOT, isInEffect: true }, 9)).toEqual([1])
    })

    test('are undone by an undo, and not by a part of one', async () => {
      const rows = rowsOf()
      const id = await change({}, step('/a'), step('/b'))
      const partial = await rows.begin(entry({ verb: 'undo', undoOf: id }))
      expect(await rows.stepsToUndo(partial)).toBe(2)
      await rows.done(partial, { isPartial: true })
      expect([(await rows.find(ROOT, id))?.undoneBy, await rows.find(ROOT, partial)]).toEqual([
        0,
        undefined,
      ])
      expect((await rows.partialUndos(ROOT)).map((one) => one.id)).toEqual([partial])
      // The rollback of a partial undo is not listed either.
      const rollback = await rows.begin(entry({ verb: 'redo', undoOf: partial }))
      await rows.putStep(rollback, 0, step('/a', { after: 'again' }))
      await rows.done(rollback)
      expect(await rows.findAny(rollback)).toBeUndefined()
      expect(await rows.partialUndos(ROOT)).toEqual([])
      expect(await rows.redoneSteps(id)).toEqual([step('/a', { after: 'again' })])
      const undo = await change({ verb: 'undo', undoOf: id })
      expect((await rows.findAny(id))?.undoneBy).toBe(undo)
    })
  })

  describe('paths and marks', () => {
    test('are touched by later entries in effect at the path or below it', async () => {
      const rows = rowsOf()
      const first = await change({}, step('/x', { after: 'm1' }))
      const below = await change({}, step('/x/ä/b', { before: 'm1', after: 'm2' }))
      const beside = await change({}, step('/x y'), step('/from', { to: parsePath('/z/moved') }))
      const touched = (path: string, after: number, ...except: number[]) =>
        rows.wasTouchedAfter(after, { root: ROOT, path: parsePath(path) }, new Set(except))
      expect(await touched('/x', first)).toBe(true)
      expect(await touched('/x', first, below)).toBe(false)
      expect(await touched('/x', first, beside, first)).toBe(true)
      expect(await touched('/x', below)).toBe(false)
      expect([await touched('/z', first), await touched('/from/x', first)]).toEqual([true, false])
      expect(await rows.wasTouchedAfter(0, { root: '/elsewhere', path: parsePath('/x') })).toBe(
        false,
      )
      expect([...(await rows.marksSince(below, ROOT, ['m1', 'none']))].toSorted()).toEqual([
        'm1',
        'm2',
      ])
      expect(await rows.marksSince(beside, ROOT, ['m1', 'm2'])).toEqual(new Set())
      await change({ verb: 'undo', undoOf: below })
      expect(await touched('/x', first)).toBe(false)
    })

    test('of folders that an undo has left are found', async () => {
      const rows = rowsOf()
      const made = (path: string) => step(path, { kind: 'made', role: 'part', isFolder: true })
      const id = await change({}, made('/left'), made('/removed'))
      await change({ verb: 'undo', undoOf: id }, step('/removed', { kind: 'removed' }))
      const paths = ['/left', '/removed', '/other'].map((path) => parsePath(path))
      const left = await rows.leftFolders({ root: ROOT, userId: 1 }, paths)
      expect(left).toEqual([made('/left')])
      expect(await rows.leftFolders({ root: ROOT, userId: 2 }, paths)).toEqual([])
    })

    test('of content that the trash has again, or lacks', async () => {
      const [rows, trash] = [rowsOf(), new TrashRows(given.db)]
      const item = kept('again', '/a')
      await trash.insert(item)
      const removed = { kind: 'removed', role: 'trash', before: 'mark', kept: item.name } as const
      const id = await change({ verb: 'delete' }, step('/a', removed))
      const restore = await change({ verb: 'restore' })
      await change({ verb: 'undo', undoOf: restore }, step('/a', removed))
      const found = await rows.keptAgain(ROOT, id)
      expect([...found].map(([mark, name]) => [mark, shortName({ name })])).toEqual([
        ['mark', 'again'],
      ])
      expect(await rows.namesMissingContent(id)).toBe(false)
      await trash.remove(item.name)
      expect(await rows.namesMissingContent(id)).toBe(true)
    })
  })

  test('steps are removed a few at a time, and their entry with the last ones', async () => {
    const rows = rowsOf()
    const id = await change({}, step('/a'), step('/b'), step('/c'))
    expect([await rows.removeSome(id, 2), await rows.removeSome(id, 2)]).toEqual([false, true])
    expect(await rows.exists(id)).toBe(false)
  })
}
