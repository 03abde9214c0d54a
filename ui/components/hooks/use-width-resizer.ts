import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'

/** The step of an arrow key, in pixels. */
const STEP_PX = 16

interface WidthResizerOptions {
  label: string
  /** The chosen width in pixels; null if it is automatic. */
  value: number | null
  minPx: number
  /** Undefined if it depends on the window. */
  maxPx?: number
  /** The width now, in pixels. */
  widthOf(handle: HTMLElement): number
  /** The largest width, in pixels. */
  widthMax(handle: HTMLElement): number
  /** Null resets the width. */
  onChange(widthPx: number | null): void
}

/** The props of a handle that changes a width, also by keyboard. A double click resets it. */
export function useWidthResizer(options: WidthResizerOptions) {
  const { label, value, minPx, maxPx, widthOf, widthMax, onChange } = options
  const { t } = useTranslation()
  const drag = useRef({ x: 0, width: 0 })

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
    drag.current = { x: event.clientX, width: widthOf(event.currentTarget) }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
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

  /** The width after a key press; undefined for other keys. */
  function widthAfterKey(key: string, handle: HTMLElement): number | undefined {
    const step = isRightToLeft() ? -STEP_PX : STEP_PX
    if (key === 'ArrowRight') return widthOf(handle) + step
    if (key === 'ArrowLeft') return widthOf(handle) - step
    if (key === 'Home') return minPx
    if (key === 'End') return widthMax(handle)
    return undefined
  }

  function resize(handle: HTMLElement, width: number): void {
    onChange(Math.round(Math.max(minPx, Math.min(width, widthMax(handle)))))
  }

  return {
    role: 'separator',
    tabIndex: 0,
    'aria-orientation': 'vertical',
    'aria-label': label,
    'aria-valuemin': minPx,
    'aria-valuemax': maxPx,
    'aria-valuenow': value ?? minPx,
    'aria-valuetext':
      value === null ? t('listing.automatic') : t('listing.pixels', { count: value }),
    title: label,
    onPointerDown,
    onPointerMove,
    onDoubleClick: () => onChange(null),
    onKeyDown,
  } as const
}
