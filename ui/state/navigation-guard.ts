/** Asks before a page with unsaved changes is left, and blocks navigation below an open dialog. */
import { closeTopmost, leaveFirst } from '#ui/lib/layers.ts'
import { setNavigationGuard } from '#ui/lib/location.ts'

interface Guard {
  /** The address of the guarded page. */
  here: string
  mayLeave(): Promise<boolean>
}

let guard: Guard | undefined

/** From now on `mayLeave` decides about links, back and forward. Undefined removes the guard. */
export function guardPage(mayLeave: (() => Promise<boolean>) | undefined): void {
  removeEventListener('beforeunload', warn)
  guard = mayLeave && { here: location.href, mayLeave }
  setNavigationGuard(mayLeave && ((go) => void mayLeave().then((may) => may && go())))
  if (mayLeave) addEventListener('beforeunload', warn)
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
  addEventListener('popstate', hold)
}

/** The browser has already changed the history entry: go back, ask, and then navigate again if the answer is yes. */
function hold(event: PopStateEvent): void {
  if (closeTopmost()) {
    event.stopImmediatePropagation()
    return
  }
  if (!guard || location.href === guard.here) {
    if (leaveFirst(event.state)) event.stopImmediatePropagation()
    return
  }
  event.stopImmediatePropagation()
  history.pushState(null, '', guard.here)
  void guard.mayLeave().then((may) => may && history.back())
}

function warn(event: Event): void {
  event.preventDefault()
}
