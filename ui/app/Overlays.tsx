import { Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { usePathname } from 'wouter/use-browser-location'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { t } from '#ui/i18n/i18n.ts'
import { composedEarly } from '#ui/lib/page/early-field.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { closeOverlay, overlay } from '#ui/state/dialogs/overlay.ts'
import { quickLook } from '#ui/state/file/quick-look.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import './EarlyField.css'

/** All overlays are loaded on first use. */
const Finder = lazyPart(async () => {
  const { Finder } = await import('#ui/features/finder/Finder.tsx')
  await composedEarly()
  return Finder
}, Missing)

const QuickLook = lazyPart(async () => (await import('#ui/pages/QuickLook.tsx')).QuickLook, Missing)

/** The overlay that the user has opened. Navigation closes it. */
export function Overlays() {
  const { open } = useSnapshot(overlay)
  const { isOverFinder } = useSnapshot(quickLook)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes
  useEffect(() => closeOverlay, [pathname])
  if (open === null) return null
  // Each has its own boundary: while the code of Quick Look loads, the finder below it stays.
  return (
    <>
      <Suspense>
        {(open === 'finder' || isOverFinder) && <Finder folder={currentFolder()} />}
      </Suspense>
      <Suspense>{open === 'look' && <QuickLook />}</Suspense>
    </>
  )
}

/** The folder on the page, or the folder of the file on the page; on other pages the root. */
function currentFolder(): TreePath {
  const { page } = actionContext()
  if (page === 'elsewhere') return ROOT
  return page === 'file' ? parentPath(listing.path) : listing.path
}

/**
 * If the code of an overlay cannot be loaded, the overlay closes. The next attempt to open it loads the code again.
 */
function Missing() {
  useEffect(() => {
    closeOverlay()
    toastError(t('errors.missingPart'))
  }, [])
  return null
}
