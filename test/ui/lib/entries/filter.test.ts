import { expect, test } from 'bun:test'
import { filterByName } from '#ui/lib/entries/filter.ts'
import { entry } from '../../entries.ts'

const ITEMS = ['Café menu.pdf', 'menu (1).PDF', 'Straße.txt', '100%.txt', 'صور.jpg'].map((name) =>
  entry(`/${name}`),
)

test.each([
  ['', [0, 1, 2, 3, 4]],
  ['  ', [0, 1, 2, 3, 4]],
  ['menu', [0, 1]],
  ['CAFE', [0]],
  ['cafe\u0301', [0]],
  ['strasse', [2]],
  ['pdf menu', [0, 1]],
  ['menu caf', [0]],
  ['%', [3]],
  ['صور', [4]],
  ['.*', []],
])('the filter %p finds %p', (text, found) => {
  expect(filterByName(ITEMS, text).map((item) => ITEMS.indexOf(item))).toEqual(found)
})

test('without a word the result is the same list', () => {
  expect(filterByName(ITEMS, ' ')).toBe(ITEMS)
})
