import { describe, expect, test } from 'bun:test'
import { sortEntries } from '#ui/lib/sort.ts'
import type { Sorting } from '#wire/entry.ts'
import { entry } from '../entries.ts'

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
    ['size', false, 'z y B2.txt a.txt b10.txt'],
    ['modified', true, 'z y B2.txt a.txt b10.txt'],
    ['modified', false, 'y z b10.txt a.txt B2.txt'],
  ] satisfies [Sorting['by'], boolean, string][])(
    'by %s, ascending %p: folders first',
    (by, asc, names) => {
      const sorted = sortEntries(ITEMS, { by, asc })
      expect(sorted.map(({ name }) => name).join(' ')).toBe(names)
    },
  )

  test('leaves the original as it is', () => {
    const before = [...ITEMS]
    sortEntries(ITEMS, { by: 'size', asc: false })
    expect(ITEMS).toEqual(before)
  })
})
