import { describe, expect, test } from 'bun:test'
import { rowAfter, rowNamed } from '#ui/features/listing/grid-keys.ts'
import { entry } from '../entries.ts'

describe('walking rows', () => {
  test.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 3, 4],
    ['ArrowDown', 9, 9],
    ['ArrowUp', -1, 9],
    ['ArrowUp', 0, 0],
    ['PageDown', 2, 6],
    ['PageDown', 8, 9],
    ['PageUp', 2, 0],
    ['Home', 5, 0],
    ['End', 5, 9],
    ['x', 5, undefined],
  ])('%s from %p leads to %p', (key, from, to) => {
    expect(rowAfter(key, from, 10, 4)).toBe(to)
  })

  test('an empty list leads nowhere', () => {
    expect(rowAfter('ArrowDown', -1, 0, 4)).toBeUndefined()
  })
})

describe('typing a name', () => {
  const items = ['alpha', 'Beta', 'bravo', 'gamma'].map((name) => entry(`/${name}`))

  test.each([
    ['b', -1, 1],
    ['b', 1, 2],
    ['b', 2, 1],
    ['bb', 1, 2],
    ['br', 1, 2],
    ['BETA', 0, 1],
    ['z', 0, -1],
  ])('%p from row %p finds row %p', (typed, at, row) => {
    expect(rowNamed(typed, at, items)).toBe(row)
  })
})
