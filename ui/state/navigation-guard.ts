/** Keeps a page from being left unasked with unsaved work, or at all from below what lies over it. */
import { closeTopmost, leaveFirst } from '#ui/lib/layers.ts'
import { setNavigationGuard } from '#ui/lib/location.ts'

interface Guard {
  /** The address that is guarded. */
  here: string
  mayLeave(): Promise<boolean>
}

let guard: Guard | undefined

/** From now on `mayLeave` decides: about links, about back and forward. Undefined lets everybody go. */
export function guardPage(mayLeave: (() => Promise<boolean>) | undefined): void {
  removeEventListener('beforeunload', warn)
  guard = mayLeave && { here: location.href, mayLeave }
  setNavigationGuard(mayLeave && ((go) => void mayLeave().then((may) => may && go())))
  if (mayLeave) addEventListener('beforeunload', warn)
}

/** Whether leaving would lose something. */
export function isPageGuarded(): boolean {
  return guard !== undefined
}

/** Watches back and forward. Called before the router listens: it must not hear of what is held. */
export function watchHistory(): void {
  addEventListener('popstate', hold)
}

/** The browser is at the other entry already: come back, ask, then go after all. */
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
