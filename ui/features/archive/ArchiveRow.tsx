import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { formatColumnSize, formatDate, formatExactSize, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { download } from '#ui/lib/page/download.ts'
import type { ArchiveSource } from '#ui/state/file/archive-source.ts'
import type { ArchiveItem } from '#wire/api/archive-contents.ts'
import type { RequestPath } from '#wire/paths.ts'
import { isShown } from './ArchiveFile.tsx'

interface ArchiveRowProps {
  source: ArchiveSource
  item: ArchiveItem
  onGo(event: MouseEvent, target: RequestPath): void
}

/** One entry: a folder or a file that is shown opens, any other file is downloaded. */
export function ArchiveRow({ source, item, onGo }: ArchiveRowProps) {
  const { t } = useTranslation()
  const { path, name, size, modified, isDir } = item
  const when = modified === '' ? '' : formatDate(modified)
  const target = { path, asFolder: isDir }
  const label = (
    <>
      <FileIcon entry={item} />
      <span className="ArchiveList__label">
        <Name>{name}</Name>
        <span className="ArchiveList__sub narrow-only">
          {!isDir && <bdi>{formatColumnSize(size)}</bdi>}
          {!isDir && when !== '' && ' · '}
          {when}
        </span>
      </span>
    </>
  )
  return (
    <tr className="ArchiveList__row">
      <td>
        {isDir || isShown(item) ? (
          <Link
            className="ArchiveList__target"
            href={source.pageUrl(target)}
            onClick={(event) => onGo(event, target)}
          >
            {label}
          </Link>
        ) : (
          <a className="ArchiveList__target" href={source.fileUrl(path)} download>
            {label}
          </a>
        )}
      </td>
      <td className="ArchiveList__fact" data-column="size">
        {isDir ? (
          t('listing.noSize')
        ) : (
          <bdi title={formatExactSize(size)}>{formatColumnSize(size)}</bdi>
        )}
      </td>
      <td
        className="ArchiveList__fact"
        data-column="modified"
        title={modified === '' ? undefined : formatFullDate(modified)}
      >
        {when || t('listing.noSize')}
      </td>
      <td className="ArchiveList__action">
        {!isDir && (
          <IconButton
            icon="download"
            size="s"
            label={t('share.downloadOf', { name })}
            onClick={() => download(source.fileUrl(path))}
          />
        )}
      </td>
    </tr>
  )
}
