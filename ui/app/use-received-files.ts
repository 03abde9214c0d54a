import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { RECEIVED } from '#ui/lib/urls/share-target.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'

/** After files of another app were received, asks the signed-in user for their folder. */
export function useReceivedFiles(): void {
  const { user } = useSnapshot(session)
  const hasFiles = new URLSearchParams(useSearch()).has(RECEIVED)
  const isReady = user !== null && hasFiles
  useEffect(() => {
    if (!isReady) return
    import('#ui/actions/receive.ts')
      .then(({ uploadReceivedFiles }) => uploadReceivedFiles())
      .catch(toastError)
  }, [isReady])
}
