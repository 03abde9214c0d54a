import type { KeyboardEvent, MouseEvent, RefObject } from 'react'
import { keysOf } from '#ui/lib/gestures/keys.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import {
  clearSelection,
  indexOf,
  moveCursor,
  selectAll,
  selection,
  selectOnly,
  selectRange,
  toggle,
} from '#ui/state/folder/selection.ts'
import type { TrashActions } from './actions.ts'
import type { TrashRow } from './rows.ts'

interface GestureOptions {
  /** The rows on the page. */
  rows: readonly TrashRow[]
  /** These, and the rows that follow them. */
  all: readonly TrashRow[]
  grid: RefObject<HTMLElement | null>
  actions: TrashActions
  openMenu(anchor: Anchor): void
}

/** Mouse, touch and keyboard in the list of the trash: the gestures of a folder, but nothing is opened. */
export function useTrashGestures({ rows, all, grid, actions, openMenu }: GestureOptions) {
  return { onClick, onContextMenu, onKeyDown }

  function onClick(event: MouseEvent<HTMLElement>): void {
    const row = rowAt(event.target)
    // Links and buttons act by themselves.
    if (!row || closest(event.target, 'a, button')) return
    const adds = event.ctrlKey || event.metaKey
    if (event.shiftKey) {
      selectRange(row, rows, adds)
      getSelection()?.removeAllRanges()
    } else if (adds || isTouch(event.nativeEvent) || closest(event.target, '[data-check]')) {
      toggle(row)
    } else selectOnly(row)
  }

  function onContextMenu(event: MouseEvent<HTMLElement>): void {
    // The browser has its own menu for links.
    if (closest(event.target, 'a')) return
    const isByKeyboard = event.button !== 2 && event.target === grid.current
    const row = isByKeyboard ? rows[indexOf(rows, selection.cursor)] : rowAt(event.target)
    if (!row) return
    event.preventDefault()
    if (!selection.paths.has(row.path)) selectOnly(row)
    const name = isByKeyboard && grid.current?.querySelector('[data-cursor] .Name')
    const box = name ? name.getBoundingClientRect() : undefined
    openMenu(box ? { x: box.left, y: box.bottom } : { x: event.clientX, y: event.clientY })
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.target !== grid.current || !handle(event)) return
    event.preventDefault()
    event.stopPropagation()
  }

  function handle({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
    const index = indexOf(rows, selection.cursor)
    const current = rows[index]
    const target = rowAfter(key, index, rows.length)
    const next = target === undefined ? undefined : rows[target]
    if (next) {
      if (shiftKey) selectRange(next, rows)
      else moveCursor(next)
      grid.current?.querySelector(`[data-index="${target}"]`)?.scrollIntoView({ block: 'nearest' })
      return true
    }
    switch (keysOf(nativeEvent)) {
      case 'Space':
      case 'Ctrl+Space':
        if (current) toggle(current)
        return true
      case 'Ctrl+A':
        selectAll(all)
        return true
      case 'Escape':
        if (selection.paths.size === 0) return false
        clearSelection()
        return true
      case 'Delete':
        actions.purgeOf(all.filter(({ path }) => selection.paths.has(path)))?.()
        return true
      default:
        return false
    }
  }

  function rowAt(target: EventTarget): TrashRow | undefined {
    return rows[Number(closest(target, '[data-index]')?.dataset.index ?? -1)]
  }
}

/** @returns the row to which a key moves the cursor; undefined if it does not move it */
function rowAfter(key: string, index: number, count: number): number | undefined {
  const target = {
    ArrowDown: index + 1,
    ArrowUp: index < 0 ? count - 1 : index - 1,
    PageDown: index + ON_DEMAND_LIMITS.trashPageRows,
    PageUp: index - ON_DEMAND_LIMITS.trashPageRows,
    Home: 0,
    End: count - 1,
  }[key]
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target))
}

function isTouch(event: globalThis.MouseEvent): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch'
}

function closest(target: EventTarget, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null
}
