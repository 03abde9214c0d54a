import { expect, test } from 'bun:test'
import { windowOf } from '#ui/features/listing/use-window.ts'

const ROW = 36

test.each([0, 1, 500, 3_000_000, 3_600_000 - 800, 4_000_000])(
  'at %p px every row seen exists, and few others',
  (scrollTop) => {
    const count = 100_000
    const { first, last } = windowOf(scrollTop, 800, ROW, count)
    const topRow = Math.min(Math.floor(scrollTop / ROW), count - 1)
    const bottomRow = Math.min(Math.ceil((scrollTop + 800) / ROW), count)
    expect(first).toBeLessThanOrEqual(topRow)
    expect(last).toBeGreaterThanOrEqual(bottomRow)
    expect(last - first).toBeLessThan(80)
    expect(first).toBeGreaterThanOrEqual(0)
    expect(last).toBeLessThanOrEqual(count)
  },
)

test('a small folder exists as a whole', () => {
  expect(windowOf(0, 800, ROW, 5)).toEqual({ first: 0, last: 5, rowHeight: ROW })
})

test('before anything is measured some rows exist', () => {
  expect(windowOf(0, 0, 0, 1000).last).toBeGreaterThan(0)
})
