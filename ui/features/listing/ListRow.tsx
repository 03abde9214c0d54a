// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, a grid of boxes can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus and points at rows
import { memo } from 'react'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Name } from '#ui/components/Name.tsx'
import { Thumb } from '#ui/components/Thumb.tsx'
import { Tick } from '#ui/components/Tick.tsx'
import { formatDate, formatExactSize, formatFullDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { thumbnailUrl } from '#ui/lib/links.ts'
import { settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import './ListRow.css'

interface ListRowProps {
  id: string
  entry: Entry
  index: number
  isSelected: boolean
  isCursor: boolean
  isCut: boolean
  exactDates: boolean
  /** Whether thumbnails may be asked for. */
  pictures: boolean
}

/** One entry. Its gestures are the list's. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { id, entry, index, isSelected, isCursor, isCut, exactDates, pictures } = props
  const { t } = useTranslation()
  const modified = formatDate(entry.modified, exactDates)
  return (
    <div
      id={id}
      className="ListRow"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-cursor={isCursor || undefined}
      data-cut={isCut || undefined}
      data-drop-path={entry.isDir ? entry.path : undefined}
    >
      <div className="ListRow__name" role="gridcell">
        <span className="ListRow__icon">
          <RowPicture entry={entry} pictures={pictures} />
          {isSelected && <Tick />}
        </span>
        <span className="ListRow__label">
          <Name>{entry.name}</Name>
          <span className="ListRow__sub">
            {!entry.isDir && <bdi>{formatSize(entry.size)}</bdi>}
            {!entry.isDir && ' · '}
            {modified}
          </span>
        </span>
      </div>
      {entry.isDir ? (
        <div className="ListRow__size" role="gridcell" data-none>
          {t('listing.noSize')}
        </div>
      ) : (
        <div className="ListRow__size" role="gridcell" title={formatExactSize(entry.size)}>
          <bdi>{formatSize(entry.size)}</bdi>
        </div>
      )}
      <div className="ListRow__modified" role="gridcell" title={formatFullDate(entry.modified)}>
        {modified}
      </div>
      <div className="ListRow__more" role="gridcell">
        <IconButton
          icon="ellipsis"
          size="s"
          label={t('listing.more', { name: entry.name })}
          aria-haspopup="menu"
          tabIndex={-1}
          data-more
        />
      </div>
    </div>
  )
})

function RowPicture({ entry, pictures }: { entry: Entry; pictures: boolean }) {
  const icon = <FileIcon entry={entry} />
  if (entry.type !== 'image' || !pictures || !settings.EnableThumbs) return icon
  // The server spells an entry's path as a clean TreePath.
  return <Thumb src={thumbnailUrl(entry, entry.path as TreePath)} fallback={icon} />
}
