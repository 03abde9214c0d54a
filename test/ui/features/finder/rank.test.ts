import { expect, test } from 'bun:test'
import { rankByUse } from '#ui/features/finder/rank.ts'
import { entry } from '../../entries.ts'

const HITS = 'abcdefghij'.split('').map((name) => entry(`/${name}`))
const order = (uses: Record<string, number>) =>
  rankByUse(HITS, (path) => uses[path] ?? 0)
    .map(({ name }) => name)
    .join('')

test('without uses the order of the server stays', () => {
  expect(order({})).toBe('abcdefghij')
})

test('an often opened result comes earlier, a few rows at most', () => {
  expect(order({ '/c': 1 })).toBe('acbdefghij')
  expect(order({ '/e': 3 })).toBe('aebcdfghij')
  expect(order({ '/j': 1000 })).toBe('abcjdefghi')
})

test('of two often opened results the one opened more often is first', () => {
  expect(order({ '/b': 1, '/c': 5 })[0]).toBe('c')
})
