import { type DragEvent, type PointerEvent, type RefObject, useRef } from 'react'
import { type DraggedItems, dropVerb } from '#ui/lib/gestures/drag-items.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { prompts } from '#ui/state/dialogs/prompts.ts'
import { addFavourites } from '#ui/state/folder/favourites.ts'
import { isListOnly } from '#ui/state/folder/list-only.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { selectedOf, selection, selectOnly } from '#ui/state/folder/selection.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { showDragImage } from './drag-image.ts'
import { takeFocus } from './take-focus.ts'

/** On drop targets: the destination folder. */
const DROP_PATH = 'data-drop-path'
/** On drop targets that add folders to the favourites. */
const DROP_FAVOURITES = 'data-drop-favourites'
/** On the drop target under the pointer. */
const DROP_TARGET = 'data-drop-target'

/** Identifies the drag for drop targets: it contains neither files nor text. */
const DRAG_TYPE = 'application/x-filemgr-items'

/** The entries that are dragged. They outlive the grid, because a folder may open while they are held over it. */
let dragged: DraggedItems | undefined
/** The drop target under the pointer. */
let marked: Element | null = null

/**
 * Drags entries onto folders, breadcrumbs, the sidebar and the folder that has opened since: they are moved, or with
 * Ctrl, Alt or Cmd copied. A drop on the favourites adds the folders without moving them. Dragging a selected entry drags
 * the selection; dragging any other drags only that one.
 */
export function useItemDrag(grid: RefObject<HTMLElement | null>, items: readonly Entry[]) {
  const isByTouch = useRef(false)
  return { onPointerDownCapture, onDragStart }

  /** On a touch screen a long press selects and does not drag. */
  function onPointerDownCapture(event: PointerEvent): void {
    isByTouch.current = event.pointerType === 'touch'
  }

  function onDragStart(event: DragEvent<HTMLElement>): void {
    const { target } = event
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
    const entry = items[Number(cell?.dataset.index ?? -1)]
    if (!cell || !entry || isByTouch.current) {
      event.preventDefault()
      return
    }
    if (!selection.paths.has(entry.path)) selectOnly(entry)
    const entries = selectedOf(items, selection.paths)
    dragged = { entries, from: listing.path }
    event.dataTransfer.setData(DRAG_TYPE, '')
    event.dataTransfer.effectAllowed = 'all'
    showDragImage(event.dataTransfer, cell, entry.name, entries.length)
    grid.current?.setAttribute('data-dragging', '')
    selection.isDragging = true
    const listeners = listenToDrag()
    // The element may leave the page, by scrolling or because another folder opens. It still receives `dragend`, but
    // nothing around it does.
    target.addEventListener('dragend', end, { once: true })

    function end(): void {
      listeners.abort()
      dragged = undefined
      mark(null)
      grid.current?.removeAttribute('data-dragging')
      selection.isDragging = false
      takeFocus(grid.current)
    }
  }
}

/** Marks drop targets and accepts drops, until it is aborted. */
function listenToDrag(): AbortController {
  const listeners = new AbortController()
  const { signal } = listeners
  addEventListener('dragenter', over, { signal })
  addEventListener('dragover', over, { signal })
  addEventListener('dragleave', leave, { signal })
  addEventListener('drop', drop, { signal })
  return listeners
}

function over(event: globalThis.DragEvent): void {
  if (!dragged || !event.dataTransfer) return
  const target = targetOf(event)
  const verb = target && verbFor(dragged, target, event)
  mark(verb ? target : null)
  if (!verb) return
  event.preventDefault()
  event.dataTransfer.dropEffect = verb
}

function drop(event: globalThis.DragEvent): void {
  const target = targetOf(event)
  const verb = dragged && target && verbFor(dragged, target, event)
  mark(null)
  if (!dragged || !target || !verb) return
  event.preventDefault()
  if (verb === 'link') void addFavourites(foldersOf(dragged)).catch(toastError)
  else void transfer(verb, dragged.entries, pathOf(target)).catch(toastError)
}

function leave(event: globalThis.DragEvent): void {
  if (event.relatedTarget === null) mark(null)
}

/** Marks `element` as the drop target under the pointer, in place of the one before. */
function mark(element: Element | null): void {
  if (element === marked) return
  marked?.removeAttribute(DROP_TARGET)
  element?.setAttribute(DROP_TARGET, '')
  marked = element
}

/** A row, breadcrumb or part of the sidebar; else the shown folder, outside of its subfolders. */
function targetOf({ target }: globalThis.DragEvent): Element | null {
  if (!(target instanceof Element)) return null
  return target.closest(`[${DROP_PATH}], [${DROP_FAVOURITES}]`) ?? target.closest('.DropZone')
}

/** @returns the effect of a drop: `link` adds favourites; undefined if the items cannot be dropped there */
function verbFor(items: DraggedItems, target: Element, event: globalThis.DragEvent) {
  if (prompts.stack.length > 0) return undefined
  if (target.hasAttribute(DROP_FAVOURITES)) return foldersOf(items).length > 0 ? 'link' : undefined
  if (isListOnly(pathOf(target))) return undefined
  const { may } = actionContext()
  const isDenied = items.entries.some(({ listOnly }) => listOnly)
  const rights = { move: !isDenied && may('rename'), copy: !isDenied && may('copy') }
  return dropVerb(items, pathOf(target), rights, event.ctrlKey || event.metaKey || event.altKey)
}

function foldersOf({ entries }: DraggedItems): TreePath[] {
  return entries.filter(({ isDir }) => isDir).map(({ path }) => path)
}

/** Rows, tiles and breadcrumbs set the attribute from a TreePath; a target without it is the shown folder. */
function pathOf(target: Element): TreePath {
  return (target.getAttribute(DROP_PATH) as TreePath | null) ?? listing.path
}

/** Moves or copies the entries; the code for that is loaded on demand. */
async function transfer(
  verb: 'move' | 'copy',
  entries: readonly Entry[],
  to: TreePath,
): Promise<void> {
  const transfers = await import('#ui/actions/transfer.ts')
  await transfers.transfer(verb, entries, to)
}
