/** Files and folders that change while an operation runs, at a moment that each test controls. */
import { expect, spyOn, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { relocate } from '#server/storage/local/copy/relocate.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { Volumes } from '#server/storage/local/volumes/volumes.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { code, STORAGE_OPTIONS, serveForEach } from '../../../support/storage/served.ts'

const NOBODY = 65534
const bytes = new TextEncoder().encode('ours')

const served = serveForEach()
const { disk } = served
const at = parsePath
const mode = (name: string) => statSync(disk(name)).mode & 0o7777
/** Calls `act` before each call of `promises.open` while `work` runs. */
async function beforeOpens<T>(act: () => void, work: () => Promise<T>): Promise<T> {
  const original = promises.open
  const opens = spyOn(promises, 'open').mockImplementation((...words) => {
    act()
    return original(...words)
  })
  try {
    return await work()
  } finally {
    opens.mockRestore()
  }
}

test('new content gets the permission bits that the old file has right before it is replaced', async () => {
  writeFileSync(disk('file'), 'theirs', { mode: 0o644 })
  let asked = 0
  // Before the first call, the new content got the permission bits of the file.
  const accept = () => {
    asked += 1
    if (asked === 1) chmodSync(disk('file'), 0o600)
  }
  await served.storage.write(at('/file'), bytes, { overwrite: true, accept })
  expect(readFileSync(disk('file'), 'utf8')).toBe('ours')
  expect(mode('file')).toBe(0o600)
})

test('a file that another one of the same size and time replaces during the write is checked again', async () => {
  const age = (name: string) => utimesSync(disk(name), 1000, 1000)
  writeFileSync(disk('file'), 'first')
  age('file')
  let asked = 0
  const write = served.storage.write(at('/file'), bytes, {
    overwrite: true,
    accept() {
      asked += 1
      if (asked > 1) throw new Fault('precondition', 'changed')
      writeFileSync(disk('other'), 'other')
      age('other')
      renameSync(disk('other'), disk('file'))
    },
  })
  expect(await code(write)).toBe('precondition')
  expect(readFileSync(disk('file'), 'utf8')).toBe('other')
})

test('a taken name refuses a copy before anything is copied', async () => {
  for (const name of ['from', 'to']) writeFileSync(disk(name), name)
  let asked = false
  const accept = () => {
    asked = true
  }
  const copy = served.storage.copy(at('/from'), at('/to'), { overwrite: false, accept })
  expect([await code(copy), asked]).toEqual(['conflict', false])
})

test('nothing is moved or copied into a folder that is being removed', async () => {
  for (const name of ['from', 'copied']) writeFileSync(disk(name), name)
  mkdirSync(disk('folder'))
  // The first step of a removal.
  const away = () => renameSync(disk('folder'), disk('.filemgr/work/doomed'))
  const move = served.storage.move(at('/from'), at('/folder/to'), {
    overwrite: false,
    accept: away,
  })
  expect(await code(move)).toBe('notFound')
  mkdirSync(disk('folder'))
  const copy = code(served.storage.copy(at('/copied'), at('/folder/to'), { overwrite: false }))
  await served.storage.remove(at('/folder'))
  expect(await copy).toBe('notFound')
  expect(readFileSync(disk('from'), 'utf8')).toBe('from')
  expect(existsSync(disk('folder'))).toBe(false)
})

test('nothing is moved or copied into a folder, or moved out of it, if the folder was moved after the check of access', async () => {
  writeFileSync(disk('from'), 'from')
  mkdirSync(disk('folder'))
  const away = () => renameSync(disk('folder'), disk('denied'))
  const into = served.storage.move(at('/from'), at('/folder/to'), {
    overwrite: false,
    accept: away,
  })
  expect(await code(into)).toBe('notFound')
  renameSync(disk('denied'), disk('folder'))
  // The copy opens files for its content, after it has opened the folder.
  let isAway = false
  const once = () => {
    if (!isAway) away()
    isAway = true
  }
  const copy = () => served.storage.copy(at('/from'), at('/folder/to'), { overwrite: false })
  expect(await code(beforeOpens(once, copy))).toBe('notFound')
  expect(isAway).toBe(true)
  expect(readdirSync(disk('denied'))).toEqual([])
  rmSync(disk('denied'), { recursive: true })

  mkdirSync(disk('folder'))
  writeFileSync(disk('folder/from'), 'from')
  const out = served.storage.move(at('/folder/from'), at('/to'), {
    overwrite: false,
    accept: away,
  })
  expect(await code(out)).toBe('notFound')
  expect(readdirSync(disk('denied'))).toEqual(['from'])
})

test('staged content that was not published is deleted', async () => {
  const staged = () =>
    readdirSync(disk('.filemgr/work'), { recursive: true }).filter((name) =>
      String(name).includes('/'),
    )
  writeFileSync(disk('from'), 'x')
  const refuse = () => {
    throw new Fault('forbidden', 'no')
  }
  expect(
    await code(served.storage.copy(at('/from'), at('/to'), { overwrite: false, accept: refuse })),
  ).toBe('forbidden')
  expect(staged()).toEqual([])
  expect(
    await code(served.storage.write(at('/to'), bytes, { overwrite: false, accept: refuse })),
  ).toBe('forbidden')
  expect(staged()).toEqual([])
})

test('a folder that another server serves is not merged into another', async () => {
  mkdirSync(disk('from/served'), { recursive: true })
  const other = await LocalStorage.open(disk('from/served'), STORAGE_OPTIONS)
  writeFileSync(disk('from/beside'), '')
  mkdirSync(disk('to'))
  expect(await code(served.storage.move(at('/from'), at('/to'), { overwrite: true }))).toBe(
    'forbidden',
  )
  expect(readdirSync(disk('from')).sort()).toEqual(['beside', 'served'])
  expect(readdirSync(disk('to'))).toEqual([])
  other.close()
})

test('a merge of a file and a folder with the same name is refused before it begins', async () => {
  // Names are read in any order: among so many, some come before the one that is refused.
  const many = Array.from({ length: 40 }, (_, number) => `file${number}`)
  for (const path of ['a/name', 'b/name/in', 'c/name/in', 'd/name']) {
    mkdirSync(join(disk(path), '..'), { recursive: true })
    writeFileSync(disk(path), '')
  }
  for (const name of many)
    for (const source of ['a', 'c']) writeFileSync(disk(`${source}/${name}`), '')
  const merge = (from: string, to: string) =>
    code(served.storage.move(at(from), at(to), { overwrite: true }))
  expect(await merge('/a', '/b')).toBe('isDirectory')
  expect(await merge('/c', '/d')).toBe('notDirectory')
  for (const source of ['a', 'c']) {
    expect(readdirSync(disk(source)).sort()).toEqual([...many, 'name'].sort())
  }
})

test('the copy of a folder has no set-user-id and no set-group-id bit', async () => {
  mkdirSync(disk('folder'))
  chmodSync(disk('folder'), 0o6755)
  await served.storage.copy(at('/folder'), at('/copy'), { overwrite: false })
  expect(mode('copy')).toBe(0o755)
})

test.skipIf(process.getuid?.() !== 0)('a saved file keeps its owner', async () => {
  writeFileSync(disk('file'), 'theirs')
  chownSync(disk('file'), NOBODY, NOBODY)
  await served.storage.write(at('/file'), bytes, { overwrite: true })
  const { uid, gid } = statSync(disk('file'))
  expect([uid, gid]).toEqual([NOBODY, NOBODY])
})

test('a tree that changes while it is copied to another file system is not moved', async () => {
  mkdirSync(disk('tree'))
  for (const name of ['a', 'b']) writeFileSync(disk(`tree/${name}`), name)
  using parent = openFolder(served.path)
  const flushes = new FlushQueue()
  const work = (to: string, act: () => void) =>
    code(beforeOpens(act, () => relocate({ parent, name: 'tree' }, { parent, name: to }, flushes)))
  expect(await work('same', () => undefined)).toBe('no fault')
  expect(await work('other', () => appendFileSync(disk('tree/a'), 'more'))).toBe('conflict')
  expect(await work('third', () => utimesSync(disk('tree/b'), 1, 1))).toBe('conflict')
  flushes.close()
})

test('a folder outside the served root and a private folder count as hidden', async () => {
  for (const name of ['root/inside', 'root/.filemgr/work', 'outside', 'root2']) {
    mkdirSync(disk(`served/${name}`), { recursive: true })
  }
  using root = openFolder(disk('served/root'))
  const volumes = await Volumes.open(root, new FlushQueue())
  const isHidden = (name: string) => {
    using handle = openFolder(disk(`served/${name}`))
    return volumes.isHidden(handle)
  }
  expect(['root', 'root/inside'].map(isHidden)).toEqual([false, false])
  expect(['outside', 'root2', 'root/.filemgr/work'].map(isHidden)).toEqual([true, true, true])
  volumes.close()
})

test('a folder that contains links to itself is copied with these links', async () => {
  mkdirSync(disk('box/deep'), { recursive: true })
  writeFileSync(disk('box/file'), '')
  symlinkSync('.', disk('box/self'))
  symlinkSync('..', disk('box/deep/up'))
  await served.storage.copy(at('/box'), at('/copy'), { overwrite: false })
  expect(readdirSync(disk('copy')).sort()).toEqual(['deep', 'file', 'self'])
  expect(readlinkSync(disk('copy/self'))).toBe('.')
  expect(readlinkSync(disk('copy/deep/up'))).toBe('..')
})

test('if staged content disappears, the write fails and its file is closed', async () => {
  const removeStaged = () => {
    for (const name of readdirSync(disk('.filemgr'), { recursive: true, encoding: 'utf8' })) {
      const path = disk(join('.filemgr', name))
      if (statSync(path, { throwIfNoEntry: false })?.size === bytes.length) rmSync(path)
    }
  }
  let turn = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        turn += 1
        if (turn === 1) return controller.enqueue(bytes)
        removeStaged()
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const written = served.storage.write(at('/file'), body, { overwrite: true })
  expect(await code(written)).toBe('notFound')
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
  expect(
    open.filter((path) => path.startsWith(served.path) && path.endsWith(' (deleted)')),
  ).toEqual([])
})
