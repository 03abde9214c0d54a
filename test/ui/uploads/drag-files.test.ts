import { describe, expect, test } from 'bun:test'
import { filesOfInput, filesOfTransfer } from '#ui/lib/gestures/drag-files.ts'
import { handleOf } from '#ui/lib/gestures/file-handles.ts'

/** The number of entries that Chromium returns in one batch. */
const PORTION = 100

const LOCKED = new DOMException('', 'NotAllowedError')
const GONE = new DOMException('', 'NotFoundError')
/** A folder with this name in it cannot be read beyond the first batch. */
const END = 'the end'

type Tree = { [name: string]: Tree | string | null }

/** A folder tree as the browser's entries: a text is a file, null a file that does not open. */
function entryOf(name: string, tree: Tree | string | null): object {
  if (tree === null) {
    return {
      name,
      isFile: true,
      isDirectory: false,
      file: (_: unknown, fail: (error: Error) => void) => fail(LOCKED),
    }
  }
  if (typeof tree === 'string') {
    const file = new File([tree], name)
    return { name, isFile: true, isDirectory: false, file: (done: (f: File) => void) => done(file) }
  }
  const entries = Object.entries(tree).map(([child, below]) => entryOf(child, below))
  const createReader = () => {
    let at = 0
    return {
      readEntries(done: (portion: object[]) => void, fail: (error: Error) => void) {
        if (at > 0 && END in tree) return fail(GONE)
        done(entries.slice(at, at + PORTION))
        at += PORTION
      },
    }
  }
  return { name, isFile: false, isDirectory: true, createReader }
}

/** The used part of a DataTransfer. As in a browser, it is empty after the drop event. */
function transferOf(tree: Tree): DataTransfer {
  const items = Object.entries(tree).map(([name, below]) => ({
    kind: 'file',
    webkitGetAsEntry: () => entryOf(name, below),
  }))
  queueMicrotask(() => items.splice(0))
  return { items, files: [] } as unknown as DataTransfer
}

const paths = async (tree: Tree) =>
  (await filesOfTransfer(transferOf(tree))).map(({ path }) => path)

describe('the content of a drop', () => {
  test('a drop contains files, and folders with their content, folders first', async () => {
    const dropped = await paths({ 'a.txt': 'a', photos: { 'b.jpg': 'b', raw: { 'c.nef': 'c' } } })
    expect(dropped).toEqual(['a.txt', 'photos', 'photos/b.jpg', 'photos/raw', 'photos/raw/c.nef'])
  })

  test('a drop contains empty folders', async () => {
    expect(await filesOfTransfer(transferOf({ empty: {} }))).toEqual([
      { file: null, path: 'empty', isDir: true },
    ])
  })

  test('a drop contains more files than one batch of the reader', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`${at}.txt`, 'x']))
    expect(await paths({ many })).toHaveLength(251)
  })

  test('a dropped file that cannot be opened is kept without content', async () => {
    expect(await filesOfTransfer(transferOf({ 'locked.db': null }))).toEqual([
      { file: null, path: 'locked.db', isDir: false, error: LOCKED },
    ])
  })

  test('a folder that cannot be read to its end has the error, and all that was read', async () => {
    const names = [END, ...Array.from({ length: 250 }, (_, at) => `${at}.txt`)]
    const many = Object.fromEntries(names.map((name) => [name, 'x']))
    const [folder, ...files] = await filesOfTransfer(transferOf({ many }))
    expect(folder).toEqual({ file: null, path: 'many', isDir: true, error: GONE })
    expect(files).toHaveLength(PORTION)
  })

  test('an item without an entry is not left out beside others that have one', async () => {
    const file = new File(['x'], 'plain.txt')
    const items = [
      { kind: 'file', webkitGetAsEntry: () => entryOf('a.txt', 'a') },
      { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => file },
      { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => null },
    ]
    const picks = await filesOfTransfer({ items, files: [] } as unknown as DataTransfer)
    expect(picks.map((pick) => [pick.path, pick.file !== null])).toEqual([
      ['plain.txt', true],
      ['?', false],
      ['a.txt', true],
    ])
  })

  test('a drop keeps names unchanged', async () => {
    const names = ['😀.bin', 'a\nb.txt', '100%.txt', 'a#b', 'a\u0301']
    expect(await paths(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual(names)
  })
})

test('a folder chosen in a dialog keeps its structure', () => {
  const inner = Object.defineProperty(new File(['x'], 'b.txt'), 'webkitRelativePath', {
    value: 'folder/b.txt',
  })
  const picks = filesOfInput([new File(['x'], 'a.txt'), inner])
  expect(picks.map(({ path }) => path)).toEqual(['a.txt', 'folder/b.txt'])
})

test('a file in a dropped folder has a handle, which is requested when it is needed', async () => {
  const requested: string[] = []
  const handleOfTree = (name: string, tree: Tree | string | null): object => {
    const child = (below: string) => {
      requested.push(below)
      const inside = typeof tree === 'object' ? tree?.[below] : undefined
      return inside === undefined
        ? Promise.reject(new Error('It is gone.'))
        : Promise.resolve(handleOfTree(below, inside))
    }
    return typeof tree === 'string'
      ? { kind: 'file', name, queryPermission: () => 'granted' }
      : { kind: 'directory', name, getFileHandle: child, getDirectoryHandle: child }
  }
  const tree: Tree = { raw: { 'c.nef': 'c', 'gone.nef': 'g' } }
  const transfer = {
    items: [
      {
        kind: 'file',
        webkitGetAsEntry: () => entryOf('photos', tree),
        getAsFileSystemHandle: async () => handleOfTree('photos', { raw: { 'c.nef': 'c' } }),
      },
    ],
    files: [],
  }
  const picks = await filesOfTransfer(transfer as unknown as DataTransfer)
  expect(requested).toEqual([])
  const handles = await Promise.all(picks.map(({ file }) => file && handleOf(file)))
  expect(picks.map(({ path }) => path)).toEqual([
    'photos',
    'photos/raw',
    'photos/raw/c.nef',
    'photos/raw/gone.nef',
  ])
  expect(handles.map((handle) => handle?.name)).toEqual([undefined, undefined, 'c.nef', undefined])
})
