import { Button } from '#ui/components/controls/Button.tsx'
import { Card } from '#ui/components/feedback/Card.tsx'
import { formatExactSize, formatMoment, formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { kindOf } from '#ui/lib/entries/kinds.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { sizeOf } from '#ui/lib/entries/size-of.ts'
import { download } from '#ui/lib/page/download.ts'
import {
  absoluteUrl,
  publicArchiveUrl,
  publicFileUrl,
  type ShareKey,
} from '#ui/lib/urls/share-urls.ts'
import type { SharedEntry } from '#ui/state/sharing/public-share.ts'
import { type Entry, type FileEntry, isListing, type Listing } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { downloadShared } from '../folder/download-shared.ts'
import { ShareCover } from '../folder/ShareCover.tsx'
import { QrCard } from '../QrCard.tsx'
import './ShareSheet.css'

interface ShareSheetProps {
  share: ShareKey
  path: TreePath
  entry: SharedEntry
  name: string
  /** The only selected entry of a folder. */
  selected?: Entry | undefined
}

/** The shared entry with its size, the end of the share, and the buttons that download or open it. */
export function ShareSheet({ share, path, entry, name, selected }: ShareSheetProps) {
  const { t } = useTranslation()
  const isFolder = isListing(entry)
  const url = isFolder ? publicArchiveUrl(share, path, []) : publicFileUrl(share, path)
  const openUntil = entry.expire ? formatMoment(new Date(entry.expire * 1000)) : ''
  return (
    <Card className="ShareSheet">
      <ShareCover share={share} entry={entry} selected={selected} />
      <div>
        <h1 className="ShareSheet__title" dir="auto">
          {shownName(name).text}
        </h1>
        {isFolder ? <FolderDetails folder={entry} /> : <FileDetails file={entry} />}
        <p className="ShareSheet__fact">
          {t('share.changed', { moment: formatMoment(new Date(entry.modified)) })}
        </p>
        {entry.sharedBy && (
          <p className="ShareSheet__fact">{t('share.sharedBy', { name: entry.sharedBy })}</p>
        )}
        {openUntil && (
          <p className="ShareSheet__fact">{t('share.openUntil', { moment: openUntil })}</p>
        )}
      </div>
      {entry.message && (
        <p className="ShareSheet__message" dir="auto">
          {entry.message}
        </p>
      )}
      <div className="ShareSheet__actions">
        <Button tone="accent" size="l" wide icon="download" onClick={() => download(url)}>
          {t(isFolder ? 'share.downloadAll' : 'actions.download')}
        </Button>
        {isFolder && entry.items.length > 0 && (
          <Button
            tone="quiet"
            wide
            icon="chevron-down"
            onClick={() => void downloadShared(share, { folder: path, name })}
          >
            {t('share.chooseFormat')}
          </Button>
        )}
        {!isFolder && (
          <Button
            size="l"
            wide
            icon="external-link"
            onClick={() => window.open(publicFileUrl(share, path, true), '_blank', 'noopener')}
          >
            {t('share.open')}
          </Button>
        )}
        <QrCard url={absoluteUrl(url)} sizePx={isFolder ? 100 : 200} />
      </div>
    </Card>
  )
}

function FileDetails({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  return (
    <p className="ShareSheet__fact" title={formatExactSize(file.size)}>
      {t(`kinds.${kindOf(file)}`)} · <bdi>{formatSize(file.size)}</bdi>
    </p>
  )
}

/** The content of subfolders is unknown without further requests, so the size is that of the files in this folder. */
function FolderDetails({ folder: { items, numDirs, numFiles } }: { folder: Listing }) {
  const { t } = useTranslation()
  const parts = [
    numDirs > 0 && t('listing.folders', { count: numDirs, value: formatNumber(numDirs) }),
    numFiles > 0 &&
      t('share.filesOf', {
        count: numFiles,
        value: formatNumber(numFiles),
        size: formatSize(sizeOf(items)),
      }),
  ].filter((part) => part !== false)
  return <p className="ShareSheet__fact">{parts.join(' · ') || t('listing.empty')}</p>
}
