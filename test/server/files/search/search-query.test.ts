import { expect, test } from 'bun:test'
import { parseQuery } from '#server/files/search/search-query.ts'

const found = (query: string, ...names: string[]) => names.filter(parseQuery(query).matches)

test('a search finds names that contain any term, in any case', () => {
  expect(found('re port', 'Report.pdf', 'airport', 'photo')).toEqual(['Report.pdf', 'airport'])
  expect(found('case:sensitive re', 'Report', 'are')).toEqual(['are'])
})

test('quotes around the whole text make words one phrase @spec-7.43', () => {
  expect(found('"a b"', 'a b.txt', 'ab', 'b a')).toEqual(['a b.txt'])
  expect(found('type:txt "a b"', 'a b.txt', 'ab.txt')).toEqual(['a b.txt'])
  expect(found('"a b" c', 'a b.txt', 'abc.txt')).toEqual(['abc.txt'])
})

test('type: limits a search to a kind of file or to an extension', () => {
  const names = ['a.JPG', 'a.mp3', 'a.mkv', 'a.pdf', 'a']
  expect(found('type:image', ...names)).toEqual(['a.JPG'])
  expect(found('type:audio type:video', ...names)).toEqual(['a.mp3', 'a.mkv'])
  expect(found('type:music', ...names)).toEqual(['a.mp3'])
  expect(found('type:pdf', ...names)).toEqual(['a.pdf'])
  expect(found('type:pdf x', ...names)).toEqual([])
  expect(found('type:constructor', 'a.constructor', 'a')).toEqual(['a.constructor'])
  expect(found('type:audio', 'song.mod', 'go.mod')).toEqual(['song.mod'])
})

test('an empty search finds everything', () => {
  expect(found('', 'a', 'b')).toEqual(['a', 'b'])
})

test('the number of words in a search is limited @limit-45', () => {
  expect(parseQuery(Array(32).fill('a').join(' ')).matches('cat')).toBe(true)
  for (const word of ['a', 'type:pdf']) {
    expect(() => parseQuery(Array(33).fill(word).join(' '))).toThrow('32 words')
  }
})
