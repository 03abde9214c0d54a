import { memo, useLayoutEffect, useRef } from 'react'
import { Checkmark } from '#ui/components/icons/Checkmark.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { FilmBadge } from '#ui/components/pictures/FilmBadge.tsx'
import { formatSize } from '#ui/i18n/format.ts'
import type { Picture } from '../gallery/use-gallery.ts'
import { type CellProps, tileAttributes } from './cell.ts'
import { EntryLink } from './EntryLink.tsx'
import { EntryMenuButton } from './EntryMenuButton.tsx'
import './PictureTile.css'

interface PictureTileProps extends CellProps {
  picture: Picture
  /** Whether its row is final, so that its box no longer moves (use-gallery.ts). */
  isSettled: boolean
}

/** A picture of the gallery; its name is shown on hover. */
export const PictureTile = memo(function PictureTile({
  picture,
  isSettled,
  ...cell
}: PictureTileProps) {
  const { entry, isSelected, seconds } = cell
  const hasFailed = picture === 'failed'
  return (
    <div className="PictureTile" {...tileAttributes(cell)}>
      {hasFailed && <FileIcon entry={entry} />}
      {picture && !hasFailed && isSettled && <LoadedPicture picture={picture} />}
      <div className="PictureTile__caption" data-shown={hasFailed || undefined}>
        <EntryLink entry={entry}>
          <Name>{entry.name}</Name>
        </EntryLink>
        <bdi className="PictureTile__size">{formatSize(entry.size)}</bdi>
        <EntryMenuButton entry={entry} />
      </div>
      {seconds !== undefined && <FilmBadge seconds={seconds} />}
      <Checkmark isSelected={isSelected} />
    </div>
  )
})

/** Inserts the image element that was loaded: another element with the same URL might load it again. */
function LoadedPicture({ picture }: { picture: HTMLImageElement }) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    Object.assign(picture, { className: 'PictureTile__picture', alt: '', draggable: false })
    frame.current?.replaceChildren(picture)
  }, [picture])
  return <div ref={frame} className="PictureTile__frame" />
}
