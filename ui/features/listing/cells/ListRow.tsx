// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualized
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and `aria-activedescendant`
import { memo } from 'react'
import { EntryIcon } from '#ui/components/file/EntryIcon.tsx'
import { EntryLabel } from '#ui/components/file/EntryLabel.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { formatColumnSize, formatDate, formatExactSize, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { deadLinkKind, kindOf } from '#ui/lib/entries/kinds.ts'
import { rowThumbnailOf } from '#ui/state/session/settings.ts'
import type { CellProps } from './cell.ts'
import { EntryLink } from './EntryLink.tsx'
import { EntryMenuButton } from './EntryMenuButton.tsx'
import { rowSource } from './pictures.ts'
import { SharedCell } from './SharedCell.tsx'
import './ListRow.css'

interface ListRowProps extends CellProps {
  hasExactDates: boolean
  showsFolderSizes: boolean
  /** The chosen columns as a string, so that `memo` compares them by value. */
  columns: string
}

/** The row of an entry in a list. It is dragged by its visible content, not by the empty space beside it. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { id, entry, index, y, rowIndex, isSelected, isCursor, isCut, hasExactDates } = props
  const { draggable, hasThumbnail, columns, showsFolderSizes } = props
  const { t } = useTranslation()
  const modified = formatDate(entry.modified, hasExactDates)
  const folderBytes = showsFolderSizes ? entry.totalSize : undefined
  const bytes = entry.isDir ? folderBytes : entry.size
  const size = bytes === undefined ? undefined : formatColumnSize(bytes)
  const link = deadLinkKind(entry)
  const why = link && t(`kinds.${link}`)
  return (
    <div
      id={id}
      className="ListRow"
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      data-index={index}
      data-cursor={isCursor || undefined}
      data-cut={isCut || undefined}
      data-dead-link={link && true}
      data-drop-path={entry.isDir && !entry.listOnly ? entry.path : undefined}
      style={{ insetBlockStart: y }}
    >
      <div className="ListRow__name" role="gridcell">
        <EntryIcon isSelected={isSelected} data-drag-handle draggable={draggable}>
          <Thumb
            src={hasThumbnail ? rowSource(entry) : undefined}
            isWhole={rowThumbnailOf(entry) === 'small'}
            fallback={<FileIcon entry={entry} />}
          />
        </EntryIcon>
        <EntryLabel
          data-drag-handle
          draggable={draggable}
          sub={
            <>
              {why ?? (size !== undefined && <bdi>{size}</bdi>)}
              {(why ?? size) !== undefined && ' · '}
              {modified}
            </>
          }
        >
          <EntryLink entry={entry}>
            <Name>{entry.name}</Name>
          </EntryLink>
        </EntryLabel>
      </div>
      {columns.includes('type') && (
        <div className="ListRow__type" role="gridcell">
          {t(`kinds.${kindOf(entry)}`)}
        </div>
      )}
      {columns.includes('shared') && <SharedCell path={entry.path} />}
      {why || bytes === undefined ? (
        <div className="ListRow__size" role="gridcell" data-none>
          {why ?? t('listing.noSize')}
        </div>
      ) : (
        <div className="ListRow__size" role="gridcell" title={formatExactSize(bytes)}>
          <bdi>{size}</bdi>
        </div>
      )}
      <div className="ListRow__modified" role="gridcell" title={formatFullDate(entry.modified)}>
        {modified}
      </div>
      <div className="ListRow__more" role="gridcell">
        <EntryMenuButton entry={entry} />
      </div>
    </div>
  )
})
