import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { storeHandleSource } from '#ui/lib/gestures/file-handles.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import {
  begunBefore,
  deleteUnfinished,
  dismissUnfinished,
  hasUnfinished,
  storeUnfinished,
  unfinishedOf,
} from '#ui/uploads/queue/unfinished.ts'
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

test('an upload is continued by a new one of the same file to the same path, also if it was dismissed', async () => {
  const begun = { key: 'key', id: 'id' }
  storeUnfinished({ ...uploadOf('/a.bin'), begun }, 7)
  dismissUnfinished({ path: parsePath('/a.bin'), userId: 7 })
  dismissUnfinished({ path: parsePath('/other'), userId: 7 })
  expect([await pathsOf(7), hasUnfinished(7)]).toEqual([[], false])
  expect(await begunBefore(uploadOf('/a.bin'), 7)).toEqual(begun)
  const changed = new File(['content'], 'a.bin', { lastModified: 6 })
  expect(await begunBefore({ ...uploadOf('/a.bin'), file: changed }, 7)).toBeUndefined()
  expect(await begunBefore(uploadOf('/b.bin'), 7)).toBeUndefined()
  expect(await begunBefore(uploadOf('/a.bin'), 8)).toBeUndefined()
  storeUnfinished({ ...uploadOf('/a.bin'), begun }, 7)
  expect(await pathsOf(7)).toEqual(['/a.bin'])
})

test('an upload that another page is sending is not continued by a new one', async () => {
  storeUnfinished({ ...uploadOf('/a.bin'), begun: { key: 'key' } }, 7)
  const [row] = await unfinishedOf(7)
  localStorage.setItem(KEY, JSON.stringify([{ ...row, page: 'other' }]))
  expect(await begunBefore(uploadOf('/a.bin'), 7)).toEqual({ key: 'key' })
  hold('filemgr uploads other')
  expect(await begunBefore(uploadOf('/a.bin'), 7)).toBeUndefined()
})

test('a browser that does not say which pages are open continues nothing', async () => {
  storeUnfinished({ ...uploadOf('/a.bin'), begun: { key: 'key' } }, 7)
  const locks = { request: async () => {}, query: () => Promise.reject(new Error('refused')) }
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  expect(await begunBefore(uploadOf('/a.bin'), 7)).toBeUndefined()
})

test.each([null, 'text', 5, {}, { key: 5 }, { key: 'key', id: 5 }])(
  'a stored upload whose identity on the server is %p is ignored',
  async (begun) => {
    storeUnfinished(uploadOf('/a.bin'), 7)
    const [row] = await unfinishedOf(7)
    localStorage.setItem(KEY, JSON.stringify([{ ...row, begun }]))
    expect(await pathsOf(7)).toEqual([])
  },
)

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

describe('handles', () => {
  /** The keys of the stored handles. */
  const keys = new Set<string>()

  beforeEach(() => {
    keys.clear()
    Reflect.set(globalThis, 'FileSystemFileHandle', class {})
    Reflect.set(globalThis, 'indexedDB', { open: () => succeed(database) })
  })

  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'FileSystemFileHandle')
    Reflect.deleteProperty(globalThis, 'indexedDB')
  })

  const store = {
    put: (_: unknown, key: string) => succeed(keys.add(key)),
    delete: (key: string) => succeed(keys.delete(key)),
  }
  const database = { transaction: () => ({ objectStore: () => store }), close() {} }

  /** @returns a request of IndexedDB that succeeds */
  function succeed(result: unknown) {
    const request = { result, onsuccess() {} }
    queueMicrotask(() => request.onsuccess())
    return request
  }

  function start(path: string): void {
    const upload = uploadOf(path)
    // `handleOf` reads no more of a handle.
    const handle = { kind: 'file', queryPermission() {} } as unknown as FileSystemHandle
    storeHandleSource(upload.file, async () => handle)
    storeUnfinished(upload, 7)
  }

  async function arrive(expected: readonly string[]): Promise<void> {
    const isThere = () => keys.size === expected.length && expected.every((key) => keys.has(key))
    while (!isThere()) await Bun.sleep(1)
  }

  test('the handle of an upload is deleted with its row', async () => {
    start('/a.bin')
    start('/b.bin')
    await arrive(['7 /a.bin', '7 /b.bin'])
    deleteUnfinished({ path: parsePath('/a.bin'), userId: 7 })
    await arrive(['7 /b.bin'])
  })

  test('the handles of the oldest uploads are deleted if there are too many', async () => {
    const numbers = Array.from({ length: UI_LIMITS.storedUploadsMax }, (_, at) => at)
    for (const number of numbers) start(`/${number}`)
    await arrive(numbers.map((number) => `7 /${number}`))
    start('/new')
    await arrive([...numbers.slice(1).map((number) => `7 /${number}`), '7 /new'])
  })
})

test.each(['{', '{}', '[null, 1, {"path": 3}]', '[{"path":"/a","userId":7}]'])(
  'invalid stored data offers nothing: %p',
  async (stored) => {
    localStorage.setItem(KEY, stored)
    expect(await unfinishedOf(7)).toEqual([])
    expect(hasUnfinished(7)).toBe(false)
  },
)
