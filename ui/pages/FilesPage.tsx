import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useLinger } from '#ui/components/use-linger.ts'
import { useMedia } from '#ui/components/use-media.ts'
import { Details } from '#ui/features/details/Details.tsx'
import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { Frame } from '#ui/features/frame/Frame.tsx'
import { Fab } from '#ui/features/header/Fab.tsx'
import { SelectionBar } from '#ui/features/header/SelectionBar.tsx'
import { FilesBar } from '#ui/features/header/TopBar.tsx'
import { Listing } from '#ui/features/listing/Listing.tsx'
import { SkeletonRows } from '#ui/features/listing/SkeletonRows.tsx'
import { FallbackCard } from '#ui/features/preview/FallbackCard.tsx'
import { StatusBar } from '#ui/features/status/StatusBar.tsx'
import { DropZone } from '#ui/features/uploads/DropZone.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { filesUrl, goTo } from '#ui/lib/location.ts'
import { WIDE } from '#ui/lib/media.ts'
import { troubleOf } from '#ui/lib/trouble.ts'
import { layout } from '#ui/state/layout.ts'
import { listing, loadListing, reloadListing } from '#ui/state/listing.ts'
import { loadUsage } from '#ui/state/usage.ts'
import { type FileEntry, type Listing as Folder, isListing } from '#wire/entry.ts'
import { LIMITS } from '#wire/limits.ts'
import { nameOf, type SpelledPath } from '#wire/paths.ts'
import { usePageTitle } from './use-page-title.ts'

/** `/files/…`: a folder or a file. */
export function FilesPage({ spelled: { path, asFolder } }: { spelled: SpelledPath }) {
  const { t } = useTranslation()
  const { entry, fault } = useSnapshot(listing)
  const { detailsOpen } = useSnapshot(layout)
  const wide = useMedia(WIDE)
  usePageTitle(nameOf(path) || t('places.home'), t('places.files'))

  useEffect(() => {
    void loadListing(path, asFolder)
  }, [path, asFolder])
  useCanonicalUrl(path, asFolder)

  const isFolder = entry ? entry.isDir : asFolder
  return (
    <Frame
      top={<FilesBar />}
      side={wide && detailsOpen && !fault && <Details />}
      foot={isFolder && !fault && <FolderFoot />}
    >
      {fault ? (
        <ErrorPanel trouble={troubleOf(fault)} path={path} onRetry={reloadListing} />
      ) : (
        <DropZone folder={path}>
          <Content />
        </DropZone>
      )}
    </Frame>
  )
}

function FolderFoot() {
  return (
    <>
      <StatusBar />
      <SelectionBar />
      <Fab />
    </>
  )
}

function Content() {
  const { entry } = useSnapshot(listing)
  // The snapshot of a `ref` is the entry itself.
  const shown = useLinger(entry as Folder | FileEntry | null, LIMITS.skeletonDelayMs)
  if (!shown.value) return shown.late ? <SkeletonRows /> : null
  if (!isListing(shown.value)) return <FallbackCard file={shown.value} />
  return <Listing key={shown.value.path} folder={shown.value} />
}

/** A folder's address ends with a slash, a file's does not; both spellings open both. */
function useCanonicalUrl(path: SpelledPath['path'], asFolder: boolean): void {
  const { entry, path: shownPath } = useSnapshot(listing)
  const isDir = entry?.isDir
  useEffect(() => {
    if (isDir === undefined || shownPath !== path) return
    void loadUsage(path)
    if (isDir !== asFolder) goTo(filesUrl(path, isDir), { replace: true })
  }, [isDir, shownPath, path, asFolder])
}
