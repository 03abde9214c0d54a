import { lazy, Suspense } from 'react'
import type { ShareAddress } from '#ui/lib/share-links.ts'

/** Arrives for those who follow a public link; nobody else waits for it. */
const SharePage = lazy(async () => {
  const { SharePage: page } = await import('#ui/pages/SharePage.tsx')
  return { default: page }
})

/** What a public link leads to; the page says itself what it waits for once it is there. */
export function Share({ address }: { address: ShareAddress }) {
  return (
    <Suspense>
      <SharePage address={address} />
    </Suspense>
  )
}
