/** Treemaps: areas are proportional, boxes fill the map and do not overlap, and are not much longer than wide. */
import { expect, test } from 'bun:test'
import { treemap } from '#ui/lib/entries/treemap.ts'

const VALUES = [6, 6, 4, 3, 2, 2, 1]

test('the areas of the boxes are proportional to the values, and fill the map', () => {
  const boxes = treemap(VALUES, 0.5)
  expect(boxes).toHaveLength(VALUES.length)
  for (const [index, { width, height }] of boxes.entries()) {
    expect(width * height).toBeCloseTo(((VALUES[index] ?? 0) / 24) * 0.5, 9)
  }
  expect(Math.max(...boxes.map(({ x, width }) => x + width))).toBeCloseTo(1, 9)
  expect(Math.max(...boxes.map(({ y, height }) => y + height))).toBeCloseTo(0.5, 9)
})

test('boxes do not overlap, and have no extreme shapes', () => {
  const boxes = treemap(VALUES, 0.66)
  for (const [index, a] of boxes.entries()) {
    expect(Math.max(a.width / a.height, a.height / a.width)).toBeLessThan(3)
    for (const b of boxes.slice(index + 1)) {
      const overlapX = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
      const overlapY = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
      expect(Math.min(overlapX, overlapY)).toBeLessThan(1e-9)
    }
  }
})

test('one value fills the map, and none makes none', () => {
  expect(treemap([5], 0.4)).toEqual([{ x: 0, y: 0, width: 1, height: 0.4 }])
  expect(treemap([], 0.4)).toEqual([])
})
