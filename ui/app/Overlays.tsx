import { lazy, Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { usePathname } from 'wouter/use-browser-location'
import { actionContext } from '#ui/state/action-context.ts'
import { listing } from '#ui/state/listing.ts'
import { closeOverlay, overlay } from '#ui/state/overlay.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'

/** All arrive when they are used. */
const SearchOverlay = lazy(async () => {
  const { SearchOverlay: part } = await import('#ui/features/search/SearchOverlay.tsx')
  return { default: part }
})
const Palette = lazy(async () => {
  const { Palette: part } = await import('#ui/features/palette/Palette.tsx')
  return { default: part }
})

const QuickLook = lazy(async () => ({
  default: (await import('#ui/pages/QuickLook.tsx')).QuickLook,
}))

/** What lies over the page because it was asked for. Going somewhere else takes it away. */
export function Overlays() {
  const { open } = useSnapshot(overlay)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving the path is what closes
  useEffect(() => closeOverlay, [pathname])
  if (open === null) return null
  return (
    <Suspense>
      {open === 'search' && <SearchOverlay folder={folderHere()} />}
      {open === 'palette' && <Palette />}
      {open === 'look' && <QuickLook />}
    </Suspense>
  )
}

/** The folder on the page, or that of the file on it; elsewhere all files are meant. */
function folderHere(): TreePath {
  const { page } = actionContext()
  if (page === 'elsewhere') return ROOT
  return page === 'file' ? parentPath(listing.path) : listing.path
}
