import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { session } from '#ui/state/session.ts'

/** Another app has handed files over: as soon as somebody is signed in, asks where they go. */
export function useSharedFiles(): void {
  const { user } = useSnapshot(session)
  const waits = new URLSearchParams(useSearch()).has('shared')
  const isReady = user !== null && waits
  useEffect(() => {
    if (isReady) void import('#ui/actions/receive.ts').then((module) => module.receiveShared())
  }, [isReady])
}
