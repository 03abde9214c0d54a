/** The limits of the journal: age, number of entries, and size. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Commits } from '#server/db/commits.ts'
import { JournalRows } from '#server/db/journal.ts'
import { openDatabase } from '#server/db/open.ts'
import { TrashRows } from '#server/db/trash.ts'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { Journal, type JournalOptions } from '#server/journal/journal.ts'
import { Trash } from '#server/journal/trash.ts'
import { LocalStorage } from '#server/storage/local.ts'
import type { Step } from '#server/storage/step.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { JOURNAL_LIMITS, TRASH_LIMITS } from '../../support/journal-limits.ts'
import { STORAGE_OPTIONS } from '../../support/served.ts'
import { temporaryFolder } from '../../support/tree.ts'

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

function journalOf(options: Partial<JournalOptions>): Journal {
  const flushes = new FlushQueue()
  const rows = new JournalRows(db, new Commits(db, (log) => flushes.shared(log)))
  const [trashRows, store, root] = [new TrashRows(db), storage.can.trash, folder.path]
  const trash = new Trash(trashRows, store, () => storage.usage(ROOT), {
    root,
    ...TRASH_LIMITS,
  })
  return new Journal(
    { rows, trashRows, store, trash, sharesAt: () => '' },
    { root, ...JOURNAL_LIMITS, ...options },
  )
}

/** Records an entry with so many steps. @returns its id */
async function entry(
  journal: Journal,
  steps: number,
  { userId = 1, kind = 'made' }: { userId?: number; kind?: Step['kind'] } = {},
): Promise<number> {
  const origin = { session: '', client: 'api' } as const
  const change = journal.open({ ...actor, id: userId }, origin, { verb: 'upload', path: ROOT })
  const made = (at: number): Step => ({
    kind,
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
  })
  change.record(Array.from({ length: steps }, (_, at) => made(at)))
  await change.done()
  return change.id ?? 0
}

const entries = (journal: Journal) => journal.list(actor, {}, 100).map(({ id }) => id)
const steps = () =>
  db.query<{ count: number }, []>('SELECT count(*) AS count FROM journal_steps').get()?.count

test('old journal entries are deleted with their steps', async () => {
  const journal = journalOf({ keepMs: -1000 })
  await entry(journal, 2)
  await journal.deleteOldEntries()
  expect([entries(journal), steps()]).toEqual([[], 0])
})

test('only a limited number of the newest journal entries stay', async () => {
  const journal = journalOf({ entriesMax: 2 })
  await entry(journal, 1)
  const stays = [await entry(journal, 1), await entry(journal, 1)]
  await journal.deleteOldEntries()
  expect([entries(journal), steps()]).toEqual([stays.toReversed(), 2])
})

test('the size of the journal is limited, and the newest entries stay complete @limit-54', async () => {
  const journal = journalOf({ bytesMax: 2 ** 20 })
  const first = await entry(journal, 200)
  const last = await entry(journal, 200)
  await journal.deleteOldEntries()
  expect([entries(journal), steps()]).toEqual([[last, first], 400])
  const large = await entry(journal, 400)
  await journal.deleteOldEntries()
  expect([entries(journal), steps()]).toEqual([[large], 400])
})

test('the size of the journal is checked after a number of written bytes', async () => {
  const journal = journalOf({ bytesMax: 2 ** 20 })
  // More steps than are deleted at once, and more bytes than the limit.
  await entry(journal, 600)
  while (steps() !== 0) await Bun.sleep(5)
  expect(entries(journal)).toEqual([])
})

test('the user with the most journal entries loses the oldest, and no other user any', async () => {
  const journal = journalOf({ entriesMax: 6 })
  const others = [await entry(journal, 1, { userId: 2 }), await entry(journal, 1, { userId: 3 })]
  const own = []
  for (let number = 0; number < 10; number += 1) own.push(await entry(journal, 1))
  await journal.deleteOldEntries()
  expect(entries(journal)).toEqual([...own.slice(-4).toReversed(), ...others.toReversed()])
})

test('the user with the most bytes in the journal loses the oldest, and no other user any', async () => {
  const journal = journalOf({ bytesMax: 2 ** 20 })
  const other = await entry(journal, 100, { userId: 2 })
  await entry(journal, 200)
  const last = await entry(journal, 300)
  await journal.deleteOldEntries()
  expect(entries(journal)).toEqual([last, other])
})

test('uploads of new files leave the journal before changes that take something away', async () => {
  const journal = journalOf({ entriesMax: 3 })
  const replaced = await entry(journal, 1, { kind: 'replaced' })
  const removed = await entry(journal, 1, { kind: 'removed' })
  for (let number = 0; number < 5; number += 1) await entry(journal, 1)
  const last = await entry(journal, 1)
  await journal.deleteOldEntries()
  expect(entries(journal)).toEqual([last, removed, replaced])
})
