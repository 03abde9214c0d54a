import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  FITTED,
  fit,
  inCssPixels,
  limit,
  maxScale,
  relativeScale,
  rotated,
  zoomTo,
} from '#ui/features/preview/zoom.ts'
import { swipeOf } from '#ui/lib/gestures/swipe.ts'

const VIEWER = { width: 800, height: 600 }

test('a picture fits the viewer and is never enlarged, unless it is a preview', () => {
  expect(fit({ width: 1600, height: 800 }, VIEWER, false)).toEqual({ width: 800, height: 400 })
  expect(fit({ width: 100, height: 50 }, VIEWER, false)).toEqual({ width: 100, height: 50 })
  expect(fit({ width: 100, height: 50 }, VIEWER, true)).toEqual({ width: 800, height: 400 })
})

test('at 100 % each pixel of a picture has one pixel of the screen', () => {
  const own = inCssPixels({ width: 2400, height: 1600 }, 2)
  expect(own).toEqual({ width: 1200, height: 800 })
  expect(relativeScale({ width: 600, height: 400 }, own, 2)).toBe(1)
  expect(relativeScale({ width: 400, height: 600 }, own, 1)).toBe(0.5)
})

test('a quarter turn swaps width and height, half a turn does not', () => {
  expect(rotated({ width: 2, height: 1 }, 1)).toEqual({ width: 1, height: 2 })
  expect(rotated({ width: 2, height: 1 }, 2)).toEqual({ width: 2, height: 1 })
})

test('pictures of more pixels can be enlarged further', () => {
  expect(maxScale({ width: 8000, height: 6000 }, VIEWER)).toBe(40)
  expect(maxScale({ width: 400, height: 300 }, { width: 400, height: 300 })).toBe(4)
})

describe('zooming', () => {
  const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

  test('zooming keeps the point below the pointer', () => {
    const views = fc.record({ scale: number(1, 8), x: number(-300, 300), y: number(-300, 300) })
    const points = fc.record({ x: number(-400, 400), y: number(-300, 300) })
    fc.assert(
      fc.property(views, number(1, 8), points, (view, scale, at) => {
        const after = zoomTo(view, scale, at)
        expect((at.x - after.x) / after.scale).toBeCloseTo((at.x - view.x) / view.scale, 6)
        expect((at.y - after.y) / after.scale).toBeCloseTo((at.y - view.y) / view.scale, 6)
      }),
    )
  })

  test('a limited view has a valid scale, and no gap between a large picture and the edge of the viewer', () => {
    const fitted = { width: 800, height: 400 }
    const views = fc.record({
      scale: number(0.1, 50),
      x: number(-5000, 5000),
      y: number(-5000, 5000),
    })
    fc.assert(
      fc.property(views, (view) => {
        const { scale, x, y } = limit(view, fitted, VIEWER, 8)
        expect(scale).toBeGreaterThanOrEqual(1)
        expect(scale).toBeLessThanOrEqual(8)
        const overX = Math.max(0, (fitted.width * scale - VIEWER.width) / 2)
        const overY = Math.max(0, (fitted.height * scale - VIEWER.height) / 2)
        expect(Math.abs(x)).toBeLessThanOrEqual(overX)
        expect(Math.abs(y)).toBeLessThanOrEqual(overY)
      }),
    )
  })

  test('a picture with the fitted size is centred', () => {
    expect(limit({ scale: 0.2, x: 90, y: 9 }, VIEWER, VIEWER, 4)).toEqual(FITTED)
  })
})

test.each([
  [{ x: -80, y: 10 }, false, 'next'],
  [{ x: 80, y: 10 }, false, 'previous'],
  [{ x: -80, y: 10 }, true, 'previous'],
  [{ x: 20, y: 0 }, false, undefined],
  [{ x: 80, y: 70 }, false, undefined],
] as const)(
  'a movement of %p, right to left %p, is the swipe %p',
  (movement, isRightToLeft, direction) => {
    expect(swipeOf(movement, isRightToLeft)).toBe(direction)
  },
)
