/** The trash: what it keeps, what is refused, and which steps are recorded. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { Step } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { code, STORAGE_OPTIONS } from '../../../../support/storage/served.ts'

/** Two accounts that are not the one of the test. */
const [NOBODY, OTHER] = [65534, 65533]

let folder: ReturnType<typeof temporaryFolder>
let storage: LocalStorage
let recorded: Step[]
beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(disk('folder/inner'), { recursive: true })
  writeFileSync(disk('folder/inner/file'), 'inner')
  writeFileSync(disk('file'), 'file')
  storage = await LocalStorage.open(folder.path, STORAGE_OPTIONS)
  recorded = []
})
afterEach(() => {
  storage.close()
  folder.remove()
})

const disk = (name: string) => join(folder.path, name)
const at = parsePath
const kept = () => readdirSync(disk('.filemgr/trash'))
const keeping = { keepRemoved: true, record: async (steps: Step[]) => void recorded.push(...steps) }

test('the step of a removal has the path of the file and its trash name', async () => {
  const { ino } = lstatSync(disk('file'))
  await storage.remove(at('/file'), keeping)
  const [step] = recorded
  expect(recorded.length).toBe(1)
  expect(step).toMatchObject({ kind: 'removed', role: 'trash', path: '/file', sizeBytes: 4 })
  expect(kept()).toEqual([step?.kept ?? ''])
  expect(lstatSync(disk(`.filemgr/trash/${step?.kept}`)).ino).toBe(ino)
})

test('a removal that may only go to the trash deletes nothing permanently', async () => {
  const onlyToTrash = { onlyToTrash: true }
  for (const name of ['file', 'folder'] as const) {
    const refused = storage.remove(at(`/${name}`), {
      ...keeping,
      keepRemoved: false,
      ...onlyToTrash,
    })
    expect(await code(refused)).toBe('conflict')
    expect(existsSync(disk(name))).toBe(true)
  }
  expect(recorded).toEqual([])
  await storage.remove(at('/file'), { ...keeping, ...onlyToTrash })
  expect(kept()).toHaveLength(1)
})

test('a link is kept as a link, and its target stays', async () => {
  symlinkSync('file', disk('link'))
  await storage.remove(at('/link'), keeping)
  expect(lstatSync(disk(`.filemgr/trash/${recorded[0]?.kept}`)).isSymbolicLink()).toBe(true)
  expect(readFileSync(disk('file'), 'utf8')).toBe('file')
})

test('nothing enters the trash unless the caller asks for it', async () => {
  await storage.remove(at('/file'), { ...keeping, keepRemoved: false })
  await storage.remove(at('/folder'))
  expect(kept()).toEqual([])
  expect(recorded.map((step) => step.kept)).toEqual([''])
})

test('a refusal by a listener leaves everything unchanged', async () => {
  const refusing = {
    keepRemoved: true,
    record: async () => {
      throw new Error('no')
    },
  }
  expect(await code(storage.remove(at('/folder'), refusing))).toBe('internal')
  expect(await code(storage.move(at('/file'), at('/new'), { ...refusing, overwrite: false }))).toBe(
    'internal',
  )
  expect(readdirSync(folder.path).sort()).toEqual(['.filemgr', 'file', 'folder'])
  expect(kept()).toEqual([])
})

test('a folder with a folder of another server in it is not removed until that server ends', async () => {
  const other = await LocalStorage.open(disk('folder/inner'), STORAGE_OPTIONS)
  expect(await code(storage.remove(at('/folder'), keeping))).toBe('forbidden')
  other.close()
  expect(recorded).toEqual([])
  expect(await code(storage.remove(at('/folder'), keeping))).toBe('no fault')
})

test('a folder from which an item is being moved is not removed', async () => {
  writeFileSync(disk(`folder/inner/.filemgr-${'0'.repeat(24)}m`), 'aside')
  expect(await code(storage.remove(at('/folder'), keeping))).toBe('locked')
  expect(recorded).toEqual([])
})

test('an object without the expected mark is not changed', async () => {
  const { trash: content } = storage.can
  const other = `${await content?.markAt(at('/file'))}0`
  for (const change of [
    storage.remove(at('/file'), { ...keeping, expect: other }),
    storage.move(at('/file'), at('/new'), { ...keeping, overwrite: false, expect: other }),
    storage.write(at('/file'), new Uint8Array(1), { ...keeping, overwrite: true, expect: other }),
  ]) {
    expect(await code(change)).toBe('precondition')
  }
  expect(readFileSync(disk('file'), 'utf8')).toBe('file')
  expect(kept()).toEqual([])
})

test('an invalid trash name is refused', async () => {
  const { trash: content } = storage.can
  for (const name of ['../../file', '', 'x'.repeat(24), '0'.repeat(23)]) {
    expect(await code(content?.discard(name) ?? Promise.resolve())).toBe('internal')
    expect(
      await code(content?.restore(name, at('/new'), { overwrite: false }) ?? Promise.resolve()),
    ).toBe('internal')
  }
  expect(readFileSync(disk('file'), 'utf8')).toBe('file')
})

test('content is restored only to a free name, and unchanged', async () => {
  const { ino, mtimeMs } = lstatSync(disk('file'))
  await storage.remove(at('/file'), keeping)
  const name = recorded[0]?.kept ?? ''
  const { trash: content } = storage.can
  writeFileSync(disk('file'), 'taken')
  expect(
    await code(content?.restore(name, at('/file'), { overwrite: false }) ?? Promise.resolve()),
  ).toBe('conflict')
  expect(await content?.restore(name, at('/folder/back'), { overwrite: false })).toBe(
    at('/folder/back'),
  )
  expect(lstatSync(disk('folder/back'))).toMatchObject({ ino, mtimeMs })
  expect(kept()).toEqual([])
})

test('a folder with many subfolders is removed with few of them open', async () => {
  for (let number = 0; number < 2000; number += 1)
    mkdirSync(disk(`many/${number}`), { recursive: true })
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  let most = 0
  let isDone = false
  const removal = storage.remove(at('/many'), keeping).finally(() => {
    isDone = true
  })
  while (!isDone) {
    most = Math.max(most, open())
    await new Promise(setImmediate)
  }
  await removal
  expect(most - before).toBeLessThan(50)
  expect(kept()).toHaveLength(1)
})

test('the step of a file is marked as undone if its name is taken, or the change is refused, while it is recorded', async () => {
  const isTaken = async (steps: Step[]) => {
    recorded.push(...steps)
    writeFileSync(disk('taken'), 'of another program')
  }
  const refuse = () => {
    throw new Fault('unavailable', 'The lease is over.')
  }
  const options = { ...keeping, overwrite: false }
  const save = (name: string, more: object) =>
    code(storage.write(at(`/${name}`), new Uint8Array(1), { ...options, ...more }))
  expect(await save('taken', { record: isTaken })).toBe('conflict')
  expect(await save('refused', { beforeChange: refuse })).toBe('unavailable')
  expect(recorded).toMatchObject([
    { kind: 'made', path: '/taken', happened: false },
    { kind: 'made', path: '/refused', happened: false },
  ])
  expect(readFileSync(disk('taken'), 'utf8')).toBe('of another program')
  expect(existsSync(disk('refused'))).toBe(false)
})

describe('a file that is created during a merge', () => {
  /** Merges /from, which holds `a` and `b`, into /to; after the plan is reported, another writer saves /to/b. */
  async function merge(operation: 'move' | 'copy', keep: boolean): Promise<unknown> {
    for (const name of ['from', 'to']) mkdirSync(disk(name))
    for (const name of ['a', 'b']) writeFileSync(disk(`from/${name}`), 'new')
    const record = async (steps: Step[]) => {
      recorded.push(...steps)
      if (recorded.length === steps.length) writeFileSync(disk('to/b'), 'precious')
    }
    return code(
      storage[operation](at('/from'), at('/to'), { overwrite: true, keepRemoved: keep, record }),
    )
  }
  const happened = () =>
    recorded.filter((step) => step.happened).map(({ kind, path }) => `${kind} ${path}`)

  test.each(['move', 'copy'] as const)(
    'a %s that merges moves a file that was created during the merge to the trash, and records it',
    async (operation) => {
      expect(await merge(operation, true)).toBe('no fault')
      expect(readFileSync(disk('to/b'), 'utf8')).toBe('new')
      const replaced = recorded.findLast((step) => step.path === '/to/b')
      expect(replaced).toMatchObject({ role: 'version', happened: true })
      expect(readFileSync(disk(`.filemgr/trash/${replaced?.kept}`), 'utf8')).toBe('precious')
      expect(happened()).toEqual(
        operation === 'move'
          ? ['renamed /from/a', 'removed /from', 'removed /to/b', 'renamed /from/b']
          : ['made /to/a', 'replaced /to/b'],
      )
    },
  )

  test.each(['move', 'copy'] as const)(
    'without the trash, a %s that merges stops at a file that was created during the merge',
    async (operation) => {
      expect(await merge(operation, false)).toBe('conflict')
      expect(readFileSync(disk('to/b'), 'utf8')).toBe('precious')
      expect(readFileSync(disk('from/b'), 'utf8')).toBe('new')
    },
  )
})

describe('a folder that is too deep', () => {
  beforeEach(() => {
    mkdirSync(disk('deep'))
    for (const chain of ['d/'.repeat(200), 'd/'.repeat(200), 'd/'.repeat(200)]) {
      mkdirSync(disk(`next/${chain}`), { recursive: true })
      renameSync(disk('deep'), disk(`next/${chain}deep`))
      renameSync(disk('next'), disk('deep'))
    }
  })

  test('a folder that is too deep is not copied or removed, and its size in the trash is measured down to the limit @limit-55', async () => {
    const copied = storage.copy(at('/deep'), at('/copy'), { overwrite: false, ...keeping })
    expect(await code(copied)).toBe('tooLarge')
    expect(readdirSync(folder.path)).not.toContain('copy')
    for (const options of [keeping, {}]) {
      expect(await code(storage.remove(at('/deep'), options))).toBe('tooLarge')
    }
    recorded = []
    await storage.remove(at('/folder'), keeping)
    const name = recorded[0]?.kept ?? ''
    renameSync(disk('deep'), disk(`.filemgr/trash/${name}/deep`))
    expect((await storage.can.trash?.sizeOf(name))?.diskBytes).toBeGreaterThanOrEqual(0)
    const all = async () => {
      for await (const _ of storage.can.trash?.paths(name) ?? []);
    }
    expect(await code(all())).toBe('tooLarge')
  })
})

test('a failure while a folder in the trash is read is a fault', async () => {
  await storage.remove(at('/folder'), keeping)
  const name = recorded[0]?.kept ?? ''
  const paths = storage.can.trash?.paths(name)
  if (!paths) throw new Error('There is no trash.')
  expect(await paths.next()).toEqual({ done: false, value: '' })
  const path = disk(`.filemgr/trash/${name}`)
  renameSync(path, disk('moved'))
  writeFileSync(path, 'a file')
  expect(await code(paths.next())).toBe('notDirectory')
})

describe('a folder from which something could not be removed is refused', () => {
  const removals = () => [
    code(storage.remove(at('/folder'), keeping)),
    code(storage.remove(at('/folder'))),
  ]
  const mark = (change: string, path: string) => spawnSync('chattr', [change, path]).status === 0

  test.skipIf(process.getuid?.() !== 0)(
    'a folder with a sticky folder that has entries of others',
    async () => {
      chmodSync(disk('folder/inner'), 0o1777)
      chownSync(disk('folder/inner'), OTHER, OTHER)
      const uid = spyOn(process, 'getuid').mockReturnValue(NOBODY)
      try {
        for (const removal of removals()) expect(await removal).toBe('forbidden')
      } finally {
        uid.mockRestore()
      }
      expect(existsSync(disk('folder/inner/file'))).toBe(true)
    },
  )

  test('a folder with an append-only folder, and permanently one with an append-only file', async () => {
    // Some file systems of test machines have no such flags.
    if (!mark('+a', disk('folder/inner'))) return
    try {
      for (const removal of removals()) expect(await removal).toBe('forbidden')
    } finally {
      mark('-a', disk('folder/inner'))
    }
    mark('+a', disk('folder/inner/file'))
    try {
      expect(await code(storage.remove(at('/folder')))).toBe('forbidden')
    } finally {
      mark('-a', disk('folder/inner/file'))
    }
  })
})
