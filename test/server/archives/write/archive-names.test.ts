import { describe, expect, test } from 'bun:test'
import { parseArchiveFormat } from '#server/archives/codecs/archive-formats.ts'
import { archiveFileName, memberNames, outermost } from '#server/archives/write/archive-names.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'

const paths = (...texts: string[]) => texts.map(parsePath)

test('the name of a member is relative to the base, and a backslash is not a separator', () => {
  const named = (path: string, base: string) => memberNames(paths(path), parsePath(base))
  expect(named('/a/b/c', '/a')).toEqual(['b/c'])
  expect(named('/a', '/')).toEqual(['a'])
  expect(named('/a', '/a')).toEqual([''])
  expect(named('/x/..\\..\\evil', '/x')).toEqual(['.._.._evil'])
})

test('members of a folder have different names, and names change only if they must', () => {
  const names = memberNames(paths('/a\\b.txt', '/a_b.txt', '/a_b(1).txt', '/a\\\\b'), ROOT)
  expect(names).toEqual(['a_b(2).txt', 'a_b.txt', 'a_b(1).txt', 'a__b'])
  const alike = Array.from({ length: 1024 }, (_, bits) =>
    parsePath(`/${[...Array(10).keys()].map((bit) => ((bits >> bit) & 1 ? '_' : '\\')).join('')}`),
  )
  expect(new Set(memberNames(alike, ROOT)).size).toBe(1024)
})

test('a path inside another path is not listed twice', () => {
  expect<string[]>(outermost(paths('/a/b/c', '/a/b', '/a/bc', '/a/b'))).toEqual(['/a/b', '/a/bc'])
  expect<string[]>(outermost(paths('/a', '/'))).toEqual(['/'])
})

test('the file name of an archive comes from its base', () => {
  const named = (base: string, hasSeveralPaths: boolean) =>
    archiveFileName({ base: parsePath(base), hasSeveralPaths }, '.tar.gz', 'files')
  expect(named('/a/docs', false)).toBe('docs.tar.gz')
  expect(named('/a/docs', true)).toBe('_docs.tar.gz')
  expect(named('/', false)).toBe('files.tar.gz')
})

describe('a format', () => {
  test.each([
    ['targz', '.tar.gz'],
    ['tar.gz', '.tar.gz'],
    ['tar.zst', '.tar.zst'],
    ['tarzst', '.tar.zst'],
    ['tar', '.tar'],
    ['zip', '.zip'],
    ['true', '.zip'],
    ['', '.zip'],
    [undefined, '.zip'],
  ])('the format %p makes a name that ends in %s', (text, ending) => {
    expect(parseArchiveFormat(text)).toMatchObject({ ending })
  })

  test.each(['rar', 'false', 'ZIP', '__proto__', 'toString', '.'])(
    'the format %p is refused',
    (text) => {
      expect(() => parseArchiveFormat(text)).toThrow(Fault)
      expect(() => parseArchiveFormat(text)).toThrow(text)
    },
  )
})
