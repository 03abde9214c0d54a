import { useSyncExternalStore } from 'react'
import { mediaOf } from '#ui/lib/page/media.ts'

/** Whether a media query matches; the component follows its changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = mediaOf(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => mediaOf(query).matches,
  )
}
