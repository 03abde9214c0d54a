import { Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { useActionContext } from '#ui/state/action-context.ts'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'
import { session } from '#ui/state/session/session.ts'
import { permits } from '#wire/permissions.ts'

/** Loaded after the listing. If it fails to load, nothing is shown. */
const FirstStepsPanel = lazyPart(
  async () => (await import('./FirstStepsPanel.tsx')).FirstStepsPanel,
  () => null,
)

/** The first steps of the administrator, below the list of a folder. */
export function FirstSteps() {
  const { user } = useSnapshot(session)
  const { page } = useActionContext()
  const isAfterListing = useAfterListing()
  if (!isAfterListing || !user || !permits(user.perm, 'administer') || page !== 'folder')
    return null
  return (
    <Suspense>
      <FirstStepsPanel key={user.id} />
    </Suspense>
  )
}
