import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { formatColumnSize, formatDate, formatExactSize, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { download } from '#ui/lib/page/download.ts'
import { hasContent } from '#ui/lib/urls/content-urls.ts'
import {
  publicFileUrl,
  publicPreviewUrl,
  type ShareKey,
  sharePageUrl,
} from '#ui/lib/urls/share-urls.ts'
import { hasThumbnail, rowThumbnailOf } from '#ui/state/session/settings.ts'
import { returnFocus } from '#ui/state/sharing/public-share.ts'
import type { Entry } from '#wire/api/entry.ts'
import { Choosable } from './Choosable.tsx'
import { downloadShared } from './download-shared.ts'
import './ShareRow.css'

interface ShareRowProps {
  share: ShareKey
  entry: Entry
  /** Undefined outside of the selection mode: a click then opens the entry. */
  isSelected: boolean | undefined
  onChoose(entry: Entry, hasShift: boolean): void
}

/** One entry in a shared folder: a link to its page, or a checkbox. */
export function ShareRow({ share, entry, isSelected, onChoose }: ShareRowProps) {
  const { t } = useTranslation()
  const path = entry.path
  const modified = formatDate(entry.modified)
  const preview = rowThumbnailOf(entry)
  const label = (
    <>
      <span className="ShareRow__icon">
        <Thumb
          src={hasThumbnail(entry) ? publicPreviewUrl(share, preview, path, entry) : undefined}
          isWhole={preview === 'small'}
          fallback={<FileIcon entry={entry} />}
        />
      </span>
      <span className="ShareRow__label">
        <Name>{entry.name}</Name>
        <span className="ShareRow__sub narrow-only">
          {!entry.isDir && <bdi>{formatColumnSize(entry.size)}</bdi>}
          {!entry.isDir && ' · '}
          {modified}
        </span>
      </span>
    </>
  )
  return (
    <tr className="ShareRow" data-selected={isSelected || undefined}>
      <td className="ShareRow__name">
        {isSelected === undefined ? (
          <Link
            ref={(link) => returnFocus(link, path)}
            className="ShareRow__target"
            href={sharePageUrl(share.hash, path, entry.isDir)}
          >
            {label}
          </Link>
        ) : (
          <Choosable
            entry={entry}
            isSelected={isSelected}
            className="ShareRow__target"
            onChoose={onChoose}
          >
            {label}
          </Choosable>
        )}
      </td>
      <td className="ShareRow__fact" data-column="size">
        {entry.isDir ? (
          t('listing.noSize')
        ) : (
          <bdi title={formatExactSize(entry.size)}>{formatColumnSize(entry.size)}</bdi>
        )}
      </td>
      <td className="ShareRow__fact" data-column="modified" title={formatFullDate(entry.modified)}>
        {modified}
      </td>
      <td className="ShareRow__action">
        {hasContent(entry) && (
          <IconButton
            icon="download"
            size="s"
            label={t('share.downloadOf', { name: entry.name })}
            onClick={() =>
              entry.isDir
                ? void downloadShared(share, { folder: path, name: entry.name })
                : download(publicFileUrl(share, path))
            }
          />
        )}
      </td>
    </tr>
  )
}
