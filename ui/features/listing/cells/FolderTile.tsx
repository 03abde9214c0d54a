import { memo } from 'react'
import { Checkmark } from '#ui/components/icons/Checkmark.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { type CellProps, tileAttributes } from './cell.ts'
import { EntryLink } from './EntryLink.tsx'
import { EntryMenuButton } from './EntryMenuButton.tsx'
import './FolderTile.css'

/** The tile of a folder: its icon and its name. */
export const FolderTile = memo(function FolderTile(cell: CellProps) {
  const { entry, isSelected } = cell
  return (
    <div className="FolderTile" {...tileAttributes(cell)}>
      <span className="FolderTile__icon">
        <FileIcon entry={entry} />
        <Checkmark isSelected={isSelected} />
      </span>
      <EntryLink entry={entry}>
        <Name isTall>{entry.name}</Name>
      </EntryLink>
      <EntryMenuButton entry={entry} />
    </div>
  )
})
