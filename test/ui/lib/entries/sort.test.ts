import { afterEach, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { sortEntries, sortsUnlikeServer } from '#ui/lib/entries/sort.ts'
import type { Sorting } from '#wire/api/entry.ts'
import { entry } from '../../entries.ts'

const ITEMS = [
  entry('/b10.txt', { size: 1, modified: '2026-03-01T00:00:00Z' }),
  entry('/B2.txt', { size: 3, modified: '2026-01-01T00:00:00Z' }),
  entry('/a.txt', { size: 2, modified: '2026-02-01T00:00:00Z' }),
  entry('/z/', { size: 9, modified: '2026-01-01T00:00:00Z' }),
  entry('/y/', { size: 4, modified: '2026-02-01T00:00:00Z' }),
]

describe('order', () => {
  test.each([
    ['name', true, 'y z a.txt B2.txt b10.txt'],
    ['name', false, 'z y b10.txt B2.txt a.txt'],
    ['size', true, 'y z b10.txt a.txt B2.txt'],
    ['size', false, 'y z B2.txt a.txt b10.txt'],
    ['modified', true, 'z y B2.txt a.txt b10.txt'],
    ['modified', false, 'y z b10.txt a.txt B2.txt'],
  ] satisfies [Sorting['by'], boolean, string][])(
    'entries sorted by %s, ascending %p, begin with folders',
    (by, asc, names) => {
      const sorted = sortEntries(ITEMS, { by, asc })
      expect(sorted.map(({ name }) => name).join(' ')).toBe(names)
    },
  )

  test('folders with known sizes are sorted by them, equal ones by name in both directions', () => {
    const folders = [
      entry('/b/', { totalSize: 5 }),
      entry('/a/', { totalSize: 5 }),
      entry('/unknown/'),
      entry('/c/', { totalSize: 7 }),
    ]
    const order = (asc: boolean) =>
      sortEntries(folders, { by: 'size', asc }).map(({ name }) => name)
    expect(order(true)).toEqual(['unknown', 'a', 'b', 'c'])
    expect(order(false)).toEqual(['c', 'a', 'b', 'unknown'])
  })

  test('sorting does not change the original', () => {
    const before = [...ITEMS]
    sortEntries(ITEMS, { by: 'size', asc: false })
    expect(ITEMS).toEqual(before)
  })
})

describe('the alphabet of the interface', () => {
  afterEach(() => {
    document.documentElement.lang = 'en'
  })

  test.each([
    ['en', 'ä o ö z', false],
    ['de', 'ä o ö z', false],
    ['sv-se', 'o z ä ö', true],
    ['hu', 'ä o ö z', true],
  ])('in %s names are sorted as %s @spec-9.4', (language, order, isOwn) => {
    document.documentElement.lang = language
    const names = ['z', 'ö', 'o', 'ä'].map((name) => entry(`/${name}`))
    const sorted = sortEntries(names, { by: 'name', asc: true })
    expect(sorted.map(({ name }) => name).join(' ')).toBe(order)
    expect(sortsUnlikeServer()).toBe(isOwn)
  })

  test('in Czech ch is a letter after h, and in Chinese characters follow their sound', () => {
    const sorted = (language: string, ...given: string[]) => {
      document.documentElement.lang = language
      const entries = sortEntries(
        given.map((name) => entry(`/${name}`)),
        { by: 'name', asc: true },
      )
      return entries.map(({ name }) => name).join(' ')
    }
    expect(sorted('cs', 'chata', 'cena', 'hora')).toBe('cena hora chata')
    expect(sorted('zh-cn', '中', '国', '文')).toBe('国 文 中')
  })
})
