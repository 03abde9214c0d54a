import { beforeEach, expect, test } from 'bun:test'
import '../browser.ts'
import {
  deleteUnfinished,
  hasUnfinished,
  storeUnfinished,
  unfinishedOf,
} from '#ui/uploads/unfinished.ts'
import { parsePath } from '#wire/paths.ts'

const KEY = 'filemgr.uploads'

const uploadOf = (path: string) => ({
  file: new File(['content'], path.slice(1), { lastModified: 5 }),
  path: parsePath(path),
  relativePath: path.slice(1),
  override: false,
})

const pathsOf = async (userId: number): Promise<string[]> =>
  (await unfinishedOf(userId)).map(({ path }) => path)

/** Sets the names of the locks that other pages of this browser hold. */
function hold(...names: string[]): void {
  Object.defineProperty(navigator, 'locks', {
    value: {
      request: async () => {},
      query: async () => ({ held: names.map((name) => ({ name })) }),
    },
    configurable: true,
  })
}

beforeEach(() => {
  localStorage.clear()
  hold()
})

test('an unfinished upload is identified by the metadata of its file', async () => {
  storeUnfinished(uploadOf('/a.bin'), 7)
  expect(await unfinishedOf(7)).toMatchObject([
    { path: '/a.bin', name: 'a.bin', size: 7, lastModified: 5, override: false },
  ])
})

test('unfinished uploads belong to one user', async () => {
  storeUnfinished(uploadOf('/a.bin'), 7)
  expect(hasUnfinished(8)).toBe(false)
  deleteUnfinished({ path: parsePath('/a.bin'), userId: 8 })
  expect(await pathsOf(7)).toEqual(['/a.bin'])
})

test('a finished upload is deleted from the list, and a resumed one keeps one row', async () => {
  storeUnfinished(uploadOf('/a.bin'), 7)
  storeUnfinished(uploadOf('/b.bin'), 7)
  storeUnfinished(uploadOf('/a.bin'), 7)
  expect((await pathsOf(7)).toSorted()).toEqual(['/a.bin', '/b.bin'])
  deleteUnfinished({ path: parsePath('/a.bin'), userId: 7 })
  expect(await pathsOf(7)).toEqual(['/b.bin'])
  deleteUnfinished({ path: parsePath('/b.bin'), userId: 7 })
  expect(localStorage.getItem(KEY)).toBeNull()
})

test('an upload that another page is sending is not offered; one that it left is', async () => {
  storeUnfinished(uploadOf('/a.bin'), 7)
  const [row] = await unfinishedOf(7)
  localStorage.setItem(KEY, JSON.stringify([{ ...row, page: 'other' }]))
  hold('filemgr uploads other')
  expect(await pathsOf(7)).toEqual([])
  hold()
  expect(await pathsOf(7)).toEqual(['/a.bin'])
})

test.each(['{', '{}', '[null, 1, {"path": 3}]', '[{"path":"/a"}]'])(
  'invalid stored data offers nothing: %p',
  async (stored) => {
    localStorage.setItem(KEY, stored)
    expect(await unfinishedOf(7)).toEqual([])
    expect(hasUnfinished(7)).toBe(false)
  },
)
