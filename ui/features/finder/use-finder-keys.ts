/** The keys of the finder's field: they move the cursor, select results and open one. */
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { useListCursor } from '#ui/components/hooks/use-list-cursor.ts'
import { takeEarlyText } from '#ui/lib/page/early-field.ts'
import { openQuickLookOverFinder, quickLook } from '#ui/state/file/quick-look.ts'
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

  /** @returns false for a row without a file: the space is typed */
  function lookAt(row: FinderRow | undefined): boolean {
    if (!row || !('hit' in row)) return false
    const hits = new Map(rows.flatMap((one) => ('hit' in one ? [[one.hit.path, one.hit]] : [])))
    openQuickLookOverFinder(row.hit, [...hits.values()])
    return true
  }

  /**
   * Ctrl+Space selects, and so does Shift with an arrow key; Space shows the result that the arrow keys have chosen; Escape
   * clears the selection before it closes the finder.
   *
   * @returns true if the key was one of these
   */
  function select(event: KeyboardEvent<HTMLInputElement>): boolean {
    const { key, ctrlKey, shiftKey } = event
    if (key === ' ' && ctrlKey) selection.toggle(activeRow)
    else if (key === ' ' && !shiftKey && cursor.isChosen) return lookAt(activeResult)
    else if (key === 'Escape' && selection.entries.length > 0) selection.clear()
    else if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const nextRow = activeRow + (key === 'ArrowDown' ? 1 : -1)
      if (!rows[nextRow]) return true
      selection.extend(Math.max(activeRow, 0), nextRow)
      cursor.goTo(nextRow)
    } else return false
    return true
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return
    if (select(event) || cursor.step(event)) {
      event.preventDefault()
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

/** Chooses the row of the result that Quick Look shows over the finder. */
export function useShownRow(rows: readonly FinderRow[], goTo: (row: number) => void): void {
  const { entry } = useSnapshot(quickLook)
  const path = entry?.path
  const follow = useEffectEvent(() => {
    const row = rows.findIndex((one) => 'hit' in one && one.hit.path === path)
    if (row >= 0) goTo(row)
  })
  useEffect(() => {
    if (path !== undefined) follow()
  }, [path])
}
