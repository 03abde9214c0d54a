import { type PointerEvent, useRef } from 'react'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import './FavouriteHandle.css'

/** A shorter movement is a tap, in pixels. */
const TAP_PX = 6

interface FavouriteHandleProps {
  path: TreePath
  /** Called with the height of the finger in the window. */
  onMove(y: number): void
  onDrop(): void
  /** Called when the system takes the gesture over. */
  onCancel(): void
  onTap(): void
}

/** Moves a favourite with the finger. A tap moves it without a drag (WCAG 2.2, 2.5.7). */
export function FavouriteHandle({ path, onMove, onDrop, onCancel, onTap }: FavouriteHandleProps) {
  const { t } = useTranslation()
  const startY = useRef<number>(undefined)
  const isDragged = useRef(false)

  function begin(event: PointerEvent): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    startY.current = event.clientY
    isDragged.current = false
  }

  function follow(event: PointerEvent): void {
    if (startY.current === undefined) return
    isDragged.current ||= Math.abs(event.clientY - startY.current) >= TAP_PX
    if (isDragged.current) onMove(event.clientY)
  }

  function end(): void {
    startY.current = undefined
    if (isDragged.current) onDrop()
  }

  return (
    <span className="FavouriteHandle">
      <IconButton
        icon="chevrons-up-down"
        size="s"
        label={t('sidebar.moveFavourite', { name: shownName(nameOf(path)).text })}
        data-stays
        onPointerDown={begin}
        onPointerMove={follow}
        onPointerUp={end}
        onPointerCancel={() => {
          startY.current = undefined
          onCancel()
        }}
        onClick={() => {
          // The click after a drag.
          if (!isDragged.current) onTap()
          isDragged.current = false
        }}
      />
    </span>
  )
}
