import type { ReactNode } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { useMedia } from '#ui/components/use-media.ts'
import { formatSize } from '#ui/i18n/format.ts'
import { t, useTranslation } from '#ui/i18n/i18n.ts'
import { hasContent } from '#ui/lib/content-urls.ts'
import { download } from '#ui/lib/download.ts'
import { NARROW } from '#ui/lib/media.ts'
import { absoluteUrl, fileLinkUrl, publicFileUrl, type ShareKey } from '#ui/lib/share-urls.ts'
import { sizeOf } from '#ui/lib/size-of.ts'
import { copy } from '#ui/state/copy.ts'
import type { Entry, Listing } from '#wire/entry.ts'
import { downloadShared } from './download-shared.ts'
import './ShareBar.css'

interface ShareBarProps {
  share: ShareKey
  folder: Listing
  crumbs: ReactNode
  chosen: ReadonlySet<string> | undefined
  onChoose(chosen: ReadonlySet<string> | undefined): void
}

/** The bar above the list: breadcrumbs; during a selection its count and download. */
export function ShareBar({ share, folder, crumbs, chosen, onChoose }: ShareBarProps) {
  const { t } = useTranslation()
  const narrow = useMedia(NARROW)
  if (!chosen) {
    return (
      <div className="ShareBar">
        {crumbs}
        {folder.items.length > 0 && (
          <Button tone="quiet" icon="list-checks" onClick={() => onChoose(new Set())}>
            {t('share.select')}
          </Button>
        )}
      </div>
    )
  }
  const entries = folder.items.filter(({ path }) => chosen.has(path))
  const downloadable = entries.filter(hasContent)
  const bytes = sizeOf(entries)
  const [only, ...others] = downloadable
  const file = only && others.length === 0 && entries.length === 1 && !only.isDir ? only : undefined
  return (
    <div className="ShareBar" role="toolbar" aria-label={t('places.selection')}>
      <p className="ShareBar__count" aria-live="polite">
        <strong>{t('listing.selected', { count: entries.length })}</strong>
        {bytes > 0 && <bdi>{formatSize(bytes)}</bdi>}
      </p>
      <IconButton
        icon="square-check"
        label={t('share.selectAll')}
        onClick={() => onChoose(new Set(folder.items.map(({ path }) => path)))}
      />
      {file && (
        <IconButton
          icon="link"
          label={t('share.copyLink')}
          onClick={() => void copyLink(share, file)}
        />
      )}
      <Button
        tone="accent"
        icon="download"
        disabled={downloadable.length === 0}
        aria-label={t('actions.download')}
        onClick={() => downloadChosen(share, folder, downloadable)}
      >
        {!narrow && t('actions.download')}
      </Button>
      <IconButton icon="x" label={t('share.stopSelecting')} onClick={() => onChoose(undefined)} />
    </div>
  )
}

/** Copies the URL of one file for other people. */
function copyLink(share: ShareKey, { path }: Entry): Promise<boolean> {
  const url = absoluteUrl(fileLinkUrl(share, path))
  return copy(url, { success: t('share.copied') })
}

/** Downloads one file unchanged; a folder, or several entries, as an archive. */
function downloadChosen(share: ShareKey, { path, name }: Listing, entries: readonly Entry[]): void {
  const [only, ...others] = entries
  if (only && others.length === 0 && !only.isDir) {
    download(publicFileUrl(share, only.path))
  } else void downloadShared(share, { folder: path, name, entries })
}
