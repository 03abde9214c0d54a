import { describe, expect, test } from 'bun:test'
import {
  boxOf,
  galleryLayout,
  itemsWithin,
  type Layout,
  type LayoutMetrics,
  listLayout,
  mosaicLayout,
  rowNumbered,
  rowNumberOf,
  rowsBetween,
} from '#ui/features/listing/layout/layout.ts'
import { justify } from '#ui/lib/entries/justify.ts'

const METRICS: LayoutMetrics = {
  width: 1000,
  gutter: 20,
  rowHeight: 36,
  titleHeight: 24,
  folderHeight: 44,
  tileMin: 168,
  tileGap: 16,
  caption: 44,
  pictureRow: 192,
  pictureGap: 6,
}

const SPACE = { width: 960, gap: 6, target: 192 }
const RATIOS = Array.from({ length: 97 }, (_, at) => [1.5, 0.75, 1.78, 1, 2.4][at % 5] ?? 1)

const LAYOUTS = {
  list: listLayout(5000, METRICS),
  mosaic: mosaicLayout(7, 107, METRICS),
  'mosaic without folders': mosaicLayout(0, 100, METRICS),
  gallery: galleryLayout(justify(RATIOS, 0, SPACE), 3, 97 + 3 + 11, METRICS),
}

const countOf = ({ sections }: Layout) => sections.at(-1)?.end ?? 0

describe.each(Object.entries(LAYOUTS))('the %s', (_name, layout) => {
  const boxes = Array.from({ length: countOf(layout) }, (_, at) => boxOf(layout, at))

  test('the layout has a position for every entry, inside its width and height', () => {
    for (const box of boxes) {
      expect(box?.width).toBeGreaterThan(0)
      expect(box?.height).toBeGreaterThan(0)
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(METRICS.width + 0.01)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(layout.height + 0.01)
    }
  })

  test('the layout places consecutive entries without overlap', () => {
    for (const [at, box] of boxes.entries()) {
      const next = boxes[at + 1]
      if (!box || !next) continue
      const beside = next.x >= box.x + box.width - 0.01
      expect(beside || next.y >= box.y + box.height - 0.01).toBe(true)
    }
  })

  test('the layout numbers its rows without a gap', () => {
    const rows = Array.from({ length: layout.rows }, (_, at) => rowNumbered(layout, at))
    let next = 0
    for (const [at, row] of rows.entries()) {
      expect(row?.number).toBe(at)
      expect(row?.start).toBe(next)
      expect(rowNumberOf(layout, next)).toBe(at)
      next = row?.end ?? -1
    }
    expect(next).toBe(boxes.length)
  })

  test.each([0, 900, 4000])(
    'the rows in the 800 pixels below %p contain exactly the entries that overlap them',
    (top) => {
      const near = rowsBetween(layout, top, top + 800)
      for (const [at, box] of boxes.entries()) {
        if (!box) continue
        const isNear = box.y < top + 800 && box.y + box.height > top
        const row = near.some(({ start, end }) => at >= start && at < end)
        expect(row).toBe(isNear)
      }
    },
  )
})

test('a rubber band selects the entries it overlaps, across columns and sections', () => {
  const { mosaic } = LAYOUTS
  const first = boxOf(mosaic, 0)
  const eighth = boxOf(mosaic, 7)
  if (!first || !eighth) throw new Error('There are no boxes.')
  const height = eighth.y + 10 - first.y
  expect(itemsWithin(mosaic, { x: 0, y: first.y, width: 30, height })).toEqual([0, 5, 7])
  expect(itemsWithin(mosaic, { x: 0, y: 0, width: 1000, height: 5 })).toEqual([])
})

test('the layout of an empty folder has no rows and no sections', () => {
  expect(rowsBetween(mosaicLayout(0, 0, METRICS), 0, 800)).toEqual([])
  expect(mosaicLayout(0, 0, METRICS).sections).toEqual([])
})

describe('rows of pictures', () => {
  const rows = justify(RATIOS, 0, SPACE)

  test('rows of pictures fill the width, except for the last row', () => {
    for (const { widths } of rows.slice(0, -1)) {
      const width = widths.reduce((sum, one) => sum + one, (widths.length - 1) * SPACE.gap)
      expect(width).toBeCloseTo(SPACE.width, 3)
    }
  })

  test('rows of pictures have heights near the target', () => {
    const heights = rows.map(({ height }) => height)
    expect(Math.min(...heights)).toBeGreaterThan(192 * 0.75)
    expect(Math.max(...heights)).toBeLessThan(192 * 1.35)
    const usual = heights.filter((height) => Math.abs(height / 192 - 1) <= 0.15)
    expect(usual.length / heights.length).toBeGreaterThan(0.6)
  })

  test('rows of pictures keep the aspect ratio of each picture, and limit extreme ratios', () => {
    for (const { start, height, widths } of rows) {
      for (const [at, width] of widths.entries()) {
        expect(width / height).toBeCloseTo(RATIOS[start + at] ?? 0, 3)
      }
    }
    const [firstRow] = justify([0.1, 9], 0, { ...SPACE, target: 100 })
    expect((firstRow?.widths[0] ?? 0) / (firstRow?.height ?? 1)).toBeCloseTo(0.5)
  })

  test('rows computed after the first four rows are the same as when all rows are computed', () => {
    const firstRows = rows.slice(0, 4)
    expect([...firstRows, ...justify(RATIOS, firstRows.at(-1)?.end ?? 0, SPACE)]).toEqual(rows)
  })
})
