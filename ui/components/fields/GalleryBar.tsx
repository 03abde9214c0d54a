import { useTranslation } from '#ui/i18n/i18n.ts'
import { IconButton } from '../controls/IconButton.tsx'
import './Slider.css'
import './GalleryBar.css'

interface GalleryBarProps {
  /** The height of a row, as a factor of the default. */
  height: number
  /** Whether the pictures are grouped by day. */
  isByDay: boolean
  onHeight(height: number): void
  onByDay(isByDay: boolean): void
  /** Starts the slideshow. */
  onPlay(): void
}

/** The smallest and the largest `height`. */
const SMALLEST_HEIGHT = 0.5
const LARGEST_HEIGHT = 2.5

/** The controls of a gallery: the size of pictures, grouping by day, and the slideshow. */
export function GalleryBar({ height, isByDay, onHeight, onByDay, onPlay }: GalleryBarProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      className="GalleryBar"
      role="group"
      aria-label={t('gallery.tools')}
      // Keys of the slider and the buttons must not reach the listing around them.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <input
        className="Slider GalleryBar__size"
        type="range"
        min={SMALLEST_HEIGHT}
        max={LARGEST_HEIGHT}
        step={0.25}
        value={height}
        aria-label={t('gallery.size')}
        data-tip={t('gallery.size')}
        onChange={(event) => onHeight(Number(event.target.value))}
      />
      <IconButton
        icon="calendar-clock"
        size="s"
        label={t('gallery.days')}
        pressed={isByDay}
        onClick={() => onByDay(!isByDay)}
      />
      <IconButton icon="play" size="s" label={t('gallery.play')} onClick={onPlay} />
    </div>
  )
}
