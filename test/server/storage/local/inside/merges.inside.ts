/** Run by two-disks.test.ts, where `root/disk` is a file system of its own. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdirSync, promises, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { parsePath } from '#wire/paths.ts'
import { code, STORAGE_OPTIONS } from '../../../../support/storage/served.ts'
import { disksInside } from '../../../../support/system/inside.ts'

const root = join(disksInside(), 'root')
const disk = (name: string) => join(root, name)
let storage: LocalStorage
beforeEach(async () => {
  storage = await LocalStorage.open(root, STORAGE_OPTIONS)
  for (const name of ['from', 'disk/to']) {
    mkdirSync(disk(name), { recursive: true })
    writeFileSync(disk(`${name}/file`), name)
  }
})
afterEach(() => {
  storage.close()
  Bun.spawnSync(['sh', '-c', `rm -rf '${root}'/from* '${root}'/disk/*`])
})

const merge = () =>
  code(storage.move(parsePath('/from'), parsePath('/disk/to'), { overwrite: true }))
const content = (name: string) => readFileSync(disk(name), 'utf8')

/** Merges, and calls `act` when the first copy is staged on the other file system. */
async function mergeDuring(act: () => void): Promise<unknown> {
  const original = promises.open
  let done = false
  const opens = spyOn(promises, 'open').mockImplementation((...words) => {
    const work = readdirSync(disk('disk')).includes('.filemgr') ? disk('disk/.filemgr/work') : ''
    const staged = work ? readdirSync(work).flatMap((own) => readdirSync(join(work, own))) : []
    if (!done && staged.length > 0) {
      done = true
      act()
    }
    return original(...words)
  })
  try {
    return await merge()
  } finally {
    opens.mockRestore()
    expect(done).toBe(true)
  }
}

test('a merge into a folder that is hidden while the source is copied is refused, and the source is restored', async () => {
  const hidden = disk('disk/.filemgr/work/hidden')
  expect(await mergeDuring(() => renameSync(disk('disk/to'), hidden))).toBe('notFound')
  expect(content('from/file')).toBe('from')
  expect(readFileSync(join(hidden, 'file'), 'utf8')).toBe('disk/to')
  renameSync(hidden, disk('disk/to'))
})

test('a merge into a folder that is hidden while files are published is refused, and the source is complete', async () => {
  const names = Array.from({ length: 300 }, (_, number) => `new${number}`)
  for (const name of names) writeFileSync(disk(`from/${name}`), '')
  const hidden = disk('disk/.filemgr/work/hidden')
  let isSettled = false
  const work = merge().finally(() => {
    isSettled = true
  })
  // Waits for the first published files.
  while (!isSettled && readdirSync(disk('disk/to')).length === 1) {
    await new Promise(setImmediate)
  }
  expect(readdirSync(disk('disk/to')).length).toBeLessThan(names.length)
  renameSync(disk('disk/to'), hidden)
  expect(await work).toBe('notFound')
  expect(readdirSync(disk('from')).sort()).toEqual(['file', ...names].sort())
  renameSync(hidden, disk('disk/to'))
})

test.each([
  ['a merge', '/disk/to'],
  ['a move', '/disk/new'],
])(
  '%s out of a folder that is hidden before the first change is refused, and moves nothing',
  async (_, to) => {
    mkdirSync(disk('from-above'))
    renameSync(disk('from'), disk('from-above/from'))
    const hidden = disk('.filemgr/work/hidden')
    const work = code(
      storage.move(parsePath('/from-above/from'), parsePath(to), { overwrite: true }),
    )
    // The whole tree is inspected first; other requests are handled meanwhile.
    renameSync(disk('from-above'), hidden)
    expect(await work).toBe('notFound')
    expect(readFileSync(join(hidden, 'from/file'), 'utf8')).toBe('from')
    expect(content('disk/to/file')).toBe('disk/to')
    renameSync(hidden, disk('from-above'))
  },
)
