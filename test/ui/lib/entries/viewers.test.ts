import { expect, test } from 'bun:test'
import { isStepTarget, type Viewable, type Viewer, viewerOf } from '#ui/lib/entries/viewers.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'

const file = (name: string, type: Viewable['type'], size = 10): Viewable => ({ name, type, size })

test.each([
  ['a.txt', 'text', 'editor'],
  ['a.md', 'textImmutable', 'editor'],
  ['a.CSV', 'text', 'table'],
  ['a.tsv', 'text', 'table'],
  ['a.jpg', 'image', 'image'],
  ['a.mkv', 'video', 'video'],
  ['a.opus', 'audio', 'audio'],
  ['a.pdf', 'pdf', 'pdf'],
  ['a.EPUB', 'blob', 'book'],
  ['a.tar.GZ', 'blob', 'archive'],
  ['a.zip', 'text', 'editor'],
  ['a.gz', 'blob', 'card'],
  ['a.docx', 'blob', 'document'],
  ['a.ODT', 'blob', 'document'],
  ['a.rtf', 'text', 'document'],
  ['a.xlsx', 'blob', 'sheets'],
  ['a.ods', 'blob', 'sheets'],
  ['a.bin', 'blob', 'card'],
  ['gone', 'invalid_link', 'card'],
] satisfies [string, Viewable['type'], Viewer][])(
  'the file %s of type %s opens in the viewer %s',
  (name, type, viewer) => {
    expect(viewerOf(file(name, type), { mayRead: true })).toBe(viewer)
    expect(viewerOf(file(name, type), { mayRead: false })).toBe('card')
  },
)

test('the source of an RTF is shown on request, or if it is too large', () => {
  expect(viewerOf(file('a.rtf', 'text'), { mayRead: true, asText: true })).toBe('editor')
  const large = file('a.rtf', 'text', UI_LIMITS.documentMaxBytes + 1)
  expect(viewerOf(large, { mayRead: true })).toBe('editor')
})

test('a table is shown as text on request, or if it is too large', () => {
  expect(viewerOf(file('a.csv', 'text'), { mayRead: true, asText: true })).toBe('editor')
  expect(viewerOf(file('a.csv', 'text', UI_LIMITS.tableMaxBytes + 1), { mayRead: true })).toBe(
    'editor',
  )
})

test('a book that is too large does not open in the browser', () => {
  const book = file('a.epub', 'blob', UI_LIMITS.bookMaxBytes + 1)
  expect(viewerOf(book, { mayRead: true })).toBe('card')
})

test('a PDF or a document that is too large does not open in the browser', () => {
  const paper = file('a.pdf', 'pdf', UI_LIMITS.pdfMaxBytes + 1)
  expect(viewerOf(paper, { mayRead: true })).toBe('card')
  const letter = file('a.docx', 'blob', UI_LIMITS.documentMaxBytes + 1)
  expect(viewerOf(letter, { mayRead: true })).toBe('card')
})

test('previous and next skip folders, texts and broken symlinks', () => {
  const stops = (type: Viewable['type'], isDir = false) => isStepTarget({ type, isDir })
  expect([stops('image'), stops('blob'), stops('pdf')]).toEqual([true, true, true])
  expect([stops('text'), stops('invalid_link'), stops('', true)]).toEqual([false, false, false])
})
