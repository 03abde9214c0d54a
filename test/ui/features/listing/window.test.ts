import { expect, test } from 'bun:test'
import { renderRangeAt } from '#ui/features/listing/use-window.ts'

test.each([0, 199, 200, 12_345.5, 3_600_000])(
  'at %p the rendered range is inside of the content',
  (top) => {
    const reach = renderRangeAt(top, 800)
    expect(reach.top).toBeLessThanOrEqual(top)
    expect(reach.bottom).toBeGreaterThanOrEqual(top + 800)
    expect(reach.top).toBeGreaterThanOrEqual(0)
    expect(reach.bottom - reach.top).toBeLessThan(2200)
  },
)

test('a few pixels do not change the rendered range', () => {
  expect(renderRangeAt(401, 800)).toEqual(renderRangeAt(599, 800))
})
