/** Who brought removed content in: each lookup uses an index, because it is made for every removal. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { BROUGHT_BY, broughtBy, type Removed } from '#server/db/rows/brought-in.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { planned } from '../../../support/system/query-plans.ts'

const ROOT = '/served'
const ANNA = 1
const BEN = 2

let folder: ReturnType<typeof temporaryFolder>
let db: Database
/** How SQLite carries the queries of a test out. */
let plans: string[]
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  plans = []
})
afterEach(() => {
  db.close()
  folder.remove()
})

/** Stores a finished entry with one step. */
function entry(id: number, userId: number, verb: string, step: Record<string, string>): void {
  db.query(
    `INSERT INTO journal (id, root, writer, is_done, at_ms, user_id, username, session, client, verb, path, target)
     VALUES (?, '${ROOT}', '', 1, 0, ?, '', '', '', ?, '', '')`,
  ).run(id, userId, verb)
  const { kind = 'made', path = '', target = '', before = '', after = '' } = step
  db.query(
    `INSERT INTO journal_steps (entry, number, kind, role, path, target, before, after, kept, is_folder)
     VALUES ($id, 0, $kind, 'file', $path, $target, $before, $after, '', 0)`,
  ).run({ id, kind, path, target, before, after })
}

async function lookUp(path: string, mark: string, isFolder = false): Promise<string | undefined> {
  const removed: Removed = {
    root: ROOT,
    userId: ANNA,
    entry: 100,
    path: parsePath(path),
    mark,
    isFolder,
  }
  const result = await broughtBy(
    planned(new SqliteDatabase(db, async () => undefined), plans),
    removed,
  )
  return Object.entries(BROUGHT_BY).find(([, value]) => value === result)?.[0]
}

function expectIndexes(): void {
  const readers = plans.filter((plan) => / s\b/.test(plan))
  expect(readers.length).toBeGreaterThan(0)
  for (const plan of readers) expect(plan).toMatch(/^SEARCH s USING INDEX journal_steps_by_/)
}

test('a file is followed through renames to its upload', async () => {
  entry(1, BEN, 'upload', { path: '/a', after: 'm' })
  entry(2, ANNA, 'rename', { kind: 'renamed', path: '/a', target: '/b/c', before: 'm', after: 'm' })
  entry(3, ANNA, 'rename', { kind: 'renamed', path: '/b', target: '/d', before: 'f', after: 'f' })
  expect(await lookUp('/d/c', 'm')).toBe('other')
  expectIndexes()
})

test('a file that was restored to another path is followed to its removal', async () => {
  entry(1, BEN, 'upload', { path: '/a', after: 'm' })
  entry(2, BEN, 'delete', { kind: 'removed', path: '/a', before: 'm' })
  entry(3, ANNA, 'restore', { path: '/elsewhere', after: 'm' })
  expect(await lookUp('/elsewhere', 'm')).toBe('other')
  expectIndexes()
})

test('a folder counts as what was put into it', async () => {
  entry(1, ANNA, 'folder', { path: '/f', after: 'f' })
  entry(2, ANNA, 'upload', { path: '/f/own', after: 'm' })
  expect(await lookUp('/f', 'f', true)).toBe('remover')
  entry(3, BEN, 'upload', { path: '/f/theirs', after: 'n' })
  expect(await lookUp('/f', 'f', true)).toBe('other')
  expectIndexes()
})
