import { type KeyboardEvent, useState } from 'react'

/** How many rows PageUp and PageDown pass. */
const PAGE_ROWS = 8

interface ListCursor {
  /** The row the person is at; -1 for none. */
  at: number
  goTo(row: number): void
  /** Walks by this key, if it is one that walks. */
  step(event: KeyboardEvent): boolean
}

/** A list of `count` rows that is walked with the arrow keys while the focus stays in a text field. */
export function useListCursor(count: number, start = -1): ListCursor {
  const [wanted, setAt] = useState(start)
  const at = Math.min(wanted, count - 1)

  function step(event: KeyboardEvent): boolean {
    const next = rowAfter(event.key, at, count)
    if (next === undefined || count === 0) return false
    event.preventDefault()
    setAt(next)
    return true
  }

  return { at, goTo: setAt, step }
}

/** Past either end the arrows go on at the other; pages stop there. */
function rowAfter(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (Math.max(at, 0) - 1 + count) % count
  if (key === 'PageDown') return Math.min(at + PAGE_ROWS, count - 1)
  if (key === 'PageUp') return Math.max(at - PAGE_ROWS, 0)
  return undefined
}
