import { expect, test } from 'bun:test'
import { rankByUse } from '#ui/features/finder/rank.ts'
import { entry } from '../../entries.ts'

const HITS = 'abcdefghij'.split('').map((name) => entry(`/${name}`))
const order = (uses: Record<string, number>) =>
  rankByUse(HITS, (path) => uses[path] ?? 0)
    .map(({ name }) => name)
    .join('')

test('results that were never opened keep the order of the server', () => {
  expect(order({})).toBe('abcdefghij')
})

test('a result moves up by one row for each time it was opened, by six rows at most', () => {
  expect(order({ '/c': 1 })).toBe('acbdefghij')
  expect(order({ '/e': 3 })).toBe('aebcdfghij')
  expect(order({ '/j': 1000 })).toBe('abcjdefghi')
})

test('of two results that were opened often, the one that was opened more often is first', () => {
  expect(order({ '/b': 1, '/c': 5 })[0]).toBe('c')
})
