/** Delays components and code that are not needed until the listing is loaded. */
import { proxy, subscribe, useSnapshot } from 'valtio'
import { assign } from '#ui/lib/assign.ts'
import { FILES, withoutBase } from '#ui/lib/page/location.ts'
import { whenIdle } from '#ui/lib/when-idle.ts'
import { listing } from './listing.ts'

const listingLoad = proxy({ isDone: false })

/** Whether the listing of the first page is loaded, so that components that waited for it render now. */
export function useAfterListing(): boolean {
  return useSnapshot(listingLoad).isDone
}

/**
 * Waits until the whole listing of the first page is loaded or has failed, and the browser is idle. Pages that show
 * neither a folder nor a file of the user, such as those of shares, are not waited for.
 *
 * @returns a function that cancels the wait
 */
export function awaitListing(): () => void {
  let cancel: (() => void) | undefined
  const check = () => {
    if (isLoaded()) cancel ??= whenIdle(() => assign(listingLoad, { isDone: true }))
  }
  const unsubscribe = subscribe(listing, check)
  check()
  return () => {
    unsubscribe()
    cancel?.()
  }
}

function isLoaded(): boolean {
  const isFilesPage = withoutBase(location.pathname)?.startsWith(FILES) ?? false
  return !isFilesPage || listing.status === 'ready' || listing.status === 'failed'
}
