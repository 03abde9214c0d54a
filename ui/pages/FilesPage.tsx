import { Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { useDelayedEmpty } from '#ui/components/hooks/use-delayed-empty.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { DropZone } from '#ui/features/drop-zone/DropZone.tsx'
import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { FirstSteps } from '#ui/features/first-steps/FirstSteps.tsx'
import { Fab } from '#ui/features/header/Fab.tsx'
import { SelectionBar } from '#ui/features/header/SelectionBar.tsx'
import { FilesBar } from '#ui/features/header/TopBar.tsx'
import { SkeletonRows } from '#ui/features/listing/SkeletonRows.tsx'
import { PageLayout } from '#ui/features/page-layout/PageLayout.tsx'
import { StatusBar } from '#ui/features/status/StatusBar.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { viewerOf } from '#ui/lib/entries/viewers.ts'
import { errorKindOf } from '#ui/lib/error-kind.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { filesUrl, goTo, wantsText } from '#ui/lib/page/location.ts'
import { TOUCH, WIDE } from '#ui/lib/page/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { text } from '#ui/state/file/text.ts'
import { clearListing, listing, loadListing, reloadListing } from '#ui/state/folder/listing.ts'
import { shell } from '#ui/state/shell/shell.ts'
import { layout } from '#ui/state/view/layout.ts'
import { type FileEntry, type Listing as Folder, isListing } from '#wire/api/entry.ts'
import { nameOf, type RequestPath } from '#wire/paths.ts'
import { FolderPage } from './FolderPage.tsx'
import { OpenedFile } from './OpenedFile.tsx'
import { ShellDrawer } from './ShellDrawer.tsx'
import { usePageTitle } from './use-page-title.ts'

const Details = lazyPart(async () => (await import('#ui/features/details/Details.tsx')).Details)

const PullToRefresh = lazyPart(
  async () => (await import('#ui/features/listing/PullToRefresh.tsx')).PullToRefresh,
  () => null,
)

/** `/files/…`: a folder or a file. */
export function FilesPage({ requested: { path, asFolder } }: { requested: RequestPath }) {
  const { t } = useTranslation()
  const { entry, fault } = useSnapshot(listing)
  const { detailsOpen } = useSnapshot(layout)
  const { open: hasShell } = useSnapshot(shell)
  const isWide = useMedia(WIDE)
  const isTouch = useMedia(TOUCH)
  const { isDirty } = useSnapshot(text)
  const name = nameOf(path) || t('places.home')
  usePageTitle(isDirty ? `• ${name}` : name, t('places.files'))

  useEffect(() => {
    void loadListing(path, asFolder)
  }, [path, asFolder])
  useEffect(() => clearListing, [])
  useCanonicalUrl(path, asFolder)

  const isFolder = entry ? entry.isDir : asFolder
  return (
    <PageLayout
      top={<FilesBar />}
      bottomPanel={<ShellDrawer path={path} />}
      // The shell takes the height that both would need.
      notice={isFolder && !fault && !hasShell && <FirstSteps />}
      side={isWide && detailsOpen && !fault && <Side />}
      footer={isFolder && !fault && <FolderFooter />}
    >
      {fault ? (
        <ErrorPanel
          kind={errorKindOf(fault)}
          status={fault.status}
          path={path}
          onRetry={reloadListing}
        />
      ) : (
        <DropZone folder={path}>
          <Suspense>{isTouch && isFolder && <PullToRefresh />}</Suspense>
          <Content />
        </DropZone>
      )}
    </PageLayout>
  )
}

/** The details panel, loaded on first use. Its space is reserved while it loads, so that the layout does not shift. */
function Side() {
  return (
    <Suspense fallback={<aside style={{ inlineSize: 'var(--details-width)' }} />}>
      <Details />
    </Suspense>
  )
}

function FolderFooter() {
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
  const { may } = useActionContext()
  useSearch()
  // The snapshot of a `ref` is the entry itself.
  const shown = useDelayedEmpty(entry as Folder | FileEntry | null, UI_LIMITS.skeletonDelayMs)
  if (!shown.value) return shown.isLate ? <SkeletonRows /> : null
  if (!isListing(shown.value)) {
    const { path } = shown.value
    const viewer = viewerOf(shown.value, { mayRead: may('download'), asText: wantsText() })
    return <OpenedFile key={`${path}?${viewer}`} file={shown.value} viewer={viewer} />
  }
  return <FolderPage key={shown.value.path} folder={shown.value} />
}

/** Corrects the URL: that of a folder ends with a slash, that of a file does not. Either form opens both. */
function useCanonicalUrl(path: RequestPath['path'], asFolder: boolean): void {
  const { entry, path: shownPath } = useSnapshot(listing)
  const isDir = entry?.isDir
  useEffect(() => {
    if (isDir === undefined || shownPath !== path) return
    if (isDir !== asFolder) goTo(filesUrl(path, isDir), { replace: true })
  }, [isDir, shownPath, path, asFolder])
}
