import { Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'

/** If it fails to load, nothing is shown. */
const SecondFactorBanner = lazyPart(
  async () => (await import('./SecondFactorBanner.tsx')).SecondFactorBanner,
  () => null,
)

/** Tells users of a second factor that they will need, on servers that require one. */
export function FactorBanner() {
  const { user, mustEnrol } = useSnapshot(session)
  if (!user || mustEnrol || !settings.SecondFactorDue) return null
  return (
    <Suspense>
      <SecondFactorBanner key={user.id} userId={user.id} />
    </Suspense>
  )
}
