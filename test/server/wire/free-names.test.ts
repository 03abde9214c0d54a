import { expect, test } from 'bun:test'
import { numberedName, stemLength } from '#wire/free-names.ts'

test.each([
  ['a.txt', 'a(1).txt'],
  ['a.tar.gz', 'a(1).tar.gz'],
  ['.env', '.env(1)'],
  ['.tar.gz', '.tar(1).gz'],
  ['...', '...(1)'],
  ['..env', '..env(1)'],
  ['..env.txt', '..env(1).txt'],
  ['..tar.gz', '..tar(1).gz'],
  ['a.', 'a.(1)'],
  ['a..', 'a..(1)'],
  [`${'x'.repeat(251)}.txt`, `${'x'.repeat(248)}(1).txt`],
  [`${'ü'.repeat(125)}.txt`, `${'ü'.repeat(124)}(1).txt`],
  // An emoji, which is four bytes and two UTF-16 units, is not cut in two.
  [`a${'\u{1F600}'.repeat(62)}.txt`, `a${'\u{1F600}'.repeat(61)}(1).txt`],
  [`a.${'x'.repeat(253)}`, `a.${'x'.repeat(250)}(1)`],
])('%s gets a number before its extension, and has at most 255 bytes', (name, numbered) => {
  expect(numberedName(name, 1)).toBe(numbered)
})

test('a folder has no extension', () => {
  expect(numberedName('a.b', 2, true)).toBe('a.b(2)')
})

test.each([
  ['photo.jpg', 'photo'],
  ['site.tar.gz', 'site'],
  ['.env', '.env'],
  ['.tar.gz', '.tar'],
  ['README', 'README'],
  ['...', '...'],
  ['..env', '..env'],
  ['a.', 'a.'],
  ['a.b.c', 'a.b'],
])('a rename of %j selects %j', (name, stem) => {
  expect(name.slice(0, stemLength(name))).toBe(stem)
})
