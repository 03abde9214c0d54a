import { Suspense } from 'react'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import type { SharePath } from '#ui/lib/urls/share-urls.ts'

/** Loaded only for visitors of a share. */
const SharePage = lazyPart(async () => (await import('#ui/pages/SharePage.tsx')).SharePage)

/** The page of a share. It shows its own loading state. */
export function Share({ sharePath }: { sharePath: SharePath }) {
  return (
    <Suspense>
      <SharePage sharePath={sharePath} />
    </Suspense>
  )
}
