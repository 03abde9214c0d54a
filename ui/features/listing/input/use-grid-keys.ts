import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { openEntry } from '#ui/actions/open-entry.ts'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { keysOf } from '#ui/lib/gestures/keys.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { indexOf, moveCursor, selection, selectRange, toggle } from '#ui/state/folder/selection.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { Layout } from '../layout/layout.ts'
import { itemAfter, itemNamed } from './grid-keys.ts'

/** Layers over the list that handle the keyboard while they are open. */
const OVERLAYS = 'dialog[open], :popover-open'

/** The overlap of PageUp and PageDown with the previous page. */
const OVERLAP_PX = 72

/**
 * Handles the keys that move the cursor (`itemAfter`), Space, Enter and type-ahead; all other keys are handled by the
 * table of actions. These keys work if the grid has the focus, or if no element has it.
 */
export function useGridKeys(
  grid: RefObject<HTMLElement | null>,
  items: readonly Entry[],
  layout: Layout,
): void {
  const typed = useRef({ text: '', timeMs: Number.NEGATIVE_INFINITY })

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // The table of actions has used the key.
    if (event.defaultPrevented) return
    const isIdle = event.target === document.body && !document.querySelector(OVERLAYS)
    if ((event.target !== grid.current && !isIdle) || event.isComposing) return
    if (!grid.current || !handle(event, grid.current)) return
    event.preventDefault()
    selection.isByKeyboard = true
    grid.current.focus({ preventScroll: true })
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])

  function handle(event: KeyboardEvent, element: HTMLElement): boolean {
    const index = indexOf(items, selection.cursor)
    const current = items[index]
    if (event.altKey) return false
    const pageHeight = Math.max(1, element.clientHeight - OVERLAP_PX)
    const geometry = {
      layout,
      count: items.length,
      pageHeight,
      isRightToLeft: isRightToLeft(),
    }
    const next = items[itemAfter(event.key, index, geometry) ?? -1]
    if (next) return moveTo(next, event.shiftKey, event.ctrlKey || event.metaKey)
    const command = current && !isPartOfName(event, index) && COMMANDS[keysOf(event)]
    if (command) {
      command(current)
      return true
    }
    if (event.ctrlKey || event.metaKey || [...event.key].length !== 1) return false
    return findByName(event.key, event.timeStamp, index)
  }

  function moveTo(next: Entry, isRange: boolean, addsToSelection: boolean): boolean {
    if (isRange) {
      selectRange(next, items, addsToSelection)
      selection.revealRequests += 1
    } else moveCursor(next)
    return true
  }

  /** Whether a space is part of the typed name: only if a name begins with the typed text and the space. */
  function isPartOfName({ key, timeStamp }: KeyboardEvent, index: number): boolean {
    const text = textWith(key, timeStamp)
    return key === ' ' && text !== key && itemNamed(text, index, items) >= 0
  }

  function textWith(letter: string, nowMs: number): string {
    return nowMs - typed.current.timeMs < UI_LIMITS.typedNameMs
      ? typed.current.text + letter
      : letter
  }

  function findByName(letter: string, nowMs: number, index: number): boolean {
    const text = textWith(letter, nowMs)
    typed.current = { text, timeMs: nowMs }
    moveCursor(items[itemNamed(text, index, items)])
    return true
  }
}

/** The effect of keys on the entry at the cursor, by their combination. */
const COMMANDS: Record<string, (entry: Entry) => void> = {
  Space: () => void perform(actionOf('quickLook')),
  'Ctrl+Space': toggle,
  Enter: (entry) => openEntry(entry, actionContext().items, actionContext().may),
}
