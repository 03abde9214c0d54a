/** Asks before a page with unsaved changes is left, and blocks navigation below an open dialog. */
import { closeTopmost, skipFirstEntry } from '#ui/lib/layers.ts'
import { setNavigationGuard } from '#ui/lib/location.ts'

interface Guard {
  /** The URL of the guarded page. */
  url: string
  mayLeave(): Promise<boolean>
}

let guard: Guard | undefined

/** From now on `mayLeave` decides about links, back and forward. Undefined removes the guard. */
export function guardPage(mayLeave: (() => Promise<boolean>) | undefined): void {
  removeEventListener('beforeunload', preventUnload)
  guard = mayLeave && { url: location.href, mayLeave }
  setNavigationGuard(mayLeave && ((go) => void mayLeave().then((may) => may && go())))
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

/** The browser has already changed the history entry: go back, ask, and then navigate again if the answer is yes. */
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
  void guard.mayLeave().then((may) => may && history.back())
}

function preventUnload(event: Event): void {
  event.preventDefault()
}
