import { memo } from 'react'
import { Checkmark } from '#ui/components/icons/Checkmark.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { formatExactSize, formatSize } from '#ui/i18n/format.ts'
import { type CellProps, tileAttributes } from './cell.ts'
import { EntryLink } from './EntryLink.tsx'
import { EntryMenuButton } from './EntryMenuButton.tsx'
import { tileSource } from './pictures.ts'
import './FileTile.css'

/** The tile of a file: its thumbnail or icon, its name and its size. */
export const FileTile = memo(function FileTile(cell: CellProps) {
  const { entry, isSelected, hasThumbnail } = cell
  return (
    <div className="FileTile" {...tileAttributes(cell)}>
      <div className="FileTile__box">
        <Thumb
          src={hasThumbnail ? tileSource(entry) : undefined}
          fallback={<FileIcon entry={entry} />}
        />
        <Checkmark isSelected={isSelected} />
      </div>
      <div className="FileTile__caption">
        <EntryLink entry={entry}>
          <Name>{entry.name}</Name>
        </EntryLink>
        <bdi className="FileTile__size" title={formatExactSize(entry.size)}>
          {formatSize(entry.size)}
        </bdi>
        <EntryMenuButton entry={entry} />
      </div>
    </div>
  )
})
