/** The work of a transaction may run again after it was rolled back: what it has noted in memory is forgotten then. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Actor } from '#server/access/actor.ts'
import { Users } from '#server/accounts/users/users.ts'
import { ALONE, peersInFolder } from '#server/cluster/peers.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open.ts'
import { JournalRows } from '#server/db/rows/journal.ts'
import { SettingRows } from '#server/db/rows/settings.ts'
import { ShareRows } from '#server/db/rows/shares.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import { UserRows } from '#server/db/rows/users.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { Journal } from '#server/journal/journal.ts'
import { Trash } from '#server/journal/trash.ts'
import { Installation } from '#server/settings/installation.ts'
import { Settings } from '#server/settings/settings.ts'
import { Shares } from '#server/shares/shares.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { Step } from '#server/storage/step.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { insertChange, step } from '../../contract/rows/changes.ts'
import { insertUsers } from '../../contract/rows/fixture.ts'
import { type TestCore, temporaryCore } from '../../support/server/test-core.ts'
import { JOURNAL_LIMITS, TRASH_LIMITS } from '../../support/storage/journal-limits.ts'
import { STORAGE_OPTIONS } from '../../support/storage/served.ts'
import { repeated } from '../../support/system/repeated.ts'

let core: TestCore
let once: SqliteDatabase
let db: Database
beforeEach(async () => {
  core = await temporaryCore()
  once = new SqliteDatabase(openDatabase(core.database), async () => undefined)
  db = repeated(once)
})
afterEach(async () => {
  await once.close()
  await core.close()
})

const actor: Actor = {
  id: 1,
  username: 'anna',
  perm: permissionsOf('admin'),
  scope: ROOT,
  rulesFrom: [ROOT],
  rules: [],
  hideDotfiles: false,
}

/** A journal that keeps one entry. */
async function openJournal() {
  const root = join(core.database, '..')
  const storage = await LocalStorage.open(root, STORAGE_OPTIONS)
  const [rows, trashRows] = [new JournalRows(db), new TrashRows(db)]
  const store = storage.can.trash
  const trash = new Trash(trashRows, store, () => storage.usage(ROOT), { root, ...TRASH_LIMITS })
  const peers = peersInFolder(store ?? ALONE)
  const deps = { rows, trashRows, store, peers, trash, sharesAt: async () => '' }
  const journal = new Journal(deps, { root, ...JOURNAL_LIMITS, entriesMax: 1 })
  const close = () => {
    trash.close()
    storage.close()
  }
  return { rows, journal, root, close }
}

test('an entry of the journal has its steps once, also those that are recorded at the same time', async () => {
  const { rows, journal, close } = await openJournal()
  const entry = journal.open(actor, { session: '', client: 'api' }, { verb: 'upload', path: ROOT })
  const made = (name: string): Step => ({
    kind: 'made',
    role: 'trash',
    path: parsePath(`/${name}`),
    parent: '',
    toParent: '',
    before: '',
    after: '',
    kept: '',
    isFolder: false,
    completeMs: 0,
    sizeBytes: 0,
    diskBytes: 0,
    modifiedMs: 0,
    happened: true,
  })
  await entry.record([made('a'), made('b')])
  await Promise.all([entry.record([made('c')]), entry.record([made('d')])])
  await entry.done()
  const [stored, ...others] = await rows.list({}, 9)
  expect([stored?.id, others]).toEqual([entry.id, []])
  const paths = (await rows.stepsOf(stored?.id ?? 0)).map(({ step: { path } }) => `${path}`)
  expect(paths).toEqual(['/a', '/b', '/c', '/d'])
  close()
})

test('changes are joined although the work was rolled back once', async () => {
  const { rows, journal, root, close } = await openJournal()
  const given = { db: once, openOther: async () => once }
  const values = { root, atMs: Date.now() }
  const first = await insertChange(given, values, step('/a', { before: 'm0', after: 'm1' }))
  await insertChange(given, values, step('/a', { before: 'm1', after: 'm2' }))
  await journal.deleteOldEntries()
  expect((await rows.list({}, 9)).map(({ id }) => id)).toEqual([first])
  close()
})

test('settings are stored from what can be read once', async () => {
  const rows = new SettingRows(db)
  const installation = new Installation(rows)
  await installation.put(new Map([['port', '8081']]).entries())
  expect(await installation.get()).toEqual({ port: '8081' })
  const settings = await Settings.open(rows, core.config)
  await settings.setOptions(new Map([['minimumPasswordLength', 20]]).entries())
  expect(settings.get().minimumPasswordLength).toBe(20)
})

test('an import names each problem once', async () => {
  const users = new Users(new UserRows(db), core.settings, core.sessions, async () => undefined)
  const user = { id: 0, username: 'anna', passwordHash: 'no hash', changes: {} }
  const options = { overwrite: false, replace: false }
  const problems = await users.tryImport([user, user], options, { dryRun: true })
  expect(problems).toHaveLength(1)
})

test('shares that are restored are counted once', async () => {
  await insertUsers(once, 1)
  const shares = new Shares(new ShareRows(db), new UserRows(db), async () => '')
  const share = {
    hash: 'h',
    userId: 1,
    home: '/',
    path: parsePath('/a'),
    isFolder: false,
    expiresSec: 0,
    passwordHash: '',
    token: '',
    createdMs: 1,
  }
  expect(await shares.restored(JSON.stringify([share]), ROOT, ROOT)).toBe(1)
})
