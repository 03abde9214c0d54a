import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { layout } from '#ui/state/view/layout.ts'
import './NameResizer.css'

/** The minimum width of the name column, in pixels. */
const WIDTH_MIN_PX = 160
/** The step of an arrow key, in pixels. */
const STEP_PX = 16

/** The handle at the end of the name column: resizes the column, also by keyboard. A double click resets the width. */
export function NameResizer() {
  const { t } = useTranslation()
  const { nameWidth } = useSnapshot(layout)
  const drag = useRef({ x: 0, width: 0 })

  function begin(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
    drag.current = { x: event.clientX, width: widthOf(event.currentTarget) }
  }

  function resizeByDrag(event: PointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const moved = (event.clientX - drag.current.x) * (isRightToLeft() ? -1 : 1)
    resize(event.currentTarget, drag.current.width + moved)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const width = widthAfterKey(event.key, event.currentTarget)
    if (width === undefined) return
    event.preventDefault()
    event.stopPropagation()
    resize(event.currentTarget, width)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr element cannot be dragged
    <div
      className="NameResizer"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('listing.nameWidth')}
      aria-valuemin={WIDTH_MIN_PX}
      aria-valuenow={nameWidth ?? WIDTH_MIN_PX}
      aria-valuetext={
        nameWidth === null ? t('listing.automatic') : t('listing.pixels', { count: nameWidth })
      }
      title={t('listing.nameWidth')}
      onPointerDown={begin}
      onPointerMove={resizeByDrag}
      onDoubleClick={resetWidth}
      onKeyDown={onKeyDown}
    />
  )
}

function resetWidth(): void {
  layout.nameWidth = null
}

/** The width after a key press; undefined for other keys. */
function widthAfterKey(key: string, handle: HTMLElement): number | undefined {
  const width = widthOf(handle)
  const step = isRightToLeft() ? -STEP_PX : STEP_PX
  if (key === 'ArrowRight') return width + step
  if (key === 'ArrowLeft') return width - step
  if (key === 'Home') return WIDTH_MIN_PX
  if (key === 'End') return widthMax(handle)
  return undefined
}

function resize(handle: HTMLElement, width: number): void {
  layout.nameWidth = Math.round(Math.max(WIDTH_MIN_PX, Math.min(width, widthMax(handle))))
}

function columnOf(handle: HTMLElement): HTMLElement {
  return handle.parentElement ?? handle
}

function widthOf(handle: HTMLElement): number {
  return columnOf(handle).getBoundingClientRect().width
}

/** The largest width of the name column that does not make other columns narrower. */
function widthMax(handle: HTMLElement): number {
  const header = columnOf(handle).parentElement
  if (!header) return WIDTH_MIN_PX
  const widths = getComputedStyle(header).gridTemplateColumns.split(' ').map(Number.parseFloat)
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const spare = (widths.at(-1) ?? 0) - 2 * rem
  return widthOf(handle) + Math.max(0, spare)
}
