import type { ReactNode } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { t, useTranslation } from '#ui/i18n/i18n.ts'
import { sizeOf } from '#ui/lib/entries/size-of.ts'
import { download } from '#ui/lib/page/download.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { hasContent } from '#ui/lib/urls/content-urls.ts'
import { absoluteUrl, fileLinkUrl, publicFileUrl, type ShareKey } from '#ui/lib/urls/share-urls.ts'
import { clearSelection, selectAll, selection } from '#ui/state/folder/selection.ts'
import { copy } from '#ui/state/messages/copy.ts'
import type { Entry, Listing } from '#wire/api/entry.ts'
import { downloadShared } from './download-shared.ts'
import './ShareBar.css'

interface ShareBarProps {
  share: ShareKey
  folder: Listing
  crumbs: ReactNode
  /** The selected paths; undefined outside of the selection mode. */
  selected: ReadonlySet<string> | undefined
}

/** The bar above the list: breadcrumbs; during a selection its count and download. */
export function ShareBar({ share, folder, crumbs, selected }: ShareBarProps) {
  const { t } = useTranslation()
  const isNarrow = useMedia(NARROW)
  if (!selected) {
    return (
      <div className="ShareBar">
        {crumbs}
        {folder.items.length > 0 && (
          <Button tone="quiet" icon="list-checks" onClick={startSelecting}>
            {t('share.select')}
          </Button>
        )}
      </div>
    )
  }
  const entries = folder.items.filter(({ path }) => selected.has(path))
  const downloadable = entries.filter(hasContent)
  const bytes = sizeOf(entries)
  const file = entries.length === 1 ? downloadable.find(({ isDir }) => !isDir) : undefined
  return (
    <div className="ShareBar" role="toolbar" aria-label={t('places.selection')}>
      <p className="ShareBar__count" aria-live="polite">
        <strong>
          {t('listing.selected', { count: entries.length, value: formatNumber(entries.length) })}
        </strong>
        {bytes > 0 && <bdi>{formatSize(bytes)}</bdi>}
      </p>
      <IconButton
        icon="square-check"
        label={t('share.selectAll')}
        onClick={() => selectAll(folder.items)}
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
        onClick={() => downloadSelected(share, folder, downloadable)}
      >
        {!isNarrow && t('actions.download')}
      </Button>
      <IconButton icon="x" label={t('share.stopSelecting')} onClick={clearSelection} />
    </div>
  )
}

function startSelecting(): void {
  selection.isSelectionMode = true
}

/** Copies the URL of one file for other visitors. */
function copyLink(share: ShareKey, { path }: Entry): Promise<boolean> {
  const url = absoluteUrl(fileLinkUrl(share, path))
  return copy(url, { success: t('share.copied') })
}

/** Downloads one file unchanged; a folder, or several entries, as an archive. */
function downloadSelected(
  share: ShareKey,
  { path, name }: Listing,
  entries: readonly Entry[],
): void {
  const [first] = entries
  if (first && entries.length === 1 && !first.isDir) {
    download(publicFileUrl(share, first.path))
  } else void downloadShared(share, { folder: path, name, entries })
}
