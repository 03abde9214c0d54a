import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { PictureArea } from '#wire/api/media.ts'
import { drawn, type Edges, HANDLES, moved, resized, stepOf } from './crop.ts'
import type { Crop } from './use-crop.ts'
import type { PixelSize, Point } from './zoom.ts'
import './CropArea.css'

interface CropAreaProps {
  /** The picture in its own pixels, and as it is shown. */
  size: PixelSize
  shown: PixelSize
  area: PictureArea
  crop: Pick<Crop, 'choose' | 'save' | 'leave'>
}

/** What a pointer does until it is released. */
type Gesture = (area: PictureArea, from: Point, to: Point) => PictureArea

/** Over a picture: the part that a crop keeps. It is drawn, moved and resized by pointer and keys. */
export function CropArea({ size, shown, area, crop }: CropAreaProps) {
  const { t } = useTranslation()
  const picture = useRef<HTMLDivElement>(null)
  const part = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState<{ gesture: Gesture; from: Point; area: PictureArea }>()
  const scale = shown.width / size.width
  useEffect(() => part.current?.focus(), [])
  useCropKeys({ size, area, crop })

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0 || held) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setHeld({ gesture: gestureAt(event.target, size), from: pointOf(event), area })
  }

  function onPointerMove(event: PointerEvent): void {
    if (held) crop.choose(held.gesture(held.area, held.from, pointOf(event)))
  }

  /** The position of a pointer in the pixels of the picture. */
  function pointOf({ clientX, clientY }: PointerEvent): Point {
    const box = picture.current?.getBoundingClientRect()
    return { x: (clientX - (box?.x ?? 0)) / scale, y: (clientY - (box?.y ?? 0)) / scale }
  }

  return (
    <div
      className="CropArea"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => setHeld(undefined)}
      onPointerCancel={() => setHeld(undefined)}
    >
      <div
        ref={picture}
        className="CropArea__picture"
        dir="ltr"
        style={{ inlineSize: shown.width, blockSize: shown.height }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has its own layout */}
        <div
          ref={part}
          className="CropArea__part"
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move it
          tabIndex={0}
          aria-label={`${t('viewer.cropArea')}: ${sizeText(area)}`}
          aria-description={t('viewer.cropKeys')}
          style={{
            inlineSize: area.width * scale,
            blockSize: area.height * scale,
            translate: `${area.left * scale}px ${area.top * scale}px`,
          }}
        >
          {HANDLES.map(({ x, y }) => (
            <span key={`${x} ${y}`} className="CropArea__handle" data-x={x} data-y={y} />
          ))}
        </div>
      </div>
    </div>
  )
}

export function sizeText({ width, height }: PixelSize): string {
  return `${formatNumber(width)} × ${formatNumber(height)}`
}

function gestureAt(target: EventTarget, size: PixelSize): Gesture {
  const by = (from: Point, to: Point) => ({ x: to.x - from.x, y: to.y - from.y })
  if (!(target instanceof HTMLElement)) return (area) => area
  const { x, y } = target.dataset
  if (x !== undefined && y !== undefined) {
    const edges = { x: Number(x), y: Number(y) } as Edges
    return (area, from, to) => resized(area, edges, by(from, to), size)
  }
  if (target.closest('.CropArea__part')) return (area, from, to) => moved(area, by(from, to), size)
  return (_, from, to) => drawn(from, to, size)
}

const ARROWS: Record<string, Point | undefined> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** The keys of the viewer have no effect while a part is chosen, so they are handled before any other listener. */
function useCropKeys({ size, area, crop }: Omit<CropAreaProps, 'shown'>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isOnButton = event.target instanceof Element && event.target.closest('button') !== null
    if (document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey)
      return
    if (event.key === 'Tab' || (isOnButton && [' ', 'Enter'].includes(event.key))) return
    event.stopPropagation()
    const arrow = ARROWS[event.key]
    if (arrow) {
      event.preventDefault()
      const step = stepOf(size)
      const by = { x: arrow.x * step, y: arrow.y * step }
      crop.choose(event.shiftKey ? resized(area, { x: 1, y: 1 }, by, size) : moved(area, by, size))
    } else if (event.key === 'Enter') crop.save()
    else if (event.key === 'Escape') crop.leave()
  })
  useEffect(() => {
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [])
}
