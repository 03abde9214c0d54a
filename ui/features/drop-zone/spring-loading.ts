/** Spring loading: a folder opens while entries of the listing, or files of the desktop, are held over it. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { prompts } from '#ui/state/dialogs/prompts.ts'
import { openBranch } from '#ui/state/folder/folder-tree.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { selection } from '#ui/state/folder/selection.ts'
import { isInside, type TreePath } from '#wire/paths.ts'
import './spring-loading.css'

/** Rows, breadcrumbs and branches of the tree have the path of their folder. */
const DROP_PATH = 'data-drop-path'
/** The class of the element that is about to open. */
const OPENING = 'spring-loading'

let held: { element: Element; timer: number } | undefined

/** Follows all drags over the page. */
export function watchDrags(): void {
  addEventListener('dragover', (event: DragEvent) => hold(folderAt(event)))
  addEventListener('dragleave', (event: DragEvent) => event.relatedTarget === null && hold(null))
  addEventListener('drop', () => hold(null), { capture: true })
  addEventListener('dragend', () => hold(null), { capture: true })
}

/** Begins to wait when the pointer comes to another element, and ends when it leaves it. */
function hold(element: Element | null): void {
  if (element === (held?.element ?? null)) return
  clearTimeout(held?.timer)
  held?.element.classList.remove(OPENING)
  held = undefined
  if (!element) return
  element.classList.add(OPENING)
  held = { element, timer: window.setTimeout(() => open(element), ON_DEMAND_LIMITS.springMs) }
}

/** The row, breadcrumb or branch under the pointer, if its folder may open now. */
function folderAt({ target, dataTransfer }: DragEvent): Element | null {
  const isOwn = selection.isDragging
  if (!(target instanceof Element) || (!isOwn && !dataTransfer?.types.includes('Files')))
    return null
  const element = target.closest(`[${DROP_PATH}]`)
  if (!element || actionContext().page !== 'folder' || prompts.stack.length > 0) return null
  const path = pathOf(element)
  const isDragged = isOwn && [...selection.paths].some((one) => isInside(path, one as TreePath))
  return isDragged || (path === listing.path && !isClosed(element)) ? null : element
}

function open(element: Element): void {
  element.classList.remove(OPENING)
  const path = pathOf(element)
  // A branch first shows the folders in it, which are then targets too.
  if (isClosed(element)) openBranch(path).catch(() => undefined)
  else goTo(filesUrl(path, true))
}

/** Whether it is a branch of the tree whose folders are not shown. */
function isClosed(element: Element): boolean {
  return element.getAttribute('aria-expanded') === 'false'
}

/** Rows, tiles and breadcrumbs set the attribute from a TreePath. */
function pathOf(element: Element): TreePath {
  return element.getAttribute(DROP_PATH) as TreePath
}
