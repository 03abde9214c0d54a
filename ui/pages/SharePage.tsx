import { Suspense, useEffect, useLayoutEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { useDelayedEmpty } from '#ui/components/hooks/use-delayed-empty.ts'
import { AuthCard } from '#ui/features/login/AuthCard.tsx'
import { ShareView } from '#ui/features/share/file/ShareView.tsx'
import { ShareSkeleton } from '#ui/features/share/folder/ShareSkeleton.tsx'
import { PublicLayout } from '#ui/features/share/PublicLayout.tsx'
import { ShareError } from '#ui/features/share/ShareError.tsx'
import { SharePasswordForm } from '#ui/features/share/SharePasswordForm.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isLargeText } from '#ui/lib/entries/large-text.ts'
import { errorKindOf } from '#ui/lib/error-kind.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { removePagePicture } from '#ui/lib/page/page-picture.ts'
import type { SharePath } from '#ui/lib/urls/share-urls.ts'
import { settings } from '#ui/state/session/settings.ts'
import {
  closePublicShare,
  openPublicShare,
  publicShare,
  reloadPublicShare,
  type SharedEntry,
  sharedFileOf,
  sharedSibling,
  sharedViewerOf,
  updateVisit,
} from '#ui/state/sharing/public-share.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { nameOf, ROOT } from '#wire/paths.ts'
import { OpenedFile } from './OpenedFile.tsx'
import { usePageTitle } from './use-page-title.ts'

/** Loaded with the first file of a folder. */
const ShareViewer = lazyPart(async () => (await import('./ShareViewer.tsx')).ShareViewer)

/** `/share/{hash}…`: the page of a share, for all visitors. */
export function SharePage({ sharePath: { hash, path } }: { sharePath: SharePath }) {
  const { t } = useTranslation()
  const { status, entry, fault } = useSnapshot(publicShare)
  // The snapshot of a `ref` is the entry itself.
  const name = titleOf(entry as SharedEntry | null)
  usePageTitle(name ?? t('share.page'))

  useEffect(() => {
    void openPublicShare({ hash, path })
  }, [hash, path])
  useEffect(() => closePublicShare, [])

  useLayoutEffect(() => {
    const isFile = entry?.path === '' && entry.type === 'image'
    // The viewer of a picture removes it when it shows its own.
    if (status !== 'idle' && status !== 'loading' && !isFile) removePagePicture()
  }, [status, entry])

  if (status === 'locked') {
    return (
      <AuthCard
        title={t('share.locked.title')}
        note={t('share.sharedWith', { name: settings.Name })}
      >
        <SharePasswordForm />
      </AuthCard>
    )
  }
  if (fault) {
    return (
      <PublicLayout>
        <ShareError
          problem={errorKindOf(fault)}
          status={fault.status}
          onRetry={reloadPublicShare}
        />
      </PublicLayout>
    )
  }
  return <Content />
}

/** A file of a folder has the whole window; the other pages have the frame of all public pages. */
function Content() {
  const { t } = useTranslation()
  const { hash, token, entry, folderName } = useSnapshot(publicShare)
  // The snapshot of a `ref` is the entry itself.
  const shown = useDelayedEmpty(entry as SharedEntry | null, UI_LIMITS.skeletonDelayMs)
  const file = shown.value ? sharedFileOf(shown.value) : undefined
  const search = useSearch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query changes the viewer
  useLayoutEffect(updateVisit, [search])
  if (file && file.path !== ROOT) {
    return (
      <Suspense fallback={<Loading />}>
        <ShareViewer name={file.name} file={file}>
          <SharedFile file={file} />
        </ShareViewer>
      </Suspense>
    )
  }
  const next = shown.isLate ? sharedSibling() : undefined
  if (!shown.value && next) {
    return (
      <Suspense fallback={<Loading />}>
        <ShareViewer name={next.name} file={undefined}>
          <Loading />
        </ShareViewer>
      </Suspense>
    )
  }
  return (
    <PublicLayout>
      {!shown.value && shown.isLate && <ShareSkeleton />}
      {shown.value && (
        <ShareView
          key={shown.value.path}
          share={{ hash, token }}
          entry={shown.value}
          name={titleOf(shown.value) ?? t('share.root')}
          root={folderName ?? t('share.root')}
          viewer={
            file &&
            (sharedViewerOf(file) !== 'card' || isLargeText(file)) && <SharedFile file={file} />
          }
        />
      )}
    </PublicLayout>
  )
}

function SharedFile({ file }: { file: FileEntry }) {
  const viewer = sharedViewerOf(file)
  return <OpenedFile key={`${file.path}?${viewer}`} file={file} viewer={viewer} />
}

/**
 * The title of an entry: its own name. For a subfolder, the server sends the name of the shared folder instead, and `.`
 * for a share of the whole tree, which has no name.
 */
function titleOf(entry: SharedEntry | null): string | undefined {
  const nameInShare = entry && nameOf(entry.path as Parameters<typeof nameOf>[0])
  const name = nameInShare || entry?.name
  return name === '.' ? undefined : name
}
