/** The time for the age of what is deleted: a clock that is wrong for one start deletes nothing. */
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Scopes } from '#server/access/scope/scopes.ts'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import { openDatabase } from '#server/db/open.ts'
import { SettingRows } from '#server/db/rows/settings.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { type Clock, SeenTime } from '#server/settings/seen-time.ts'
import { openTree } from '#server/tree.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { DAY_MS } from '#wire/units.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const YEARS_MS = 3650 * DAY_MS

let folder: ReturnType<typeof temporaryFolder>
let data: SqliteDatabase
let rows: SettingRows
beforeEach(() => {
  folder = temporaryFolder()
  data = new SqliteDatabase(openDatabase(join(folder.path, 'f.db')), async () => undefined)
  rows = new SettingRows(data)
})
afterEach(async () => {
  setSystemTime()
  await data.close()
  folder.remove()
})

/** A clock that a test sets. */
function clockAt(timeOfDayMs: number): Clock & { pass(ms: number): void; set(ms: number): void } {
  let [now, passed] = [timeOfDayMs, 0]
  return {
    timeOfDayMs: () => now,
    monotonicMs: () => passed,
    pass(ms) {
      now += ms
      passed += ms
    },
    set(ms) {
      now = ms
    },
  }
}
/** The time at a start, after the last server has stored `lastMs`. */
async function startedAt(lastMs: number, clock: Clock): Promise<SeenTime> {
  await (await SeenTime.open(rows, data, clockAt(lastMs))).store()
  return await SeenTime.open(rows, data, clock)
}

test('the first start, and one after less than a day, have the time of day', async () => {
  expect((await SeenTime.open(rows, data, clockAt(NOON))).nowMs()).toBe(NOON)
  expect((await startedAt(NOON, clockAt(NOON + DAY_MS))).nowMs()).toBe(NOON + DAY_MS)
})

test('after a jump ahead the time goes on twice as fast, and catches up', async () => {
  const clock = clockAt(NOON + 3 * DAY_MS)
  const time = await startedAt(NOON, clock)
  expect(time.nowMs()).toBe(NOON)
  clock.pass(DAY_MS)
  expect(time.nowMs()).toBe(NOON + 2 * DAY_MS)
  clock.pass(7 * DAY_MS)
  expect(time.nowMs()).toBe(clock.timeOfDayMs())
})

test('a clock that is behind does not turn the time back, and is believed when it is right', async () => {
  const clock = clockAt(0)
  const time = await startedAt(NOON, clock)
  expect(time.nowMs()).toBe(NOON)
  clock.pass(1000)
  clock.set(NOON + 1500)
  expect(time.nowMs()).toBe(NOON + 1500)
})

test('one start with a clock that is years ahead removes no trash, journal or upload', async () => {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  mkdirSync(root)
  const flags = { database: join(folder.path, 'f.db'), root, durability: 'relaxed' }
  const open = async () => {
    const core = await openCore(loadConfig({ flags, env: {} }))
    return { core, tree: await openTree(root, core.config, core) }
  }
  const first = await open()
  const noHook = async () => undefined
  const { storage, journal } = first.tree
  const scopes = new Scopes(
    storage,
    { get: () => [], refresh: async () => undefined },
    first.core.shares,
    noHook,
    journal,
  )
  const perm = permissionsOf('admin')
  const scope = scopes.of({
    id: 1,
    username: 'a',
    perm,
    scope: '/',
    rules: [],
    hideDotfiles: false,
  })
  writeFileSync(join(root, 'file'), 'file')
  await scope.remove(parsePath('/file'))
  await first.core.seenTime.store()
  first.tree.close()
  await first.core.close()
  setSystemTime(Date.now() + YEARS_MS)
  const second = await open()
  expect(await second.tree.trash.prune()).toBe(0)
  await second.tree.journal.deleteOldEntries()
  expect(readdirSync(join(root, '.filemgr/trash'))).toHaveLength(1)
  expect(await second.core.rows.journal.list({}, 10)).toHaveLength(1)
  second.tree.close()
  await second.core.close()
  folder.remove()
})
