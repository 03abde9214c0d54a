import { memo } from 'react'
import { Checkmark } from '#ui/components/icons/Checkmark.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { FilmBadge } from '#ui/components/pictures/FilmBadge.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { formatColumnSize, formatExactSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { deadLinkKind } from '#ui/lib/entries/kinds.ts'
import { type CellProps, tileAttributes } from './cell.ts'
import { EntryLink } from './EntryLink.tsx'
import { EntryMenuButton } from './EntryMenuButton.tsx'
import { tileSource } from './pictures.ts'
import './FileTile.css'

/** The tile of a file: its thumbnail or icon, its name and its size. */
export const FileTile = memo(function FileTile(cell: CellProps) {
  const { entry, isSelected, hasThumbnail, seconds = 0 } = cell
  const { t } = useTranslation()
  const source = hasThumbnail ? tileSource(entry) : undefined
  // Without a picture, the icon already says that it is a film.
  const hasBadge = seconds > 0 || (entry.type === 'video' && source !== undefined)
  const link = deadLinkKind(entry)
  return (
    <div className="FileTile" {...tileAttributes(cell)}>
      <div className="FileTile__box">
        <Thumb src={source} fallback={<FileIcon entry={entry} />} />
        {hasBadge && <FilmBadge seconds={seconds} />}
        <Checkmark isSelected={isSelected} />
      </div>
      <div className="FileTile__caption">
        <EntryLink entry={entry}>
          <Name isTall>{entry.name}</Name>
        </EntryLink>
        <bdi className="FileTile__size" title={formatExactSize(entry.size)}>
          {link ? t(`kinds.${link}`) : formatColumnSize(entry.size)}
        </bdi>
        <EntryMenuButton entry={entry} />
      </div>
    </div>
  )
})
