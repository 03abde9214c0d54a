/** Keeps a page with unsaved work from being left unasked, whichever way leads off it. */
import { setGate } from '#ui/lib/location.ts'

/** Lets go of the page that is guarded now. */
let release: (() => void) | undefined

/** From now on `mayLeave` decides: about links, about back and forward. Undefined lets everybody go. */
export function guardPage(mayLeave: (() => Promise<boolean>) | undefined): void {
  release?.()
  release = mayLeave && guard(mayLeave)
}

/** Whether leaving would lose something. */
export function isPageGuarded(): boolean {
  return release !== undefined
}

function guard(mayLeave: () => Promise<boolean>): () => void {
  const here = location.href
  const warn = (event: Event) => event.preventDefault()

  /** The browser is at the other entry already: come back, ask, then go after all. */
  function hold(event: Event): void {
    if (location.href === here) return
    event.stopImmediatePropagation()
    history.pushState(null, '', here)
    void mayLeave().then((may) => may && history.back())
  }

  setGate((go) => void mayLeave().then((may) => may && go()))
  addEventListener('beforeunload', warn)
  // Captured: the router must not hear of it.
  addEventListener('popstate', hold, true)
  return () => {
    setGate(undefined)
    removeEventListener('beforeunload', warn)
    removeEventListener('popstate', hold, true)
  }
}
