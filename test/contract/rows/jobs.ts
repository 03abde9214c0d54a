/** The rows of jobs and their items. */
import { describe, expect, test } from 'bun:test'
import type { NewItem, NewJob, StoredItem } from '#server/db/rows/job-rows.ts'
import { JobWatch } from '#server/db/rows/job-watch.ts'
import { JobRows } from '#server/db/rows/jobs.ts'
import { JournalRows } from '#server/db/rows/journal.ts'
import { parsePath } from '#wire/paths.ts'
import { entry as changeEntry } from './changes.ts'
import { countOf, type Given, insertUsers } from './fixture.ts'

const ROOT = '/served'
const job = (values: Partial<NewJob> = {}): NewJob => ({
  root: ROOT,
  writer: 'me',
  userId: 1,
  session: '',
  client: 'api',
  scope: parsePath('/'),
  kind: 'copy',
  to: parsePath('/to'),
  source: '',
  state: 'waiting',
  madeMs: 1,
  isPartial: false,
  ...values,
})
const item = (path: string, values: Partial<NewItem> = {}): NewItem => ({
  path: parsePath(path),
  part: '',
  to: '',
  decision: 'skip',
  copyName: `copy of ${path}`,
  state: 'waiting',
  fault: '',
  reason: '',
  files: 1,
  bytes: 2 ** 40,
  ...values,
})

export function describeJobRows(given: Given): void {
  const only = async (rows: JobRows, id: number, index = 0): Promise<StoredItem> => {
    const found = (await rows.items(id))[index]
    if (!found) throw new Error('The job has no such item.')
    return found
  }

  describe('jobs', () => {
    test('are inserted with their items, or refused with them', async () => {
      await insertUsers(given.db, 1, 2)
      const rows = new JobRows(given.db)
      const id = await rows.insert(job({ isPartial: true }), [item('/a'), item('/b')])
      const refused = rows.insert(job(), [item('/c')], async () => {
        throw new Error('too many')
      })
      await expect(refused).rejects.toThrow('too many')
      const other = await rows.insert(job({ userId: 2, root: '/elsewhere' }), [])
      expect(await rows.find(ROOT, id)).toMatchObject({
        username: 'user 1',
        isPartial: true,
        to: '/to',
      })
      expect([await rows.find(ROOT, other), (await rows.findAny(other))?.userId]).toEqual([
        undefined,
        2,
      ])
      expect(await rows.list(ROOT, 1, 9)).toHaveLength(1)
      expect((await rows.listAll(undefined, 9)).map((one) => one.id)).toEqual([other, id])
      expect((await rows.items(id)).map(({ path }) => `${path}`)).toEqual(['/a', '/b'])
      const [first] = await rows.items(id)
      expect(await rows.items(id, 1, first?.id)).toMatchObject([{ path: '/b', bytes: 2 ** 40 }])
      expect([await rows.hasCopy('copy of /a'), await rows.hasCopy('')]).toEqual([true, false])
      await rows.remove(id)
      expect(await countOf(given.db, 'job_items')).toBe(0)
    })

    test('are limited: a limit that many check at once is not exceeded', async () => {
      await insertUsers(given.db, 1)
      const rows = new JobRows(given.db)
      const insert = () =>
        rows.insert(job(), [item('/a')], async () => {
          if ((await rows.countUnfinished(ROOT, 1)).ofUser >= 2) throw new Error('too many')
        })
      const ends = await Promise.allSettled(Array.from({ length: 6 }, insert))
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      await rows.setState((await rows.list(ROOT, 1, 1))[0]?.id ?? 0, 'done')
      expect(await rows.countUnfinished(ROOT, 2)).toEqual({ ofUser: 0, all: 1 })
    })

    test('change their state and writer only from the expected one', async () => {
      await insertUsers(given.db, 1)
      const rows = new JobRows(given.db)
      const id = await rows.insert(job({ state: 'paused' }), [])
      expect(await rows.begin(id, 'waiting', 'me')).toBe(false)
      expect(await rows.begin(id, 'paused', undefined)).toBe(true)
      expect(await rows.find(ROOT, id)).toMatchObject({ state: 'waiting', writer: 'me' })
      expect(await rows.claim(id, { from: 'other', to: 'you' })).toBe(false)
      expect(await rows.claim(id, { from: 'me', to: 'you' })).toBe(true)
      expect(await rows.setState(id, 'done', undefined, 0, 'me')).toBe(false)
      expect(await rows.setState(id, 'running', undefined, 0, 'you')).toBe(true)
      expect(await rows.claim(id, { from: 'you', to: 'me' })).toBe(true)
      await rows.setState(id, 'failed', { fault: 'notFound', reason: 'why' }, 0)
      expect(await rows.listWithLeftovers(ROOT)).toMatchObject([{ fault: 'notFound', endedMs: 0 }])
      expect(await rows.unfinished(ROOT)).toEqual([])
    })

    test('are changed only by the process that has them', async () => {
      await insertUsers(given.db, 1)
      const [rows, journal] = [new JobRows(given.db), new JournalRows(given.db)]
      const id = await rows.insert(job(), [item('/a', { copyName: 'copy' })])
      const first = await only(rows, id)
      expect(await rows.saveItem({ ...first, state: 'running' }, 'other')).toBe(false)
      expect((await only(rows, id)).state).toBe('waiting')
      expect(await rows.saveItem({ ...first, state: 'running' }, 'me')).toBe(true)
      const entry = await journal.begin(
        changeEntry({ root: ROOT, writer: 'me', jobItem: first.id }),
      )
      expect(await rows.claim(id, { from: 'me', to: 'you' })).toBe(false)
      expect(await journal.isUnfinished(entry, 'you')).toBe(false)
      expect(await journal.changeWriter(entry, { from: 'me', to: 'you' })).toBe(true)
      expect(await journal.isUnfinished(entry, 'you')).toBe(true)
      expect(await rows.claim(id, { from: 'me', to: 'third' })).toBe(false)
      expect(await rows.claim(id, { from: 'me', to: 'you' })).toBe(true)
      const renamed = await rows.renameCopies(id, () => 'new')
      expect(renamed.map(({ copyName }) => copyName)).toEqual(['copy'])
      expect((await only(rows, id)).copyName).toBe('new')
    })

    test('get requests, of which a cancellation stays', async () => {
      await insertUsers(given.db, 1)
      const rows = new JobRows(given.db)
      const [one, two] = [
        await rows.insert(job(), []),
        await rows.insert(job({ writer: 'you' }), []),
      ]
      for (const request of ['pause', 'cancel', 'resume'] as const) await rows.request(one, request)
      await rows.request(two, 'pause')
      expect(await rows.takeRequests(ROOT, 'me')).toEqual([{ id: one, request: 'cancel' }])
      expect(await rows.takeRequests(ROOT, 'me')).toEqual([])
      expect((await rows.findAny(two))?.request).toBe('pause')
    })

    test('that have ended are deleted by age, and beyond a number for each user', async () => {
      await insertUsers(given.db, 1, 2)
      const rows = new JobRows(given.db)
      const ended = async (endedMs: number, userId: number) => {
        const id = await rows.insert(job({ userId }), [])
        await rows.setState(id, 'done', undefined, endedMs)
        return id
      }
      await ended(1, 1)
      await ended(5, 1)
      const newest = [await ended(6, 1), await ended(7, 1), await ended(8, 2)]
      const left = async () => (await rows.list(ROOT, undefined, 9)).map(({ id }) => id)
      await rows.deleteOld(ROOT, 1, 2)
      expect((await left()).toReversed()).toEqual(newest)
      // An unfinished one counts, and is not deleted.
      const running = await rows.insert(job(), [])
      await rows.deleteOld(ROOT, 1, 2)
      expect((await left()).toReversed()).toEqual([...newest.slice(1), running])
      await rows.deleteOld(ROOT, 1, 0)
      expect(await left()).toEqual([running])
    })
  })

  describe('items', () => {
    test('are done in order, started ones first, and have sums', async () => {
      await insertUsers(given.db, 1)
      const rows = new JobRows(given.db)
      const id = await rows.insert(
        job(),
        ['/a', '/b', '/c', '/d'].map((path) => item(path)),
      )
      await rows.saveItem({ ...(await only(rows, id, 1)), state: 'running', mergesFolders: true })
      expect(await rows.nextItem(id)).toMatchObject({ path: '/b', mergesFolders: true })
      await rows.saveItem({
        ...(await only(rows, id, 1)),
        state: 'done',
        resultPath: parsePath('/r'),
      })
      expect(await rows.nextItem(id)).toMatchObject({ path: '/a' })
      await rows.saveItem({ ...(await only(rows, id, 0)), state: 'failed', fault: 'notFound' })
      await rows.saveItem({ ...(await only(rows, id, 3)), state: 'skipped' })
      expect(await rows.sums(id)).toEqual({
        items: 4,
        failed: 1,
        files: 3,
        bytes: 3 * 2 ** 40,
        filesDone: 1,
        bytesDone: 2 ** 40,
      })
      expect(await rows.sums(0)).toMatchObject({ items: 0, bytes: 0, bytesDone: 0 })
      expect(await rows.listFirstFailed(id, 1)).toMatchObject([{ path: '/a', fault: 'notFound' }])
      expect(await rows.allFailed(id)).toBe(false)
      await rows.saveOtherItems({ ...(await only(rows, id, 0)), reason: 'not' }, 'other')
      await rows.saveOtherItems({ ...(await only(rows, id, 0)), reason: 'why' }, 'me')
      const states = (await rows.items(id)).map(({ state, reason }) => `${state} ${reason}`)
      expect(states).toEqual(['failed ', 'failed why', 'failed why', 'skipped '])
    })

    test('have parts, which are replaced together', async () => {
      await insertUsers(given.db, 1)
      const rows = new JobRows(given.db)
      const id = await rows.insert(job(), [item('/a'), item('/b')])
      const parts = (...names: string[]) =>
        names.map((part) => item('/a', { part, state: 'failed', copyName: part }))
      await rows.replaceParts(await only(rows, id), parts('x', 'y'), 'me')
      await rows.replaceParts(await only(rows, id), parts('z'), 'me')
      await rows.replaceParts(await only(rows, id), parts('w'), 'other')
      expect((await rows.items(id)).map(({ part }) => part)).toEqual(['', '', 'z'])
      expect(await rows.sums(id)).toMatchObject({ items: 2, failed: 1 })
    })

    test('have entries in the journal, and what these have created', async () => {
      await insertUsers(given.db, 1)
      const [rows, journal] = [new JobRows(given.db), new JournalRows(given.db)]
      const id = await rows.insert(job(), [item('/a')])
      const one = await only(rows, id)
      const entry = await journal.begin({
        root: ROOT,
        writer: 'me',
        atMs: 1,
        userId: 1,
        username: '',
        session: '',
        client: 'api',
        jobItem: one.id,
        verb: 'copy',
        scope: '',
        path: parsePath('/a'),
        to: '',
        undoOf: 0,
      })
      const step = {
        kind: 'made',
        role: 'trash',
        to: '',
        parent: '',
        toParent: '',
        before: '',
      } as const
      await journal.putStep(entry, 0, {
        ...step,
        path: parsePath('/to/a'),
        after: 'mark',
        kept: '',
        isFolder: false,
        completeMs: 0,
      })
      expect(await rows.entries(id, 9)).toEqual([])
      await journal.done(entry)
      expect([await rows.entries(id, 9), await journal.ofJobItem(one.id)]).toEqual([[entry], entry])
      expect((await rows.createdBy(one.id)).map((path) => `${path}`)).toEqual(['/to/a'])
    })
  })

  test('the users whose jobs another process has changed are known', async () => {
    await insertUsers(given.db, 1, 2)
    const rows = new JobRows(given.db)
    const [one] = [
      await rows.insert(job(), [item('/a')]),
      await rows.insert(job({ userId: 2 }), []),
    ]
    const watch = new JobWatch(given.db)
    await watch.changedUsers(ROOT)
    const other = new JobRows(await given.openOther())
    await other.saveItem({ ...(await only(other, one)), state: 'running' })
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(await watch.changedUsers(ROOT)).toEqual([1])
    expect(await watch.changedUsers(ROOT)).toEqual([])
  })
}
