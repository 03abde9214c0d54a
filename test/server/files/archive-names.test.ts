import { describe, expect, test } from 'bun:test'
import { parseArchiveFormat } from '#server/files/archive-formats.ts'
import {
  archiveFileName,
  commonFolder,
  memberName,
  outermost,
} from '#server/files/archive-names.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'

const paths = (...texts: string[]) => texts.map(parsePath)

test('a member is named from the base, and a backslash is no separator', () => {
  expect(memberName(parsePath('/a/b/c'), parsePath('/a'))).toBe('b/c')
  expect(memberName(parsePath('/a'), ROOT)).toBe('a')
  expect(memberName(parsePath('/a'), parsePath('/a'))).toBe('')
  expect(memberName(parsePath('/x/..\\..\\evil'), parsePath('/x'))).toBe('.._.._evil')
})

test('the common folder is the deepest that holds all', () => {
  expect<string>(commonFolder(paths('/a/b', '/a/b/c', '/a/b/d'))).toBe('/a/b')
  expect<string>(commonFolder(paths('/a/bc', '/a/b'))).toBe('/a')
  expect<string>(commonFolder(paths('/a', '/b'))).toBe('/')
})

test('what lies inside another is not named twice', () => {
  expect<string[]>(outermost(paths('/a/b/c', '/a/b', '/a/bc', '/a/b'))).toEqual(['/a/b', '/a/bc'])
  expect<string[]>(outermost(paths('/a', '/'))).toEqual(['/'])
})

test('an archive is called after its base', () => {
  const named = (base: string, several: boolean) =>
    archiveFileName({ base: parsePath(base), several }, '.tar.gz', 'files')
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
  ])('%p is %s', (text, ending) => {
    expect(parseArchiveFormat(text)).toMatchObject({ ending })
  })

  test.each(['rar', 'false', 'ZIP', '__proto__', 'toString', '.'])('%p is none', (text) => {
    expect(() => parseArchiveFormat(text)).toThrow(Fault)
    expect(() => parseArchiveFormat(text)).toThrow(text)
  })
})
