import { Suspense } from 'react'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'

/** Loaded only for visitors with an invitation. */
const InvitePage = lazyPart(async () => (await import('#ui/pages/InvitePage.tsx')).InvitePage)

/** The page of an invitation. */
export function Invite() {
  return (
    <Suspense>
      <InvitePage />
    </Suspense>
  )
}
