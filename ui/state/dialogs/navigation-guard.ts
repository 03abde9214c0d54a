/** Asks before a page with unsaved changes is left, and blocks navigation below an open dialog. */
import { closeTopmost, skipFirstEntry } from '#ui/lib/page/layers.ts'
import { setNavigationGuard } from '#ui/lib/page/location.ts'

interface Guard {
  /** The URL of the guarded page. */
  url: string
  /** Asks the user, if needed. */
  mayLeave(): Promise<boolean>
}

let guard: Guard | undefined

/** From now on `mayLeave` decides whether links, back and forward leave the page. Undefined removes the guard. */
export function guardPage(mayLeave: (() => Promise<boolean>) | undefined): void {
  removeEventListener('beforeunload', preventUnload)
  guard = mayLeave && { url: location.href, mayLeave }
  setNavigationGuard(mayLeave && ((go) => void mayLeave().then((isAllowed) => isAllowed && go())))
  if (mayLeave) addEventListener('beforeunload', preventUnload)
}

/** Whether leaving would lose unsaved changes. */
export function isPageGuarded(): boolean {
  return guard !== undefined
}

/**
 * Listens for back and forward. Must be called before the router subscribes: the router must not receive blocked
 * events.
 */
export function watchHistory(): void {
  addEventListener('popstate', onPopState)
}

/**
 * Handles back and forward. The browser has already changed the history entry, so a guarded page restores its URL,
 * asks, and navigates again if the answer is yes.
 */
function onPopState(event: PopStateEvent): void {
  if (closeTopmost()) {
    event.stopImmediatePropagation()
    return
  }
  if (!guard || location.href === guard.url) {
    if (skipFirstEntry(event.state)) event.stopImmediatePropagation()
    return
  }
  event.stopImmediatePropagation()
  history.pushState(null, '', guard.url)
  void guard.mayLeave().then((isAllowed) => isAllowed && history.back())
}

function preventUnload(event: Event): void {
  event.preventDefault()
}
