import { expect, test } from 'bun:test'
import { renderRangeAt } from '#ui/features/listing/layout/use-window.ts'

test.each([0, 199, 200, 12_345.5, 3_600_000])(
  'at the scroll position %p, the rendered range contains the viewport and is little larger',
  (top) => {
    const range = renderRangeAt(top, 800)
    expect(range.top).toBeLessThanOrEqual(top)
    expect(range.bottom).toBeGreaterThanOrEqual(top + 800)
    expect(range.top).toBeGreaterThanOrEqual(0)
    expect(range.bottom - range.top).toBeLessThan(2200)
  },
)

test('a few pixels do not change the rendered range', () => {
  expect(renderRangeAt(401, 800)).toEqual(renderRangeAt(599, 800))
})
