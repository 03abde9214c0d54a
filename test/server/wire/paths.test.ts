import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isFault } from '#wire/fault.ts'
import {
  childPath,
  commonFolder,
  DEPTH_MAX,
  extensionOf,
  findNameProblem,
  isInside,
  joinPath,
  nameOf,
  PATH_MAX_CHARACTERS,
  parentPath,
  parsePath,
  parseUrlPath,
  ROOT,
  relativePath,
  segmentsOf,
  toUrlPath,
} from '#wire/paths.ts'
import { NASTY_NAMES } from '../../support/files/tree.ts'

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => findNameProblem(text) === undefined && text.isWellFormed())
const path = fc.array(name, { maxLength: 6 }).map((names) => parsePath(`/${names.join('/')}`))

describe('a tree path', () => {
  test('a tree path drops empty, dot and dot-dot segments, and is never above the root', () => {
    expect(parsePath('//a/./b//../c/')).toBe(parsePath('/a/c'))
    expect(parsePath('/../../etc/passwd')).toBe(parsePath('/etc/passwd'))
    expect(parsePath('')).toBe(ROOT)
    expect(parsePath('..')).toBe(ROOT)
  })

  test('a tree path with a NUL character is refused', () => {
    expect(() => parsePath('/a\0b')).toThrow('NUL')
    expect(() => parseUrlPath('/a%00b')).toThrow('NUL')
  })

  test('a tree path is decoded exactly once', () => {
    expect(parseUrlPath('/a%2523b').path).toBe(parsePath('/a%23b'))
    expect(parseUrlPath('/a%23b').path).toBe(parsePath('/a#b'))
    expect(parseUrlPath('/a+b').path).toBe(parsePath('/a+b'))
  })

  test('an encoded slash or encoded dots in a tree path mean the same as plain ones', () => {
    expect(parseUrlPath('/..%2f..%2fetc%2fpasswd').path).toBe(parsePath('/etc/passwd'))
    expect(parseUrlPath('/%2e%2e/bob').path).toBe(parsePath('/bob'))
    expect(parseUrlPath('/%252e%252e/bob').path).toBe(parsePath('/%2e%2e/bob'))
    expect(parseUrlPath('/a%5cb').path).toBe(parsePath('/a\\b'))
  })

  test('a tree path that does not decode is a bad request', () => {
    for (const bad of ['/%', '/%zz', '/%c0%ae', '/%c3%28', '/%ed%a0%80']) {
      let thrown: unknown
      try {
        parseUrlPath(bad)
      } catch (error) {
        thrown = error
      }
      expect(isFault(thrown, 'badRequest')).toBe(true)
    }
  })

  test('a path of a request says whether it was written as a folder', () => {
    expect(parseUrlPath('/a/').asFolder).toBe(true)
    expect(parseUrlPath('/a%2F').asFolder).toBe(true)
    expect(parseUrlPath('/a/.').asFolder).toBe(true)
    expect(parseUrlPath('/a').asFolder).toBe(false)
    expect(parseUrlPath('/').asFolder).toBe(true)
  })

  test('a tree path is the same after it was encoded in a URL and decoded, for all names', () => {
    for (const nasty of NASTY_NAMES) {
      const path = childPath(ROOT, nasty)
      expect(parseUrlPath(new URL(`http://x${toUrlPath(path)}`).pathname).path).toBe(path)
    }
    fc.assert(
      fc.property(path, (generated) => {
        const { pathname } = new URL(`http://x/api${toUrlPath(generated, true)}`)
        expect(parseUrlPath(pathname.slice(4)).path).toBe(generated)
      }),
    )
  })

  test('any text is a canonical tree path after one parse', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('\0'))
        const once = parsePath(text)
        expect(parsePath(once)).toBe(once)
        expect(segmentsOf(once).every((segment) => !['', '.', '..'].includes(segment))).toBe(true)
      }),
    )
  })

  test('joinPath is reversed by relativePath, and childPath by parentPath and nameOf', () => {
    fc.assert(
      fc.property(path, path, (a, b) => {
        const joined = joinPath(a, b)
        expect(isInside(joined, a)).toBe(true)
        expect(relativePath(joined, a)).toBe(b)
        if (joined !== ROOT) expect(childPath(parentPath(joined), nameOf(joined))).toBe(joined)
      }),
    )
  })

  test('a path is inside another only at the end of a segment', () => {
    expect(isInside(parsePath('/ab'), parsePath('/a'))).toBe(false)
    expect(isInside(parsePath('/a/b'), parsePath('/a'))).toBe(true)
    expect(isInside(parsePath('/a'), parsePath('/a'))).toBe(true)
    expect(() => relativePath(parsePath('/ab'), parsePath('/a'))).toThrow()
  })
})

describe('a name', () => {
  test('an invalid name is refused with a reason', () => {
    expect(findNameProblem('')).toBe('empty')
    expect(findNameProblem('..')).toBe('dots')
    expect(findNameProblem('a/b')).toBe('slash')
    expect(findNameProblem('ü'.repeat(128))).toBe('tooLong')
    expect(findNameProblem('ü'.repeat(127))).toBeUndefined()
    expect(() => childPath(ROOT, '..')).toThrow('reserved')
  })

  test('a name has its extension with the dot', () => {
    expect(['a.tar.gz', '.env', 'README', 'A.JPG'].map(extensionOf)).toEqual([
      '.gz',
      '.env',
      '',
      '.JPG',
    ])
  })
})

test('a path has a limited number of characters @limit-60', () => {
  expect(parsePath('/./'.repeat(PATH_MAX_CHARACTERS / 3))).toBe(ROOT)
  expect(() => parsePath('/'.repeat(PATH_MAX_CHARACTERS + 1))).toThrow('characters')
})

test('a path has a limited number of levels @limit-43', () => {
  const deepest = parsePath('/a'.repeat(DEPTH_MAX))
  expect(() => parsePath('/a'.repeat(DEPTH_MAX + 1))).toThrow('levels')
  expect(() => childPath(deepest, 'a')).toThrow('levels')
  expect(childPath(parsePath('/a'.repeat(DEPTH_MAX - 1)), 'a')).toBe(deepest)
})

test('the common folder is the deepest that contains all folders, or is one of them', () => {
  expect<string>(commonFolder(treePaths('/a/b', '/a/b/c', '/a/b/d'))).toBe('/a/b')
  expect<string>(commonFolder(treePaths('/a/bc', '/a/b'))).toBe('/a')
  expect<string>(commonFolder(treePaths('/a', '/b'))).toBe('/')
})

function treePaths(...texts: string[]) {
  return texts.map(parsePath)
}
