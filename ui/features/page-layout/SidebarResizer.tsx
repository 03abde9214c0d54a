import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { layout } from '#ui/state/view/layout.ts'
import './SidebarResizer.css'

/** The widths of the sidebar and the step of an arrow key, in pixels. */
const WIDTH_MIN_PX = 200
const WIDTH_MAX_PX = 480
const STEP_PX = 16

/** The edge of the sidebar: changes its width, also by keyboard. A double click resets the width. */
export function SidebarResizer() {
  const { t } = useTranslation()
  const { sidebarWidth } = useSnapshot(layout)
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
    resize(drag.current.width + moved)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const width = widthAfterKey(event.key, widthOf(event.currentTarget))
    if (width === undefined) return
    event.preventDefault()
    event.stopPropagation()
    resize(width)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr element cannot be dragged
    <div
      className="SidebarResizer"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('sidebar.width')}
      aria-valuemin={WIDTH_MIN_PX}
      aria-valuemax={WIDTH_MAX_PX}
      aria-valuenow={sidebarWidth ?? WIDTH_MIN_PX}
      aria-valuetext={
        sidebarWidth === null
          ? t('listing.automatic')
          : t('listing.pixels', { count: sidebarWidth })
      }
      title={t('sidebar.width')}
      onPointerDown={begin}
      onPointerMove={resizeByDrag}
      onDoubleClick={resetWidth}
      onKeyDown={onKeyDown}
    />
  )
}

function resetWidth(): void {
  layout.sidebarWidth = null
}

/** The width after a key press; undefined for other keys. */
function widthAfterKey(key: string, width: number): number | undefined {
  const step = isRightToLeft() ? -STEP_PX : STEP_PX
  if (key === 'ArrowRight') return width + step
  if (key === 'ArrowLeft') return width - step
  if (key === 'Home') return WIDTH_MIN_PX
  if (key === 'End') return WIDTH_MAX_PX
  return undefined
}

function resize(width: number): void {
  layout.sidebarWidth = Math.round(Math.max(WIDTH_MIN_PX, Math.min(width, WIDTH_MAX_PX)))
}

function widthOf(edge: HTMLElement): number {
  return edge.closest('.Sidebar')?.getBoundingClientRect().width ?? WIDTH_MIN_PX
}
