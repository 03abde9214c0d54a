/** The keys of the finder's field: they move the cursor, select results and open one. */
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import type { useListCursor } from '#ui/components/hooks/use-list-cursor.ts'
import { takeEarlyText } from '#ui/lib/page/early-field.ts'
import { setFinderText } from '#ui/state/finder/finder.ts'
import type { FinderRow } from './rows.ts'
import type { useHitSelection } from './use-hit-selection.ts'

interface Finding {
  rows: readonly FinderRow[]
  isSearching: boolean
  cursor: ReturnType<typeof useListCursor>
  selection: ReturnType<typeof useHitSelection>
}

/** @returns `setWaiting(true)` opens the first result once there are results for the current text */
export function useFinderKeys({ rows, isSearching, cursor, selection }: Finding) {
  /** Whether Enter was pressed before the results of the current text arrived: the first result is then opened. */
  const [isWaiting, setWaiting] = useState(false)
  const activeRow = cursor.row
  const activeResult = rows[activeRow]

  useEffect(() => {
    if (!isWaiting || isSearching) return
    setWaiting(false)
    activeResult?.run()
  }, [isWaiting, isSearching, activeResult])

  /**
   * Ctrl+Space selects, and so does Shift with an arrow key; Escape clears the selection before it closes the finder.
   *
   * @returns true if the key was one of these
   */
  function select(event: KeyboardEvent<HTMLInputElement>): boolean {
    const { key, ctrlKey, shiftKey } = event
    if (key === ' ' && ctrlKey) selection.toggle(activeRow)
    else if (key === 'Escape' && selection.entries.length > 0) selection.clear()
    else if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const nextRow = activeRow + (key === 'ArrowDown' ? 1 : -1)
      if (!rows[nextRow]) return true
      selection.extend(Math.max(activeRow, 0), nextRow)
      cursor.goTo(nextRow)
    } else return false
    event.preventDefault()
    return true
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return
    if (select(event) || cursor.step(event)) {
      setWaiting(false)
      return
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (!cursor.isChosen && isSearching) setWaiting(true)
    else activeResult?.run()
  }

  return { onKeyDown, setWaiting }
}

/**
 * Takes what was typed while the code of the finder was loaded.
 *
 * @param setWaiting told whether the text ended with Enter; the same function in each render
 */
export function useEarlyText(
  input: RefObject<HTMLInputElement | null>,
  setWaiting: (isWaiting: boolean) => void,
): void {
  useEffect(() => {
    const { text, hasEnter } = takeEarlyText()
    input.current?.select()
    if (!input.current || text.trim() === '') return
    // The field has the text at once: a key that is pressed before the next render is added to it.
    input.current.value = text
    setFinderText(text)
    setWaiting(hasEnter)
  }, [input, setWaiting])
}
