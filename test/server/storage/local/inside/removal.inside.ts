/** Run by two-disks.test.ts, where `root/folder/disk` is a file system of its own. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { parsePath } from '#wire/paths.ts'
import { code, STORAGE_OPTIONS } from '../../../../support/storage/served.ts'
import { disksInside } from '../../../../support/system/inside.ts'

const root = join(disksInside(), 'root')
let storage: LocalStorage
beforeAll(async () => {
  storage = await LocalStorage.open(root, STORAGE_OPTIONS)
})
afterAll(() => storage.close())

test.each([true, false])(
  'the removal of a folder with a mount in it changes nothing, with keepRemoved %p',
  async (keep) => {
    const files = ['folder/a', 'folder/disk/b'].map((name) => join(root, name))
    for (const file of files) writeFileSync(file, 'content')
    const removal = storage.remove(parsePath('/folder'), {
      keepRemoved: keep,
      record: async () => undefined,
    })
    expect(await code(removal)).toBe('locked')
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe('content')
  },
)
