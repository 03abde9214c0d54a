import { useEffect } from 'react'
import { useAfterFirstRows } from '#ui/state/first-rows.ts'

/** Counts what is opened, for the order of search results. The code is loaded after the first rows. */
export function useCountedUses(): void {
  const isReady = useAfterFirstRows()
  useEffect(() => {
    if (!isReady) return
    // Without the code nothing is counted, and the order stays that of the server.
    import('#ui/state/uses.ts').then(
      ({ watchUses }) => watchUses(),
      () => undefined,
    )
  }, [isReady])
}
