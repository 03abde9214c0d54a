import { memo, useEffect, useState } from 'react'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { Name } from '#ui/components/Name.tsx'
import { Tick } from '#ui/components/Tick.tsx'
import { formatSize } from '#ui/i18n/format.ts'
import { takeSlot } from '#ui/lib/image-slots.ts'
import { type CellProps, tileAttributes } from './cell.ts'
import { MoreDots } from './MoreDots.tsx'
import { pictureSource } from './pictures.ts'
import './PictureTile.css'

interface PictureTileProps extends CellProps {
  /** Whether its box stays where it is. */
  isSettled: boolean
  onKnown(src: string, ratio: number | undefined): void
}

/** A picture of the gallery; its name shows when it is pointed at. */
export const PictureTile = memo(function PictureTile({
  isSettled,
  onKnown,
  ...cell
}: PictureTileProps) {
  const { entry, isSelected } = cell
  const src = pictureSource(entry)
  const state = usePicture(src, onKnown)
  return (
    <div className="PictureTile" {...tileAttributes(cell)}>
      {state === 'failed' && <FileIcon entry={entry} />}
      {state === 'loaded' && isSettled && (
        <img className="PictureTile__picture" src={src} alt="" draggable={false} />
      )}
      <div className="PictureTile__caption" data-shown={state === 'failed' || undefined}>
        <Name>{entry.name}</Name>
        <bdi className="PictureTile__size">{formatSize(entry.size)}</bdi>
        <MoreDots entry={entry} />
      </div>
      {isSelected && <Tick />}
    </div>
  )
})

/** Loads a picture when it is its turn, and tells its proportions. */
function usePicture(src: string, onKnown: PictureTileProps['onKnown']) {
  const [state, setState] = useState<'waiting' | 'loaded' | 'failed'>('waiting')
  useEffect(() => {
    setState('waiting')
    const arrived = ({ naturalWidth, naturalHeight }: HTMLImageElement) => {
      onKnown(src, naturalWidth / naturalHeight || undefined)
      setState('loaded')
    }
    return takeSlot(src, arrived, () => {
      onKnown(src, undefined)
      setState('failed')
    })
  }, [src, onKnown])
  return state
}
