import { effect } from '@preact/signals-react'
import { useSignals } from '@preact/signals-react/runtime'
import { Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { formatPercent } from '#ui/i18n/format.ts'
import { setTitleProgress } from '#ui/lib/page/page-title.ts'
import { followJobs, jobs } from '#ui/state/changes/jobs.ts'
import { session } from '#ui/state/session/session.ts'
import { phase, sentFraction } from '#ui/uploads/queue/signals.ts'
import { hasUnfinished } from '#ui/uploads/queue/unfinished.ts'

/** Loaded with the first upload or job, so that the listing does not wait for it. */
const ProgressCard = lazyPart(async () => (await import('./ProgressCard.tsx')).ProgressCard)

/** The panel of uploads and jobs. It is shown while it has content. */
export function ProgressPanel() {
  useSignals()
  useTitleProgress()
  const { user } = useSnapshot(session)
  const { shown } = useSnapshot(jobs)
  const id = user?.id

  useEffect(() => (id === undefined ? undefined : followJobs()), [id])

  const mayHaveResumable = id !== undefined && hasUnfinished(id)
  if (phase.value === 'idle' && shown.length === 0 && !mayHaveResumable) return null
  return (
    <Suspense>
      <ProgressCard key={id} userId={id} />
    </Suspense>
  )
}

/** Shows the progress of uploads in the title of the window, for users who have switched to another tab. */
function useTitleProgress(): void {
  useEffect(() => {
    const stop = effect(() => {
      const fraction = sentFraction.value
      setTitleProgress(
        fraction === undefined ? '' : formatPercent(Math.floor(fraction * 100) / 100),
      )
    })
    return () => {
      stop()
      setTitleProgress('')
    }
  }, [])
}
