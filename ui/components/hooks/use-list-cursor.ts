import { type KeyboardEvent, useState } from 'react'

/** The step of PageUp and PageDown, in rows. */
const PAGE_ROWS = 8

interface ListCursor {
  /** The active row; -1 if there is none. */
  row: number
  /** Whether the user chose the active row. Until then, it is the first one. */
  isChosen: boolean
  /** Chooses a row. */
  goTo(row: number): void
  /** Returns to the first row. */
  reset(): void
  /**
   * Chooses another row if the key is a navigation key.
   *
   * @returns false if it is another key, or the list is empty
   */
  step(event: KeyboardEvent): boolean
}

/**
 * Keyboard navigation in a list, while the focus stays in a text field. A row that the user chose stays active when
 * rows appear above it. If it disappears, no row is active, so that Enter opens no other one.
 *
 * @param ids identify the rows; each is unique
 */
export function useListCursor(ids: readonly string[]): ListCursor {
  /** The chosen row, and where it was. */
  const [chosen, setChosen] = useState<{ id: string; row: number }>()
  const count = ids.length
  const row = chosen ? ids.indexOf(chosen.id) : Math.min(0, count - 1)

  function goTo(target: number): void {
    const id = ids[target]
    if (id !== undefined) setChosen({ id, row: target })
  }

  function step(event: KeyboardEvent): boolean {
    const isForward = event.key === 'ArrowDown' || event.key === 'PageDown'
    // The row below one that disappeared is now in its place.
    const missing = Math.min(chosen?.row ?? 0, count) - (isForward ? 1 : 0)
    const target = rowAfter(event.key, row === -1 ? missing : row, count)
    if (target === undefined || count === 0) return false
    event.preventDefault()
    goTo(target)
    return true
  }

  return { row, isChosen: chosen !== undefined, goTo, reset: () => setChosen(undefined), step }
}

/** The arrow keys wrap at both ends; PageUp and PageDown stop there. */
function rowAfter(key: string, row: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (row + 1) % count
  if (key === 'ArrowUp') return (Math.max(row, 0) - 1 + count) % count
  if (key === 'PageDown') return Math.min(row + PAGE_ROWS, count - 1)
  if (key === 'PageUp') return Math.max(row - PAGE_ROWS, 0)
  return undefined
}
