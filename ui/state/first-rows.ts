import { proxy, subscribe, useSnapshot } from 'valtio'
import { assign } from '#ui/lib/assign.ts'
import { FILES, withoutBase } from '#ui/lib/location.ts'
import { whenIdle } from '#ui/lib/when-idle.ts'
import { listing } from './listing.ts'

const firstRows = proxy({ areDone: false })

/** Whether the first rows are rendered, so that components that can wait for them should render now. */
export function useAfterFirstRows(): boolean {
  return useSnapshot(firstRows).areDone
}

/**
 * Waits until the first rows are rendered or have failed, or the page has none, and the browser is idle.
 *
 * @returns a function that cancels the wait
 */
export function awaitFirstRows(): () => void {
  let cancel: (() => void) | undefined
  const check = () => {
    if (areRendered()) cancel ??= whenIdle(() => assign(firstRows, { areDone: true }))
  }
  const unsubscribe = subscribe(listing, check)
  check()
  return () => {
    unsubscribe()
    cancel?.()
  }
}

function areRendered(): boolean {
  const isListing = withoutBase(location.pathname)?.startsWith(FILES) ?? false
  return !isListing || listing.status === 'ready' || listing.status === 'failed'
}
