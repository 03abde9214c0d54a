import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { session } from '#ui/state/session.ts'

/** After another app has shared files, asks the signed-in user for their destination. */
export function useSharedFiles(): void {
  const { user } = useSnapshot(session)
  const hasFiles = new URLSearchParams(useSearch()).has('shared')
  const isReady = user !== null && hasFiles
  useEffect(() => {
    if (isReady) void import('#ui/actions/receive.ts').then((module) => module.receiveSharedFiles())
  }, [isReady])
}
