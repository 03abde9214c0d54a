import { Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { t } from '#ui/i18n/i18n.ts'
import { closeMusic, music } from '#ui/state/media/music.ts'
import { toastError } from '#ui/state/messages/toasts.ts'

/** Loaded with the first recording that is played. */
const MusicBar = lazyPart(
  async () => (await import('#ui/features/music/MusicBar.tsx')).MusicBar,
  Missing,
)

/** The music queue: over every page, so that navigation does not stop it. */
export function Music() {
  const { tracks } = useSnapshot(music)
  if (tracks.length === 0) return null
  return (
    <Suspense>
      <MusicBar />
    </Suspense>
  )
}

/** If the code cannot be loaded, the queue closes. The next recording loads the code again. */
function Missing() {
  useEffect(() => {
    closeMusic()
    toastError(t('errors.missingPart'))
  }, [])
  return null
}
