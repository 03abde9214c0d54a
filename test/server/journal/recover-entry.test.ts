/** Recovery after a kill of the server during a change: the next start finds out which steps happened. */

import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Actor } from '#server/access/actor.ts'
import type { RecordedChange, Recorder } from '#server/access/recorder.ts'
import { peersInFolder } from '#server/cluster/peers.ts'
import { openDatabase } from '#server/db/open.ts'
import { JournalRows } from '#server/db/rows/journal.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import type { Journal } from '#server/journal/journal.ts'
import { operatorScope } from '#server/journal/operator.ts'
import { recoverEntry } from '#server/journal/recover-entry.ts'
import { Undo } from '#server/journal/undo.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { Step } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { journalOf } from '../../support/storage/journal-of.ts'
import { NO_SHARES } from '../../support/storage/path-listener.ts'
import { code, STORAGE_OPTIONS } from '../../support/storage/served.ts'

const KILLED = 'killed'
const at = parsePath
const actor: Actor = {
  id: 1,
  username: 'anna',
  perm: permissionsOf('admin'),
  scope: ROOT,
  rulesFrom: [ROOT],
  rules: [],
  hideDotfiles: false,
}

let folder: ReturnType<typeof temporaryFolder>
let db: Database
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  for (const name of ['root/folder/sub', 'root/into/sub'])
    mkdirSync(disk(name), { recursive: true })
  for (const name of ['file', 'second', 'folder/one', 'folder/sub/deep', 'into/one', 'into/own']) {
    writeFileSync(disk('root', name), name)
  }
})
afterEach(() => {
  db.close()
  folder.remove()
})

const disk = (...names: string[]) => join(folder.path, ...names)
const trashed = () => readdirSync(disk('root/.filemgr/trash'))

/** The entries of the tree with their content, without the private folder. */
function tree(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(disk('root'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.startsWith('.filemgr')) continue
    const path = disk('root', name)
    found[name] = statSync(path).isDirectory() ? 'folder' : readFileSync(path, 'utf8')
  }
  return found
}

/** Opens the storage, the journal and the trash, and recovers unfinished entries, as the server does when it starts. */
async function start() {
  const root = disk('root')
  const storage = await LocalStorage.open(root, {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
  const { journal, trash, rows, trashRows } = journalOf(db, storage, root)
  await journal.recover()
  const repairScope = () => operatorScope(storage, journal, NO_SHARES)
  const undo = new Undo({ root, rows, trashRows, trash, journal, repairScope })
  await undo.rollBack()
  return { storage, journal, trash, undo }
}

type Started = Awaited<ReturnType<typeof start>>
type RecordOptions = Pick<RecordedChange, 'keepRemoved' | 'record'>
type Operation = (storage: LocalStorage, recordOptions: RecordOptions) => Promise<unknown>

/** Runs an operation and closes everything before its entry is finished, as if the server were killed. */
async function runKilled(
  operation: Operation,
  whileUnfinished: (steps: Step[]) => void = () => undefined,
): Promise<void> {
  const { storage, journal, trash } = await start()
  const entry = journal.open(actor, { session: '', client: 'api' }, { verb: 'upload', path: ROOT })
  const record = async (steps: Step[]) => {
    await entry.record(steps)
    whileUnfinished(steps)
  }
  await operation(storage, { keepRemoved: entry.keepRemoved, record }).catch(() => undefined)
  trash.close()
  storage.close()
}

/** Runs `work` after a start. */
async function afterStart<T>(work: (started: Started) => Promise<T>): Promise<T> {
  const started = await start()
  try {
    return await work(started)
  } finally {
    started.trash.close()
    started.storage.close()
  }
}

const bytes = new TextEncoder().encode('new')
const OPERATIONS: [string, Operation][] = [
  [
    'a new file',
    (storage, recordOptions) =>
      storage.write(at('/new'), bytes, { ...recordOptions, overwrite: false }),
  ],
  [
    'a replaced file',
    (storage, recordOptions) =>
      storage.write(at('/file'), bytes, { ...recordOptions, overwrite: true }),
  ],
  ['a new folder', (storage, recordOptions) => storage.mkdir(at('/made'), recordOptions)],
  [
    'a rename',
    (storage, recordOptions) =>
      storage.move(at('/file'), at('/new'), { ...recordOptions, overwrite: false }),
  ],
  [
    'a move over a file',
    (storage, recordOptions) =>
      storage.move(at('/file'), at('/second'), { ...recordOptions, overwrite: true }),
  ],
  [
    'a moved folder',
    (storage, recordOptions) =>
      storage.move(at('/folder'), at('/new'), { ...recordOptions, overwrite: false }),
  ],
  [
    'merged folders',
    (storage, recordOptions) =>
      storage.move(at('/folder'), at('/into'), { ...recordOptions, overwrite: true }),
  ],
  [
    'a copy',
    (storage, recordOptions) =>
      storage.copy(at('/folder'), at('/new'), { ...recordOptions, overwrite: false }),
  ],
  [
    'a copy over a file',
    (storage, recordOptions) =>
      storage.copy(at('/file'), at('/second'), { ...recordOptions, overwrite: true }),
  ],
  [
    'a copy into a folder',
    (storage, recordOptions) =>
      storage.copy(at('/folder'), at('/into'), { ...recordOptions, overwrite: true }),
  ],
  ['a removed file', (storage, recordOptions) => storage.remove(at('/file'), recordOptions)],
  ['a removed folder', (storage, recordOptions) => storage.remove(at('/folder'), recordOptions)],
]

describe('a kill when the entry is written', () => {
  test.each(OPERATIONS)(
    'if the server is killed when the entry of %s is written, neither the entry nor the change remains',
    async (_, operation) => {
      const before = tree()
      await runKilled(operation, () => {
        throw new Error(KILLED)
      })
      expect(tree()).toEqual(before)
      await afterStart(async ({ journal }) => expect(await journal.list(actor, {}, 10)).toEqual([]))
      expect(trashed()).toEqual([])
      expect(db.query('SELECT * FROM kept').all()).toEqual([])
      expect(db.query('SELECT * FROM journal').all()).toEqual([])
    },
  )
})

describe('a kill right after the change', () => {
  test.each(OPERATIONS)(
    'if the server is killed right after %s, the entry and the change remain, and the change can be undone',
    async (_, operation) => {
      const before = tree()
      await runKilled(operation)
      expect(tree()).not.toEqual(before)
      await afterStart(async ({ storage, journal, undo }) => {
        const [entry, ...others] = await journal.list(actor, {}, 10)
        expect(others).toEqual([])
        await undo.undo(operatorScope(storage, journal, NO_SHARES), entry?.id ?? 0)
      })
      expect(tree()).toEqual(before)
    },
  )
})

test('a folder that another change has made since is not part of the entry', async () => {
  await runKilled(async (storage, { keepRemoved, record }) => {
    const recordOnly = async (steps: Step[]) => {
      await record(steps)
      throw new Error(KILLED)
    }
    const options = { keepRemoved, record: recordOnly }
    await storage.mkdir(at('/made'), options).catch(() => undefined)
    const { journal, trash } = journalOf(db, storage, disk('root'))
    const other = journal.open(actor, { session: '', client: 'api' }, { verb: 'copy', path: ROOT })
    await storage.mkdir(at('/made'), { keepRemoved, record: (steps) => other.record(steps) })
    await other.done()
    trash.close()
  })
  await afterStart(async ({ journal }) => {
    const verbs = (await journal.list(actor, {}, 10)).map(({ verb }) => verb)
    expect(verbs).toEqual(['copy'])
  })
  expect(tree()).toHaveProperty('made', 'folder')
})

test.each([
  ['a new file', '/new'],
  ['a rename', '/new'],
])('%s stays in its entry although a later change has removed it', async (name, path) => {
  const before = tree()
  const [, operation] = OPERATIONS.find(([title]) => title === name) ?? []
  await runKilled(async (storage, options) => {
    await operation?.(storage, options)
    // As at a server that runs on while the database has lost that the entry is finished.
    const { journal, trash } = journalOf(db, storage, disk('root'))
    const other = journal.open(
      actor,
      { session: '', client: 'api' },
      { verb: 'delete', path: ROOT },
    )
    const record = (steps: Step[]) => other.record(steps)
    await storage.remove(at(path), { keepRemoved: true, record })
    await other.done()
    trash.close()
  })
  await afterStart(async ({ storage, journal, undo }) => {
    const scope = operatorScope(storage, journal, NO_SHARES)
    const entries = await journal.list(actor, {}, 10)
    expect(entries.map(({ verb }) => verb)).toEqual(['delete', 'upload'])
    for (const { id } of entries) await undo.undo(scope, id)
  })
  expect(tree()).toEqual(before)
})

test('versions follow a rename that was killed before its entry was finished', async () => {
  const trashRows = new TrashRows(new SqliteDatabase(db, async () => undefined))
  const versionsAt = async (path: string) =>
    (await trashRows.listVersions(disk('root'), at(path))).map(({ sizeBytes }) => sizeBytes)
  await runKilled((storage, recordOptions) =>
    storage.write(at('/file'), bytes, { ...recordOptions, overwrite: true }),
  )
  await runKilled((storage, recordOptions) =>
    storage.move(at('/file'), at('/new'), { ...recordOptions, overwrite: false }),
  )
  await afterStart(async () => undefined)
  expect([await versionsAt('/file'), await versionsAt('/new')]).toEqual([[], ['file'.length]])
})

test('a merge that was interrupted is undone as far as it happened', async () => {
  const before = tree()
  let target = ''
  await runKilled(
    (storage, recordOptions) =>
      storage.move(at('/folder'), at('/into'), { ...recordOptions, overwrite: true }),
    // The merge fails at the file that it would move last, because a folder has its name.
    (steps) => {
      const last = steps.findLast((step) => step.kind === 'renamed')
      target = disk(`root${last?.to}`)
      if (existsSync(target)) renameSync(target, disk('replaced'))
      mkdirSync(target)
    },
  )
  rmSync(target, { recursive: true })
  if (existsSync(disk('replaced'))) renameSync(disk('replaced'), target)
  expect(tree()).not.toEqual(before)
  await afterStart(async ({ storage, journal, undo }) => {
    const [entry] = await journal.list(actor, {}, 10)
    await undo.undo(operatorScope(storage, journal, NO_SHARES), entry?.id ?? 0)
  })
  expect(tree()).toEqual(before)
})

test('an undo that is refused in the middle is rolled back, and can be repeated', async () => {
  const before = tree()
  await afterStart(async ({ storage, journal, undo }) => {
    const scope = operatorScope(storage, journal, NO_SHARES)
    await scope.move(at('/folder'), at('/into'), { overwrite: true })
    const after = tree()
    const [entry] = await journal.list(actor, {}, 10)
    // Another program takes one of the names while the others come back.
    const stopped: Recorder = {
      keeps: async () => true,
      makeRoom: async () => false,
      describeFull: async (fault) => fault,
      open: (...asked) => {
        const open = journal.open(...asked)
        const write = open.record.bind(open)
        const record = async (steps: Step[]) => {
          await write(steps)
          if (!steps.some(({ to }) => to === '/folder/one')) return
          // A ctime has the resolution of the kernel's clock: the folder must be older than this file.
          await Bun.sleep(20)
          writeFileSync(disk('root/folder/one'), '')
        }
        return Object.assign(open, { record })
      },
    }
    const undone = undo.undo(operatorScope(storage, stopped, NO_SHARES), entry?.id ?? 0)
    expect(await code(undone)).toBe('conflict')
    // The file of the other program is not taken away with the folder.
    expect(readFileSync(disk('root/folder/one'), 'utf8')).toBe('')
    rmSync(disk('root/folder/one'))
    await undo.rollBack()
    expect(tree()).toEqual(after)
    // Neither the undo nor its rollback is listed.
    expect(await journal.list(actor, {}, 10)).toMatchObject([{ id: entry?.id, undoneBy: 0 }])
    // The content that the undo and its rollback moved has other names in the trash now.
    await undo.undo(operatorScope(storage, journal, NO_SHARES), entry?.id ?? 0)
    expect(tree()).toEqual(before)
    expect((await journal.find(entry?.id ?? 0))?.undoneBy).not.toBe(0)
    expect(db.query('SELECT name FROM kept').values().flat().toSorted()).toEqual(
      trashed().toSorted(),
    )
  })
})

/** A recorder that writes `after` records and throws at the next one; if it is killed, it does not finish the entry either. */
function refusing(journal: Journal, after: number, { killed }: { killed: boolean }): Recorder {
  let left = after
  const countDown = () => {
    if (left === 0) throw new Error(KILLED)
    left -= 1
  }
  return {
    keeps: async () => true,
    makeRoom: async () => false,
    describeFull: async (fault) => fault,
    open: (...asked) => {
      const open = journal.open(...asked)
      const { record } = open
      return Object.assign(open, {
        record: async (steps: Step[]) => {
          countDown()
          await record.call(open, steps)
        },
        ...(killed && { failed: async () => undefined }),
      })
    },
  }
}

describe.each([1, 2, 3])('an undo that ends after %p records', (records) => {
  /** Merges a folder into another one. @returns the entry */
  async function merged(): Promise<number> {
    return afterStart(async ({ storage, journal }) => {
      const scope = operatorScope(storage, journal, NO_SHARES)
      await scope.move(at('/folder'), at('/into'), { overwrite: true })
      return (await journal.list(actor, {}, 1))[0]?.id ?? 0
    })
  }
  const refused = (undone: Promise<number>) =>
    undone.then(
      () => 'undone',
      () => 'refused',
    )

  test('an undo that fails is rolled back at once, and can be repeated', async () => {
    const before = tree()
    const id = await merged()
    const after = tree()
    await afterStart(async ({ storage, journal, undo }) => {
      const failing = refusing(journal, records, { killed: false })
      expect(await refused(undo.undo(operatorScope(storage, failing, NO_SHARES), id))).toBe(
        'refused',
      )
      expect(tree()).toEqual(after)
      expect(await journal.list(actor, {}, 10)).toMatchObject([{ id, undoneBy: 0 }])
      await undo.undo(operatorScope(storage, journal, NO_SHARES), id)
      expect(tree()).toEqual(before)
    })
  })

  test('an undo that is killed is rolled back at the next start, and can be repeated', async () => {
    const before = tree()
    const id = await merged()
    const after = tree()
    const { storage, journal, trash, undo } = await start()
    const killed = refusing(journal, records, { killed: true })
    expect(await refused(undo.undo(operatorScope(storage, killed, NO_SHARES), id))).toBe('refused')
    trash.close()
    storage.close()
    expect(tree()).not.toEqual(after)
    await afterStart(async ({ storage, journal, undo }) => {
      expect(tree()).toEqual(after)
      expect(await journal.list(actor, {}, 10)).toMatchObject([{ id, undoneBy: 0 }])
      await undo.undo(operatorScope(storage, journal, NO_SHARES), id)
      expect(tree()).toEqual(before)
    })
  })
})

test('after a kill between the second name and the replacement, the second name is removed', async () => {
  await runKilled(
    (storage, recordOptions) =>
      storage.write(at('/file'), bytes, { ...recordOptions, overwrite: true }),
    ([step]) => {
      linkSync(disk('root/file'), disk('root/.filemgr/trash', step?.kept ?? ''))
      throw new Error(KILLED)
    },
  )
  expect(trashed().length).toBe(1)
  await afterStart(async ({ journal }) => expect(await journal.list(actor, {}, 10)).toEqual([]))
  expect(trashed()).toEqual([])
  expect(readFileSync(disk('root/file'), 'utf8')).toBe('file')
  expect(statSync(disk('root/file')).nlink).toBe(1)
})

test('unknown content in the trash is not deleted', async () => {
  await runKilled((storage, recordOptions) =>
    storage.write(at('/file'), bytes, { ...recordOptions, overwrite: true }),
  )
  // Another program replaces the file before the next start.
  rmSync(disk('root/file'))
  writeFileSync(disk('root/file'), 'foreign')
  await afterStart(async ({ journal }) =>
    expect((await journal.list(actor, {}, 10)).length).toBe(1),
  )
  const [name = ''] = trashed()
  expect(readFileSync(disk('root/.filemgr/trash', name), 'utf8')).toBe('file')
})

test('trash on a file system that is not mounted stays in the list', async () => {
  await runKilled((storage, recordOptions) => storage.remove(at('/file'), recordOptions))
  const storage = await LocalStorage.open(disk('root'), STORAGE_OPTIONS)
  const store = storage.can.trash
  if (!store) throw new Error('Nothing is kept.')
  const flushes = new FlushQueue()
  const data = new SqliteDatabase(db, (log) => flushes.shared(log))
  const [rows, trashRows] = [new JournalRows(data), new TrashRows(data)]
  const [left] = await rows.unfinished(disk('root'))
  const away = { ...store, mark: async () => undefined, isAway: () => true }
  const peers = { ...peersInFolder(store), holds: () => true }
  const entry = { id: left?.id ?? 0, root: '', writer: left?.writer ?? '' }
  await recoverEntry(entry, { rows, trashRows, peers }, away, { mayWait: false })
  expect((await rows.unfinished(disk('root'))).length).toBe(1)
  expect(await trashRows.findByName(trashed()[0] ?? '')).toBeDefined()
  storage.close()
  await afterStart(async ({ journal }) =>
    expect((await journal.list(actor, {}, 10)).length).toBe(1),
  )
})

test('a change on a disk that does not respond stays unfinished', async () => {
  await runKilled((storage, recordOptions) =>
    storage.write(at('/made'), Buffer.from('made'), { ...recordOptions, overwrite: false }),
  )
  const storage = await LocalStorage.open(disk('root'), STORAGE_OPTIONS)
  const store = storage.can.trash
  if (!store) throw new Error('Nothing is kept.')
  const flushes = new FlushQueue()
  const data = new SqliteDatabase(db, (log) => flushes.shared(log))
  const [rows, trashRows] = [new JournalRows(data), new TrashRows(data)]
  const [left] = await rows.unfinished(disk('root'))
  const silent = async () => {
    throw new Fault('unavailable', 'This disk does not respond.')
  }
  const deps = { rows, trashRows, peers: { ...peersInFolder(store), holds: () => true } }
  const entry = { id: left?.id ?? 0, root: '', writer: left?.writer ?? '' }
  await recoverEntry(entry, deps, { ...store, markAt: silent }, { mayWait: false })
  expect([
    (await rows.unfinished(disk('root'))).length,
    (await rows.stepsOf(entry.id)).length,
  ]).toEqual([1, 1])
  storage.close()
})

test('the change of another living process is not rolled back', async () => {
  const first = await start()
  const entry = first.journal.open(
    actor,
    { session: '', client: 'api' },
    { verb: 'delete', path: at('/file') },
  )
  let seen = -1
  await first.storage.remove(at('/file'), {
    keepRemoved: true,
    record: (steps) => entry.record(steps),
  })
  await afterStart(async ({ journal }) => {
    seen = (await journal.list(actor, {}, 10)).length
  })
  expect(seen).toBe(0)
  expect(trashed().length).toBe(1)
  await entry.done()
  expect((await first.journal.list(actor, {}, 10)).length).toBe(1)
  first.trash.close()
  first.storage.close()
})
