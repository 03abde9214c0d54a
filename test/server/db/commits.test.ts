/** Transactions that share their commit and their flush. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Commits } from '#server/db/commits.ts'
import { openDatabase } from '#server/db/open.ts'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { CountedFlushers } from '../../support/storage/counted-flushers.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let flushers: CountedFlushers
let commits: Commits
/** The inode of the write-ahead log. */
let log: number
const path = () => join(folder.path, 'f.db')
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(path())
  db.exec('CREATE TABLE things (name TEXT UNIQUE)')
  flushers = new CountedFlushers()
  const queue = new FlushQueue({}, flushers)
  commits = new Commits(db, (target) => queue.shared(target))
  log = statSync(`${path()}-wal`).ino
})
afterEach(async () => {
  await commits.close()
  db.close()
  folder.remove()
})

const add = (name: string) => async () => void db.query('INSERT INTO things VALUES (?)').run(name)

/** What another process sees. */
function seen(): string[] {
  const other = new Database(path(), { readonly: true })
  const rows = other.query<{ name: string }, []>('SELECT name FROM things ORDER BY rowid').all()
  other.close()
  return rows.map(({ name }) => name)
}

test('a single commit is written in the next turn, and confirmed when it is flushed', async () => {
  const release = flushers.hold(log)
  let isConfirmed = false
  const done = commits.durably(add('one')).then(() => {
    isConfirmed = true
  })
  await flushers.begun(log)
  expect(seen()).toEqual(['one'])
  expect(isConfirmed).toBe(false)
  release()
  await done
  expect(flushers.flushed).toEqual([log])
})

test('changes that arrive during a flush share one commit and one flush', async () => {
  const release = flushers.hold(log)
  const first = commits.durably(add('first'))
  await flushers.begun(log)
  const others = Array.from({ length: 20 }, (_, at) => commits.durably(add(`${at}`)))
  expect(seen()).toEqual(['first'])
  release()
  await first
  await Promise.all(others)
  expect(seen()).toHaveLength(21)
  expect(flushers.flushed).toEqual([log, log])
})

test('changes of one turn of the event loop share one commit and one flush', async () => {
  const lazy = commits.lazily(add('lazy'))
  const durable = Array.from({ length: 20 }, (_, at) => commits.durably(add(`${at}`)))
  await Promise.all([lazy, ...durable])
  expect(seen()).toHaveLength(21)
  expect(flushers.flushed).toEqual([log])
})

test('a failed change rolls back only itself', async () => {
  const release = flushers.hold(log)
  const works: Promise<unknown>[] = [commits.durably(add('one'))]
  const half = async () => {
    await add('half')()
    await add('one')()
  }
  for (const work of [add('two'), half, add('three')]) works.push(commits.durably(work))
  release()
  const ends = await Promise.allSettled(works)
  expect(ends.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(seen()).toEqual(['one', 'two', 'three'])
})

test('a write with a result returns it to its caller', async () => {
  const numbers = [1, 2, 3].map((number) => commits.durably(async () => number))
  const later = [4, 5].map((number) => commits.lazily(async () => number))
  expect(await Promise.all([...numbers, ...later])).toEqual([1, 2, 3, 4, 5])
})

test('a failed flush of the log gives the error of the database', async () => {
  flushers.fail(log)
  const ends = [commits.durably(add('one')), commits.durably(add('two'))].map((done) =>
    done.then(
      () => 'done',
      (error: { code: string }) => error.code,
    ),
  )
  expect(await Promise.all(ends)).toEqual(['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_FSYNC'])
})

test('changes that may wait are written together, and are not flushed', async () => {
  const done = [commits.lazily(add('one')), commits.lazily(add('two'))]
  expect(seen()).toEqual([])
  await Promise.all(done)
  expect(seen()).toEqual(['one', 'two'])
  expect(flushers.flushed).toEqual([])
})

test('waiting changes are written before the database is closed', async () => {
  void commits.lazily(add('one'))
  void commits.durably(add('two'))
  await commits.close()
  expect(seen()).toEqual(['one', 'two'])
})
