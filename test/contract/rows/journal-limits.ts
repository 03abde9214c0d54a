/** Which entries leave the journal, which are joined, and who brought content in. */
import { describe, expect, test } from 'bun:test'
import { BROUGHT_BY } from '#server/db/rows/brought-in.ts'
import { JournalRows } from '#server/db/rows/journal.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import { parsePath } from '#wire/paths.ts'
import { insertChange, ROOT, step } from './changes.ts'
import { countOf, type Given } from './fixture.ts'

const NO_LIMIT = { beforeMs: 0, countMax: 99, bytes: 2 ** 50 }

export function describeJournalLimits(given: Given): void {
  describe('entries leave the journal', () => {
    test('when they are too old', async () => {
      const old = await insertChange(given, { atMs: 1 }, step('/a'))
      await insertChange(given, { atMs: 2 }, step('/a'))
      const rows = new JournalRows(given.db)
      expect(await rows.markDeleted(ROOT, { ...NO_LIMIT, beforeMs: 2 })).toEqual([old])
      expect(await rows.findAny(old)).toBeUndefined()
    })

    test('beyond a number: of the user with the most, first what brings nothing back', async () => {
      const rows = new JournalRows(given.db)
      const saved = await insertChange(given, {}, step('/a'))
      const removed = await insertChange(given, {}, step('/freed', { kind: 'removed' }))
      const created = await insertChange(given, {}, step('/new', { kind: 'made' }))
      // This one is at a name that the user had freed.
      const again = await insertChange(given, {}, step('/freed', { kind: 'made' }))
      const other = await insertChange(given, { userId: 2 }, step('/b'))
      expect(await rows.markDeleted(ROOT, { ...NO_LIMIT, countMax: 4 })).toEqual([created])
      expect(await rows.markDeleted(ROOT, { ...NO_LIMIT, countMax: 3 })).toEqual([saved, created])
      for (const id of [removed, again, other]) expect(await rows.findAny(id)).toBeDefined()
    })

    test('beyond a size', async () => {
      const rows = new JournalRows(given.db)
      const ids = [
        await insertChange(given, {}, step('/a')),
        await insertChange(given, {}, step('/b')),
        await insertChange(given, {}, step('/c')),
      ]
      expect(await rows.markDeleted(ROOT, { ...NO_LIMIT, bytes: 1500 })).toEqual(ids.slice(0, 1))
    })
  })

  describe('entries are joined', () => {
    test('if they change the same file again, or rename it again', async () => {
      const rows = new JournalRows(given.db)
      const changes = [
        step('/a', { before: 'm0', after: 'm1' }),
        step('/a', { before: 'm1', after: 'm2' }),
        step('/n', { kind: 'renamed', to: parsePath('/o'), before: 'x', after: 'x' }),
        step('/o', { kind: 'renamed', to: parsePath('/p'), before: 'x', after: 'x' }),
      ]
      const ids: number[] = []
      for (const one of changes) ids.push(await insertChange(given, {}, one))
      // The third one is another object at another place.
      while (await rows.joined.joinSome(ROOT, { ...NO_LIMIT, countMax: 2 }, 1));
      expect((await rows.list({}, 9)).map(({ id }) => ids.indexOf(id))).toEqual([2, 0])
      const steps = await Promise.all([0, 2].map((index) => rows.stepsOf(ids[index] ?? 0)))
      expect(steps.flat().map((one) => [one.step.before, one.step.to, one.step.after])).toEqual([
        ['m0', '', 'm2'],
        ['x', '/p', 'x'],
      ])
    })

    test('to nothing, if a file was created and removed', async () => {
      const trash = new TrashRows(given.db)
      await insertChange(given, {}, step('/a', { kind: 'made', after: 'm' }))
      const removed = await insertChange(given, {}, step('/a', { kind: 'removed', before: 'm' }))
      await trash.joinChangeOf({ entry: removed })
      expect(await new JournalRows(given.db).list({}, 9)).toEqual([])
      expect(await countOf(given.db, 'journal_steps')).toBe(1)
    })
  })

  test('who brought content in is known through renames, folders and restores', async () => {
    const trash = new TrashRows(given.db)
    const made = (path: string, after: string) => step(path, { kind: 'made', after })
    await insertChange(given, { verb: 'upload' }, made('/mine', 'm1'))
    await insertChange(given, { verb: 'upload', userId: 2 }, made('/theirs', 'm2'))
    await insertChange(
      given,
      { verb: 'rename' },
      step('/theirs', { kind: 'renamed', to: parsePath('/f/b'), before: 'm2', after: 'm2' }),
    )
    await insertChange(
      given,
      { verb: 'rename' },
      step('/f', {
        kind: 'renamed',
        to: parsePath('/g'),
        before: 'm3',
        after: 'm3',
        isFolder: true,
      }),
    )
    const removal = await insertChange(
      given,
      { verb: 'delete' },
      step('/g/b', { kind: 'removed', before: 'm2' }),
    )
    await insertChange(given, { verb: 'restore' }, made('/back', 'm2'))
    const broughtBy = (path: string, mark: string, userId: number, isFolder = false) =>
      trash.broughtBy({
        root: ROOT,
        userId,
        entry: removal + 9,
        path: parsePath(path),
        mark,
        isFolder,
      })
    expect(await broughtBy('/mine', 'm1', 1)).toBe(BROUGHT_BY.remover)
    expect(await broughtBy('/mine', 'm1', 2)).toBe(BROUGHT_BY.other)
    expect(await broughtBy('/back', 'm2', 1)).toBe(BROUGHT_BY.other)
    expect(await broughtBy('/back', 'm2', 2)).toBe(BROUGHT_BY.remover)
    expect(await broughtBy('/g', 'm3', 1, true)).toBe(BROUGHT_BY.other)
    expect(await broughtBy('/nowhere', 'm9', 1)).toBe(BROUGHT_BY.unknown)
  })
}
