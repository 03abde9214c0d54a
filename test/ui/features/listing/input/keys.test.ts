import { describe, expect, test } from 'bun:test'
import { type GridGeometry, itemAfter, itemNamed } from '#ui/features/listing/input/grid-keys.ts'
import { type LayoutMetrics, listLayout, mosaicLayout } from '#ui/features/listing/layout/layout.ts'
import { entry } from '../../../entries.ts'

const METRICS: LayoutMetrics = {
  width: 560,
  gutter: 10,
  rowHeight: 36,
  titleHeight: 24,
  folderHeight: 44,
  tileMin: 168,
  tileGap: 16,
  caption: 44,
  pictureRow: 192,
  pictureGap: 6,
}

const LIST: GridGeometry = {
  layout: listLayout(10, METRICS),
  count: 10,
  pageHeight: 4 * 36,
  isRightToLeft: false,
}

/** Three columns: folders 0 1 2 / 3, files 4 5 6 / 7 8. */
const TILES: GridGeometry = {
  layout: mosaicLayout(4, 9, METRICS),
  count: 9,
  pageHeight: 300,
  isRightToLeft: false,
}

describe('navigation in a list', () => {
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
    ['ArrowRight', 5, undefined],
    ['x', 5, undefined],
  ])('the key %s in a list moves the cursor from %p to %p', (key, from, to) => {
    expect(itemAfter(key, from, LIST)).toBe(to)
  })

  test('keys do not move the cursor in an empty list', () => {
    const layout = listLayout(0, METRICS)
    expect(itemAfter('ArrowDown', -1, { ...LIST, layout, count: 0 })).toBeUndefined()
  })
})

describe('navigation in tiles', () => {
  test.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 2, 3],
    ['ArrowLeft', 4, 3],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 8, 8],
    ['ArrowDown', 0, 3],
    ['ArrowDown', 2, 3],
    ['ArrowDown', 3, 4],
    ['ArrowDown', 5, 8],
    ['ArrowDown', 6, 8],
    ['ArrowDown', 8, 8],
    ['ArrowUp', 8, 5],
    ['ArrowUp', 6, 3],
    ['ArrowUp', 1, 1],
    ['PageDown', 0, 4],
    ['PageUp', 8, 3],
    ['PageDown', 7, 7],
    ['End', 0, 8],
  ])('the key %s in tiles moves the cursor from %p to %p', (key, from, to) => {
    expect(itemAfter(key, from, TILES)).toBe(to)
  })

  test('left and right move the cursor in a gallery that has no rows yet', () => {
    const layout = { sections: [], rows: 0, width: 0, height: 0 }
    expect(itemAfter('ArrowRight', 0, { ...TILES, layout })).toBe(1)
    expect(itemAfter('ArrowLeft', 1, { ...TILES, layout })).toBe(0)
  })

  test('left and right are swapped in tiles in right-to-left languages', () => {
    expect(itemAfter('ArrowLeft', 0, { ...TILES, isRightToLeft: true })).toBe(1)
    expect(itemAfter('ArrowRight', 1, { ...TILES, isRightToLeft: true })).toBe(0)
  })
})

describe('typing a name', () => {
  const items = ['alpha', 'Beta', 'bravo', 'gamma'].map((name) => entry(`/${name}`))

  test.each([
    ['b', -1, 1],
    ['b', 1, 2],
    ['b', 2, 1],
    ['br', 1, 2],
    ['x', 0, -1],
  ])('typing %p moves the cursor from %p to %p', (typed, from, to) => {
    expect(itemNamed(typed, from, items)).toBe(to)
  })
})
