import { expect, test } from 'bun:test'
import { kindOf } from '#ui/lib/entries/kinds.ts'
import type { EntryType } from '#wire/api/entry.ts'

test.each([
  ['photo.JPG', 'image', 'image'],
  ['no-extension', 'video', 'video'],
  ['script.py', 'text', 'code'],
  ['notes.md', 'text', 'text'],
  ['archive.tar.zst', 'blob', 'archive'],
  ['table.csv', 'text', 'sheet'],
  ['letter.docx', 'blob', 'document'],
  ['strange.qqq', 'blob', 'blob'],
  ['.env', 'text', 'text'],
  ['gone.png', 'invalid_link', 'link'],
] satisfies [string, EntryType, string][])(
  'the file %s of type %s is shown as %s',
  (name, type, kind) => {
    expect<string>(kindOf({ name, isDir: false, type })).toBe(kind)
  },
)

test('a folder is a folder, whatever its name', () => {
  expect(kindOf({ name: 'photos.zip', isDir: true, type: '' })).toBe('folder')
})
