import { describe, expect, test } from 'bun:test'
import { findNameWarning, findTypedNameProblem, freeName } from '#ui/lib/entries/usable-names.ts'
import { findNameProblem } from '#wire/paths.ts'

describe('an invalid name', () => {
  test.each([
    ['', 'empty'],
    ['.', 'dots'],
    ['..', 'dots'],
    ['a/b', 'slash'],
    ['a\0b', 'control'],
    ['é'.repeat(128), 'tooLong'],
  ] as const)('the name %j is refused: %s', (name, problem) => {
    expect(findNameProblem(name)).toBe(problem)
  })

  test.each(['a', '...', '.env', 'a#b', '100%.txt', '😀.bin', 'a\nb.txt', 'é'.repeat(127)])(
    'the name %j is valid',
    (name) => {
      expect(findNameProblem(name)).toBeUndefined()
    },
  )
})

test.each(['.filemgr', '.FILEMGR', '.snapshots'])('the name %j is of the server', (name) => {
  expect(findTypedNameProblem(name)).toBe('reserved')
})

describe('a name that other systems refuse', () => {
  test.each([
    ['11:30.txt', 'foreignSign'],
    ['what?', 'foreignSign'],
    ['a\tb.txt', 'foreignControl'],
    ['a\nb.txt', 'foreignControl'],
    ['aux', 'foreignWord'],
    ['Con.txt', 'foreignWord'],
    ['LPT¹', 'foreignWord'],
    ['ends with a dot.', 'foreignEnd'],
  ] as const)('the name %j has the warning %s', (name, warning) => {
    expect(findNameWarning(name)).toBe(warning)
  })

  test.each(['context.txt', 'com10', 'a.b c', '资料', '.env'])(
    'the name %j is valid everywhere',
    (name) => {
      expect(findNameWarning(name)).toBeUndefined()
    },
  )
})

describe('the next free name', () => {
  test('a free name is the name itself if it is not taken', () => {
    expect(freeName('a.txt', (name) => name === 'b.txt', false)).toBe('a.txt')
  })

  test('a free name has the lowest free number before its extension', () => {
    const taken = new Set(['a.txt', 'a(1).txt', 'a(3).txt', 'site.tar.gz'])
    expect(freeName('a.txt', (name) => taken.has(name), false)).toBe('a(2).txt')
    expect(freeName('site.tar.gz', (name) => taken.has(name), false)).toBe('site(1).tar.gz')
  })

  test('a free name of a folder has no extension', () => {
    expect(freeName('v1.2', (name) => name === 'v1.2', true)).toBe('v1.2(1)')
  })
})
