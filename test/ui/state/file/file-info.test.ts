/** The information about files and folders in the details. */
import { expect, test } from 'bun:test'
import '../../browser.ts'
import { sizeOf } from '#ui/lib/entries/size-of.ts'
import { fileInfoOf } from '#ui/state/file/file-info.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'

const entry = (name: string, size: number, folder?: { totalSize?: number }): Entry => ({
  path: parsePath(`/${name}`),
  name,
  size,
  extension: '',
  modified: '2026-01-02T03:04:05Z',
  mode: 0o644,
  isDir: folder !== undefined,
  isSymlink: false,
  type: '',
  ...folder,
})

const file = entry('file', 1000)
const known = entry('known', 4096, { totalSize: 5000 })
const unknown = entry('unknown', 4096, {})
const sizes = (...entries: Entry[]) =>
  fileInfoOf(entries).flatMap(({ term, title }) => (/size/i.test(term) ? [title] : []))

test('the size of a folder is that of its known content', () => {
  expect(sizeOf([file, known, unknown])).toBe(6000)
  expect(sizes(known)).toHaveLength(1)
  expect(sizes(known)[0]).toContain('5,000')
  expect(sizes(unknown)).toEqual([])
  expect(sizes(file, known)[0]).toContain('6,000')
})
