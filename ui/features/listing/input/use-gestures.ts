import { type MouseEvent, type PointerEvent, type RefObject, useMemo, useRef } from 'react'
import { openEntry, openInNewTab } from '#ui/actions/open-entry.ts'
import type { Surface } from '#ui/actions/surfaces.ts'
import { longPress } from '#ui/lib/gestures/long-press.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { actionContext } from '#ui/state/action-context.ts'
import {
  clearSelection,
  indexOf,
  moveCursor,
  selection,
  selectOnly,
  selectRange,
  setPaths,
  toggle,
} from '#ui/state/folder/selection.ts'
import { session } from '#ui/state/session/session.ts'
import type { Entry } from '#wire/api/entry.ts'
import { itemsWithin, type Layout } from '../layout/layout.ts'
import { startRubberBand } from './rubber-band.ts'
import { takeFocus } from './take-focus.ts'
import { useGridKeys } from './use-grid-keys.ts'

interface GestureOptions {
  items: readonly Entry[]
  layout: Layout
  grid: RefObject<HTMLElement | null>
  body: RefObject<HTMLElement | null>
  band: RefObject<HTMLElement | null>
  openMenu(menu: { surface: Surface; anchor: Anchor }): void
}

/** Handles the mouse, touch and keyboard in a grid: opening, selecting, and the context menu. */
export function useGestures({ items, layout, grid, body, band, openMenu }: GestureOptions) {
  useGridKeys(grid, items, layout)
  const press = useMemo(() => longPress<Entry>(pressEntry), [])
  const lastClick = useRef({ path: '', timeMs: Number.NEGATIVE_INFINITY })
  const wasBandDrawn = useRef(false)

  return {
    onClick,
    onMouseDown,
    onAuxClick,
    onContextMenu,
    onPointerDown,
    onPointerMove: press.move,
    onPointerUp: press.cancel,
    onPointerCancel: press.cancel,
    onFocus,
  }

  function onClick(event: MouseEvent<HTMLElement>): void {
    // The page opens entries itself, without loading a document.
    if (closest(event.target, 'a')) event.preventDefault()
    takeFocus(grid.current)
    const wasPressed = press.takePressed()
    if (wasPressed || consumeBandClick() || isInMenu(event.target) || isInHeader(event.target))
      return
    const entry = entryAt(event.target)
    const more = closest(event.target, '[data-more]')
    if (!entry) clearSelection()
    else if (closest(event.target, '[data-check]') && !event.shiftKey) toggle(entry)
    else if (more) openItemMenu(entry, more)
    else click(entry, event)
  }

  function click(entry: Entry, event: MouseEvent<HTMLElement>): void {
    const isByTouch = isTouch(event.nativeEvent)
    const adds = event.ctrlKey || event.metaKey
    const toggles = adds || selection.isSelectionMode || (isByTouch && selection.paths.size > 0)
    const opens = isByTouch || session.user?.singleClick || isSecondClick(entry, event)
    if (event.shiftKey) selectRange(entry, items, adds)
    else if (toggles) toggle(entry)
    else if (opens) openEntry(entry, items, actionContext().may)
    else selectOnly(entry)
  }

  /** Without this, the middle button would scroll the list. */
  function onMouseDown(event: MouseEvent<HTMLElement>): void {
    if (opensTab(event)) event.preventDefault()
  }

  /** The middle button opens an entry in a new tab. For its link, the browser does that. */
  function onAuxClick(event: MouseEvent<HTMLElement>): void {
    takeFocus(grid.current)
    const entry = opensTab(event) && entryAt(event.target)
    if (entry) openInNewTab(entry)
  }

  function opensTab({ button, target }: MouseEvent): boolean {
    return button === 1 && !closest(target, 'a') && entryAt(target) !== undefined
  }

  /** The system counts the clicks of a double click (`detail`), with the time that the user has set there. */
  function isSecondClick({ path }: Entry, { detail, timeStamp: timeMs }: MouseEvent): boolean {
    const last = lastClick.current
    lastClick.current = { path, timeMs }
    return last.path === path && (detail > 1 || timeMs - last.timeMs <= UI_LIMITS.doubleClickMs)
  }

  function onContextMenu(event: MouseEvent<HTMLElement>): void {
    takeFocus(grid.current)
    if (isInMenu(event.target)) return
    event.preventDefault()
    if (isTouch(event.nativeEvent)) return
    const isByKeyboard = event.button !== 2 && event.target === grid.current
    const entry = isByKeyboard ? items[indexOf(items, selection.cursor)] : entryAt(event.target)
    const point = { x: event.clientX, y: event.clientY }
    const row = isByKeyboard ? grid.current?.querySelector<HTMLElement>('[data-cursor]') : null
    if (entry) openItemMenu(entry, row ? belowName(row) : point)
    else openMenu({ surface: 'page', anchor: point })
  }

  function openItemMenu(entry: Entry, anchor: Anchor): void {
    if (!selection.paths.has(entry.path)) selectOnly(entry)
    openMenu({ surface: 'item', anchor })
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    selection.isByKeyboard = false
    // A band that ended outside of the grid caused no click here.
    wasBandDrawn.current = false
    if (isInMenu(event.target) || isInHeader(event.target)) return
    const entry = entryAt(event.target)
    if (isTouch(event.nativeEvent)) {
      if (entry) press.down(event, entry)
      return
    }
    const handle = closest(event.target, '[data-drag-handle], button')
    if (event.button === 0 && !handle) startBand(event)
  }

  function startBand(event: PointerEvent<HTMLElement>): void {
    if (!grid.current || !body.current || !band.current) return
    const parts = { scroller: grid.current, body: body.current, band: band.current }
    const previous =
      event.ctrlKey || event.metaKey || event.shiftKey ? selection.paths : new Set<string>()
    startRubberBand(event.nativeEvent, parts, (area) => {
      wasBandDrawn.current = true
      const covered = itemsWithin(layout, area).map((index) => items[index]?.path ?? '')
      setPaths([...previous, ...covered])
    })
  }

  function consumeBandClick(): boolean {
    const was = wasBandDrawn.current
    wasBandDrawn.current = false
    return was
  }

  function onFocus(): void {
    const isShown = grid.current?.matches(':focus-visible:not([data-no-focus-ring])')
    if (selection.cursor || !isShown) return
    moveCursor(items[0])
    selection.isByKeyboard = true
  }

  function entryAt(target: EventTarget): Entry | undefined {
    return items[Number(closest(target, '[data-index]')?.dataset.index ?? -1)]
  }
}

function pressEntry(entry: Entry): void {
  toggle(entry)
  navigator.vibrate?.(10)
}

function isTouch(event: globalThis.MouseEvent): boolean {
  return event instanceof globalThis.PointerEvent && event.pointerType === 'touch'
}

function isInMenu(target: EventTarget): boolean {
  return closest(target, '[popover]') !== null
}

function isInHeader(target: EventTarget): boolean {
  return closest(target, '[data-header]') !== null
}

function closest(target: EventTarget, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null
}

/** The point below the name of an entry. */
function belowName(row: HTMLElement): Anchor {
  const box = (row.querySelector('.Name') ?? row).getBoundingClientRect()
  return { x: box.left, y: box.bottom }
}
