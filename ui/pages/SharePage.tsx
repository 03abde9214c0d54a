import { useEffect, useLayoutEffect } from 'react'
import { useSnapshot } from 'valtio'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { useDelayedEmpty } from '#ui/components/hooks/use-delayed-empty.ts'
import { AuthCard } from '#ui/features/login/AuthCard.tsx'
import { ShareView } from '#ui/features/share/file/ShareView.tsx'
import { ShareSkeleton } from '#ui/features/share/folder/ShareSkeleton.tsx'
import { PublicLayout } from '#ui/features/share/PublicLayout.tsx'
import { ShareError } from '#ui/features/share/ShareError.tsx'
import { SharePasswordForm } from '#ui/features/share/SharePasswordForm.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { errorKindOf } from '#ui/lib/error-kind.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { removePagePicture } from '#ui/lib/page/page-picture.ts'
import type { SharePath } from '#ui/lib/urls/share-urls.ts'
import { settings } from '#ui/state/session/settings.ts'
import {
  openPublicShare,
  publicShare,
  reloadPublicShare,
  type SharedEntry,
} from '#ui/state/sharing/public-share.ts'
import { isListing } from '#wire/api/entry.ts'
import { nameOf, parentPath } from '#wire/paths.ts'
import { usePageTitle } from './use-page-title.ts'

/** Loaded with the first archive. */
const SharedArchive = lazyPart(async () => (await import('./SharedArchive.tsx')).SharedArchive)
/** Loaded with the first text or document. */
const SharedReader = lazyPart(async () => (await import('./SharedReader.tsx')).SharedReader)

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

  useLayoutEffect(() => {
    if (status !== 'idle' && status !== 'loading') removePagePicture()
  }, [status])

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
  return (
    <PublicLayout>
      {fault ? (
        <ShareError
          problem={errorKindOf(fault)}
          status={fault.status}
          onRetry={reloadPublicShare}
        />
      ) : (
        <Content />
      )}
    </PublicLayout>
  )
}

function Content() {
  const { t } = useTranslation()
  const { hash, token, entry, folderName } = useSnapshot(publicShare)
  // The snapshot of a `ref` is the entry itself.
  const shown = useDelayedEmpty(entry as SharedEntry | null, UI_LIMITS.skeletonDelayMs)
  if (!shown.value) return shown.isLate ? <ShareSkeleton /> : null
  return (
    <ShareView
      key={keyOf(shown.value)}
      share={{ hash, token }}
      entry={shown.value}
      name={titleOf(shown.value) ?? t('share.root')}
      root={folderName ?? t('share.root')}
      Reader={SharedReader}
      Archive={SharedArchive}
    />
  )
}

/** The React key of the content: the same for all files of a folder, so that the component keeps its state. */
function keyOf(entry: SharedEntry): string {
  const path = entry.path
  return isListing(entry) || path === '' ? `at ${path}` : `in ${parentPath(path)}`
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
