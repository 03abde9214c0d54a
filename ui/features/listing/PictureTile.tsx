import { memo, useLayoutEffect, useRef } from 'react'
import { Checkmark } from '#ui/components/Checkmark.tsx'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { Name } from '#ui/components/Name.tsx'
import { formatSize } from '#ui/i18n/format.ts'
import { type CellProps, tileAttributes } from './cell.ts'
import { MoreDots } from './MoreDots.tsx'
import type { Picture } from './use-gallery.ts'
import './PictureTile.css'

interface PictureTileProps extends CellProps {
  picture: Picture
  /** Whether the sizes of all pictures before it are known, so that its box moves no more. */
  isSettled: boolean
}

/** A picture of the gallery; its name shows when it is pointed at. */
export const PictureTile = memo(function PictureTile({
  picture,
  isSettled,
  ...cell
}: PictureTileProps) {
  const { entry, isSelected } = cell
  const failed = picture === 'failed'
  return (
    <div className="PictureTile" {...tileAttributes(cell)}>
      {failed && <FileIcon entry={entry} />}
      {picture && !failed && isSettled && <LoadedPicture picture={picture} />}
      <div className="PictureTile__caption" data-shown={failed || undefined}>
        <Name>{entry.name}</Name>
        <bdi className="PictureTile__size">{formatSize(entry.size)}</bdi>
        <MoreDots entry={entry} />
      </div>
      {isSelected && <Checkmark />}
    </div>
  )
})

/** Shows the image element that was loaded: another element with the same address might load it again. */
function LoadedPicture({ picture }: { picture: HTMLImageElement }) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    Object.assign(picture, { className: 'PictureTile__picture', alt: '', draggable: false })
    frame.current?.replaceChildren(picture)
  }, [picture])
  return <div ref={frame} className="PictureTile__frame" />
}
