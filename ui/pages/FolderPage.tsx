import { Suspense, useEffect, useMemo } from 'react'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { Listing } from '#ui/features/listing/Listing.tsx'
import { twinAmong } from '#ui/lib/entries/twins.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import type { Entry, Listing as Folder } from '#wire/api/entry.ts'
import './FolderPage.css'

/** Loaded with the first folder that has a README. */
const Readme = lazyPart(
  async () => (await import('#ui/features/editor/markdown/Readme.tsx')).Readme,
)

/** Loaded with the first folder that has two names that look the same. */
const TwinNotice = lazyPart(
  async () => (await import('#ui/features/listing/TwinNotice.tsx')).TwinNotice,
  () => null,
)

/** A folder: its listing, and its README below. */
export function FolderPage({ folder }: { folder: Folder }) {
  const { may } = useActionContext()
  // A folder has nothing for the whole screen.
  useEffect(() => {
    if (document.fullscreenElement) void document.exitFullscreen()
  }, [])
  const twin = useMemo(() => twinAmong(folder.items), [folder])
  const readme = useMemo(() => folder.items.find(isReadme), [folder])
  return (
    <div className="FolderPage">
      {twin !== undefined && (
        <Suspense>
          <TwinNotice name={twin} />
        </Suspense>
      )}
      <Listing folder={folder} />
      {readme && may('download') && (
        <Suspense>
          <Readme file={readme} />
        </Suspense>
      )}
    </div>
  )
}

function isReadme({ name, isDir, size }: Entry): boolean {
  return !isDir && /^readme\.(md|markdown)$/i.test(name) && size <= UI_LIMITS.readmeMaxBytes
}
