/** Run by two-disks.test.ts, where `root/disk` is a file system of its own. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { MOUNTED_TRASHES_MAX } from '#server/storage/local/trash/trash-folders.ts'
import type { Step } from '#server/storage/step.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { code, STORAGE_OPTIONS } from '../../../../support/storage/served.ts'
import { disksInside } from '../../../../support/system/inside.ts'

const root = join(disksInside(), 'root')
const disk = (name: string) => join(root, name)
const file = parsePath('/disk/file')
let storage: LocalStorage
let recorded: Step[]
beforeEach(async () => {
  storage = await LocalStorage.open(root, STORAGE_OPTIONS)
  writeFileSync(disk('disk/file'), 'file')
  recorded = []
})
afterEach(() => {
  storage.close()
  Bun.spawnSync(['sh', '-c', `rm -rf '${root}'/disk/* '${root}'/disk/.filemgr '${root}'/.filemgr`])
})

const remove = async () => {
  await storage.remove(file, {
    keepRemoved: true,
    record: async (steps) => void recorded.push(...steps),
  })
  return recorded[0]?.kept ?? ''
}
const restart = async () => {
  storage.close()
  storage = await LocalStorage.open(root, STORAGE_OPTIONS)
}

test('trash content on a mounted file system is found by the next server', async () => {
  const name = await remove()
  await restart()
  expect(await storage.can.trash?.mark(name)).toBe(recorded[0]?.before)
  expect(await storage.can.trash?.restore(name, file, { overwrite: false })).toBe(file)
  expect(readdirSync(disk('disk'))).toEqual(['file'])
})

test('the private folder of a mounted file system is hidden from commands', async () => {
  await remove()
  using folder = await storage.can.openForCommand?.(ROOT)
  expect(folder?.hidden).toContain(parsePath('/disk/.filemgr'))
})

test('without its record, the trash of a mounted file system is not accessible', async () => {
  const name = await remove()
  Bun.spawnSync(['rm', '-r', disk('.filemgr/trashes')])
  await restart()
  expect(await storage.can.trash?.mark(name)).toBeUndefined()
  const back = storage.can.trash?.restore(name, file, { overwrite: false })
  expect(await code(back ?? Promise.resolve())).toBe('notFound')
})

test('beyond the limit of file systems, nothing is kept on a further one', async () => {
  mkdirSync(disk('.filemgr/trashes'), { recursive: true })
  for (let number = 0; number < MOUNTED_TRASHES_MAX; number += 1) {
    const id = number.toString(16).padStart(16, '0')
    writeFileSync(disk(`.filemgr/trashes/${id}`), `mount${number}`)
  }
  await restart()
  expect(await remove()).toBe('')
  expect(existsSync(disk('disk/.filemgr'))).toBe(false)
})

test('the trash of another server on the same file system is not changed', async () => {
  const name = await remove()
  const other = await LocalStorage.open(disk('disk'), STORAGE_OPTIONS)
  expect(await other.can.trash?.list('')).toEqual([])
  expect(await other.can.trash?.mark(name.split('.')[0] ?? '')).toBeUndefined()
  other.close()
  expect(await storage.can.trash?.mark(name)).toBe(recorded[0]?.before)
})
