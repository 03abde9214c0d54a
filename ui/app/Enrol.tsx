import { Suspense } from 'react'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'

const EnrolCard = lazyPart(async () => (await import('#ui/features/login/EnrolCard.tsx')).EnrolCard)

/** The page of a user who must set up a second factor first. */
export function Enrol() {
  return (
    <Suspense>
      <EnrolCard />
    </Suspense>
  )
}
