import { expect, test } from 'bun:test'
import { type HistoryCursor, startCursor, step } from '#ui/lib/text/line-history.ts'

/** Steps from a draft. @returns the line after each step */
function walk(lines: string[], draft: string, ...steps: (-1 | 1)[]): string[] {
  let here: HistoryCursor = startCursor(lines)
  let text = draft
  return steps.map((by) => {
    const taken = step(here, by, text)
    if (taken) {
      here = taken.cursor
      text = taken.line
    }
    return text
  })
}

test('up moves to older lines and stops at the oldest, down returns to the typed line', () => {
  expect(walk(['a', 'b'], 'draft', -1, -1, -1, 1, 1, 1)).toEqual([
    'b',
    'a',
    'a',
    'b',
    'draft',
    'draft',
  ])
})

test('without earlier lines there is no step', () => {
  expect(walk([], 'draft', -1, 1)).toEqual(['draft', 'draft'])
})
