/** The limits of the journal: age, number of entries, and size. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import type { Journal, JournalOptions } from '#server/journal/journal.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { Step } from '#server/storage/step.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { journalOf } from '../../support/storage/journal-of.ts'
import { STORAGE_OPTIONS } from '../../support/storage/served.ts'

const actor = {
  id: 1,
  username: 'anna',
  perm: permissionsOf('admin'),
  scope: ROOT,
  rulesFrom: [ROOT],
  rules: [],
  hideDotfiles: false,
}
const LONG = 'n'.repeat(1000)

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let storage: LocalStorage
beforeEach(async () => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  mkdirSync(join(folder.path, 'root'))
  storage = await LocalStorage.open(join(folder.path, 'root'), STORAGE_OPTIONS)
})
afterEach(() => {
  storage.close()
  db.close()
  folder.remove()
})

const limited = (options: Partial<JournalOptions>): Journal =>
  journalOf(db, storage, folder.path, options).journal

/** Records an entry with so many steps. @returns its id */
async function entry(
  journal: Journal,
  steps: number,
  { userId = 1, ...step }: { userId?: number } & Partial<Step> = {},
): Promise<number> {
  const origin = { session: '', client: 'api' } as const
  const change = journal.open({ ...actor, id: userId }, origin, { verb: 'upload', path: ROOT })
  const made = (at: number): Step => ({
    kind: 'made',
    role: 'trash',
    path: parsePath(`/${LONG}${at}`),
    parent: '',
    toParent: '',
    before: '',
    after: 'mark',
    kept: '',
    isFolder: false,
    completeMs: 0,
    sizeBytes: 0,
    diskBytes: 0,
    modifiedMs: 0,
    happened: true,
    ...step,
  })
  await change.record(Array.from({ length: steps }, (_, at) => made(at)))
  await change.done()
  return change.id ?? 0
}

const entries = async (journal: Journal) => (await journal.list(actor, {}, 100)).map(({ id }) => id)
const steps = () =>
  db.query<{ count: number }, []>('SELECT count(*) AS count FROM journal_steps').get()?.count

test('old journal entries are deleted with their steps', async () => {
  const journal = limited({ keepMs: -1000 })
  await entry(journal, 2)
  await journal.deleteOldEntries()
  expect([await entries(journal), steps()]).toEqual([[], 0])
})

test('only a limited number of the newest journal entries stay', async () => {
  const journal = limited({ entriesMax: 2 })
  await entry(journal, 1)
  const stays = [await entry(journal, 1), await entry(journal, 1)]
  await journal.deleteOldEntries()
  expect([await entries(journal), steps()]).toEqual([stays.toReversed(), 2])
})

test('the size of the journal is limited, and the newest entries stay complete @limit-54', async () => {
  const journal = limited({ bytesMax: 2 ** 20 })
  const first = await entry(journal, 200)
  const last = await entry(journal, 200)
  await journal.deleteOldEntries()
  expect([await entries(journal), steps()]).toEqual([[last, first], 400])
  const large = await entry(journal, 400)
  await journal.deleteOldEntries()
  expect([await entries(journal), steps()]).toEqual([[large], 400])
})

test('the size of the journal is checked after a number of written bytes', async () => {
  const journal = limited({ bytesMax: 2 ** 20 })
  // More steps than are deleted at once, and more bytes than the limit.
  await entry(journal, 600)
  while (steps() !== 0) await Bun.sleep(5)
  expect(await entries(journal)).toEqual([])
})

test('the user with the most journal entries loses the oldest, and no other user any', async () => {
  const journal = limited({ entriesMax: 6 })
  const others = [await entry(journal, 1, { userId: 2 }), await entry(journal, 1, { userId: 3 })]
  const own = []
  for (let number = 0; number < 10; number += 1) own.push(await entry(journal, 1))
  await journal.deleteOldEntries()
  expect(await entries(journal)).toEqual([...own.slice(-4).toReversed(), ...others.toReversed()])
})

test('the user with the most bytes in the journal loses the oldest, and no other user any', async () => {
  const journal = limited({ bytesMax: 2 ** 20 })
  const other = await entry(journal, 100, { userId: 2 })
  await entry(journal, 200)
  const last = await entry(journal, 300)
  await journal.deleteOldEntries()
  expect(await entries(journal)).toEqual([last, other])
})

test('uploads of new files leave the journal before changes that take something away', async () => {
  const journal = limited({ entriesMax: 3 })
  const replaced = await entry(journal, 1, { kind: 'replaced', path: parsePath('/replaced') })
  const removed = await entry(journal, 1, { kind: 'removed', path: parsePath('/removed') })
  for (let number = 0; number < 5; number += 1) await entry(journal, 1)
  const last = await entry(journal, 1)
  await journal.deleteOldEntries()
  expect(await entries(journal)).toEqual([last, removed, replaced])
})

test('a new file stays in the journal with the removal that freed its name', async () => {
  const journal = limited({ entriesMax: 3 })
  const path = parsePath('/again')
  const removed = await entry(journal, 1, { kind: 'removed', path, before: 'old', after: '' })
  const made = await entry(journal, 1, { path, after: 'new' })
  for (let number = 0; number < 5; number += 1) await entry(journal, 1)
  const last = await entry(journal, 1)
  await journal.deleteOldEntries()
  expect(await entries(journal)).toEqual([last, made, removed])
})

test('changes of a file that follow each other become one, which leads to the last state', async () => {
  const journal = limited({ entriesMax: 2 })
  const path = parsePath('/file')
  const other = await entry(journal, 1, { kind: 'removed', path: parsePath('/other'), before: 'x' })
  const first = await entry(journal, 1, { kind: 'replaced', path, before: 'a', after: 'b' })
  await entry(journal, 1, { kind: 'replaced', path, before: 'b', after: 'c' })
  await entry(journal, 1, { kind: 'replaced', path, before: 'c', after: 'd' })
  await journal.deleteOldEntries()
  expect(await entries(journal)).toEqual([first, other])
  expect(stepsAt('/file')).toEqual([{ before: 'a', after: 'd', target: '' }])
})

test('changes of a file by several users stay apart', async () => {
  const journal = limited({ entriesMax: 2 })
  const path = parsePath('/file')
  await entry(journal, 1, { kind: 'replaced', path, before: 'a', after: 'b' })
  const others = await entry(journal, 1, {
    kind: 'replaced',
    path,
    before: 'b',
    after: 'c',
    userId: 2,
  })
  const last = await entry(journal, 1, { kind: 'replaced', path, before: 'c', after: 'd' })
  await journal.deleteOldEntries()
  expect(await entries(journal)).toEqual([last, others])
  expect(stepsAt('/file')).toEqual([
    { before: 'b', after: 'c', target: '' },
    { before: 'c', after: 'd', target: '' },
  ])
})

test('renames of a name that follow each other become one, unless another change used the name', async () => {
  const journal = limited({ entriesMax: 3 })
  const rename = (from: string, to: string, mark: string) =>
    entry(journal, 1, {
      kind: 'renamed',
      path: parsePath(from),
      to: parsePath(to),
      before: mark,
      after: mark,
    })
  await rename('/a', '/b', '1')
  await rename('/b', '/a', '1')
  const first = await rename('/c', '/d', '2')
  await entry(journal, 1, { kind: 'removed', path: parsePath('/e'), before: '3', after: '' })
  await rename('/d', '/e', '2')
  await journal.deleteOldEntries()
  expect(await entries(journal)).toHaveLength(3)
  expect(stepsAt('/a')).toEqual([])
  expect(await entries(journal)).toContain(first)
  expect(stepsAt('/c')).toEqual([{ before: '2', after: '2', target: '/d' }])
})

test('a folder that was made and removed leaves the journal, unless another user put something into it', async () => {
  const journal = limited({ entriesMax: 3 })
  const folderStep = { path: parsePath('/folder'), isFolder: true }
  const inside = parsePath('/used/file')
  await entry(journal, 1, { ...folderStep, after: '1' })
  await entry(journal, 1, { ...folderStep, kind: 'removed', before: '1', after: '' })
  const used = { ...folderStep, path: parsePath('/used') }
  await entry(journal, 1, { ...used, after: '2' })
  const others = await entry(journal, 1, { path: inside, after: '3', userId: 2 })
  const removed = await entry(journal, 1, { ...used, kind: 'removed', before: '2', after: '' })
  await journal.deleteOldEntries()
  expect(stepsAt('/folder')).toEqual([])
  expect(await entries(journal)).toContain(removed)
  expect(await entries(journal)).toContain(others)
})

const stepsAt = (path: string) =>
  db
    .query<Record<string, string>, [string]>(
      'SELECT before, after, target FROM journal_steps WHERE path = ? ORDER BY entry',
    )
    .all(path)
