import { beforeAll, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { strToU8, zipSync } from 'fflate'
import { openBook } from '#ui/features/book/epub.ts'
import { fragmentOf, isExternal, resolveInBook } from '#ui/features/book/zip-paths.ts'
import { bookOf, CONTAINER } from '../../../support/files/books.ts'

beforeAll(() => {
  globalThis.DOMParser = window.DOMParser
})

describe('a book', () => {
  test('a book has its title and author, and its chapters in reading order', () => {
    const book = openBook(bookOf())
    expect(book).toMatchObject({ title: 'The Harbour', author: 'Ingrid Solberg', language: 'en' })
    expect(book.chapters).toEqual(['OPS/text/one.xhtml', 'OPS/text/two.xhtml'])
    expect(book.text('OPS/text/two.xhtml')).toContain('It ends.')
  })

  test('an EPUB 3 book has the table of contents of its navigation document', () => {
    expect(openBook(bookOf()).contents).toEqual([
      { title: 'One', chapter: 0, fragment: '', depth: 0 },
      { title: 'Deeper', chapter: 0, fragment: 'deep', depth: 1 },
      { title: 'Two', chapter: 1, fragment: '', depth: 0 },
    ])
  })

  test('an EPUB 2 book has the table of contents of its NCX file', () => {
    expect(openBook(bookOf({ contents: ['ncx'] })).contents).toEqual([
      { title: 'First', chapter: 0, fragment: '', depth: 0 },
      { title: 'Within', chapter: 0, fragment: 'deep', depth: 1 },
    ])
  })

  test('a book without a table of contents lists its chapters', () => {
    expect(openBook(bookOf({ contents: [] })).contents.map(({ chapter }) => chapter)).toEqual([
      0, 1,
    ])
  })

  test('a file that the archive of a book does not contain is undefined', () => {
    const book = openBook(bookOf())
    expect(book.file('../../etc/passwd')).toBeUndefined()
    expect(book.text('constructor')).toBeUndefined()
  })
})

test.each([
  ['no archive', strToU8('not a book')],
  ['no container', zipSync({ mimetype: strToU8('application/epub+zip') })],
  ['no package', zipSync({ 'META-INF/container.xml': strToU8(CONTAINER) })],
  [
    'no chapters',
    zipSync({
      'META-INF/container.xml': strToU8(CONTAINER),
      'OPS/book.opf': strToU8('<package xmlns="http://www.idpf.org/2007/opf"><spine/></package>'),
    }),
  ],
])('a book with %s cannot be read', (_, bytes) => {
  expect(() => openBook(bytes)).toThrow()
})

test.each([
  ['OPS/text/one.xhtml', 'two.xhtml#x', 'OPS/text/two.xhtml'],
  ['OPS/text/one.xhtml', '../pictures/a%20b.png', 'OPS/pictures/a b.png'],
  ['OPS/text/one.xhtml', '../../../../etc/passwd', 'etc/passwd'],
  ['book.opf', '/cover.png?x', 'cover.png'],
  ['book.opf', '100%.png', '100%.png'],
])('in the file %s the relative URL %s refers to the file %s', (from, href, path) => {
  expect(resolveInBook(from, href)).toBe(path)
})

test('URLs that point outside of the book are detected, and a fragment is decoded', () => {
  expect(['http://a', '//a', 'javascript:x', 'data:x'].every(isExternal)).toBe(true)
  expect(['a.png', '../a', '#x', 'b/../c'].some(isExternal)).toBe(false)
  expect(fragmentOf('a#b%20c')).toBe('b c')
})
