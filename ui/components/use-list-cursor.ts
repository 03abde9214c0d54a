import { type KeyboardEvent, useState } from 'react'

/** The step of PageUp and PageDown, in rows. */
const PAGE_ROWS = 8

interface ListCursor {
  /** The active row; -1 if there is none. */
  row: number
  goTo(row: number): void
  /**
   * Moves the cursor if the key is a navigation key.
   *
   * @returns true if it is a navigation key
   */
  step(event: KeyboardEvent): boolean
}

/** Keyboard navigation in a list of `count` rows, while the focus stays in a text field. */
export function useListCursor(count: number, start = -1): ListCursor {
  const [requested, setRequested] = useState(start)
  const row = Math.min(requested, count - 1)

  function step(event: KeyboardEvent): boolean {
    const target = rowAfter(event.key, row, count)
    if (target === undefined || count === 0) return false
    event.preventDefault()
    setRequested(target)
    return true
  }

  return { row, goTo: setRequested, step }
}

/** The arrow keys wrap at both ends; PageUp and PageDown stop there. */
function rowAfter(key: string, row: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (row + 1) % count
  if (key === 'ArrowUp') return (Math.max(row, 0) - 1 + count) % count
  if (key === 'PageDown') return Math.min(row + PAGE_ROWS, count - 1)
  if (key === 'PageUp') return Math.max(row - PAGE_ROWS, 0)
  return undefined
}
