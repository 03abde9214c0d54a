import { expect, test } from 'bun:test'
import { drawn, HANDLES, moved, resized, stepOf, wholeOf } from '#ui/features/preview/crop.ts'

const SIZE = { width: 100, height: 50 }
const area = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  width,
  height,
})

test('a part is moved inside the picture', () => {
  expect(moved(area(10, 10, 20, 20), { x: 5.4, y: -3 }, SIZE)).toEqual(area(15, 7, 20, 20))
  expect(moved(area(10, 10, 20, 20), { x: 500, y: -500 }, SIZE)).toEqual(area(80, 0, 20, 20))
})

test.each([
  [{ x: 1, y: 1 }, { x: 5, y: 5 }, area(10, 10, 25, 25)],
  [{ x: -1, y: 0 }, { x: 5, y: 5 }, area(15, 10, 15, 20)],
  [{ x: 0, y: -1 }, { x: 5, y: -20 }, area(10, 0, 20, 30)],
  [{ x: 1, y: 1 }, { x: 500, y: 500 }, area(10, 10, 90, 40)],
  [{ x: 1, y: 1 }, { x: -500, y: -500 }, area(10, 10, 8, 8)],
  [{ x: -1, y: -1 }, { x: 500, y: 500 }, area(22, 22, 8, 8)],
] as const)('the edges %p are moved by %p', (edges, by, expected) => {
  expect(resized(area(10, 10, 20, 20), edges, by, SIZE)).toEqual(expected)
})

test('a part is drawn in any direction, also from outside', () => {
  expect(drawn({ x: 10, y: 10 }, { x: 40, y: 30 }, SIZE)).toEqual(area(10, 10, 31, 21))
  expect(drawn({ x: 40, y: 30 }, { x: 10, y: 10 }, SIZE)).toEqual(area(10, 10, 31, 21))
  expect(drawn({ x: -20, y: 200 }, { x: -30, y: 300 }, SIZE)).toEqual(area(0, 42, 8, 8))
})

test('no part is outside of a picture, however small', () => {
  const tiny = { width: 3, height: 1 }
  for (const { x, y } of HANDLES) {
    for (const by of [-9, 0, 9]) {
      const { left, top, width, height } = resized(wholeOf(tiny), { x, y }, { x: by, y: by }, tiny)
      expect([left, top, width, height]).toEqual([0, 0, 3, 1])
    }
  }
  expect(stepOf(tiny)).toBe(1)
  expect(stepOf({ width: 4000, height: 3000 })).toBe(40)
})
