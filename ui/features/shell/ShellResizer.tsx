import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { emPx } from '#ui/lib/page/em-px.ts'
import { resizeShell, shell } from '#ui/state/shell/shell.ts'
import './ShellResizer.css'

/** The steps of the arrow keys, and of PageUp and PageDown. */
const STEP_EM = 1
const PAGE_STEP_EM = 5

/** The upper edge of the panel: resizes it, also by keyboard. A double click resets the height. */
export function ShellResizer() {
  const { t } = useTranslation()
  const { heightEm } = useSnapshot(shell)
  const drag = useRef({ y: 0, height: 0 })
  const edge = useRef<HTMLDivElement>(null)
  const [maxPx, setMaxPx] = useState(() => largestPx())

  useLayoutEffect(() => {
    const panel = edge.current?.parentElement
    if (!panel?.parentElement) return
    const observer = new ResizeObserver(() => setMaxPx(largestPx(panel)))
    observer.observe(panel.parentElement)
    return () => observer.disconnect()
  }, [])

  function begin(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
    drag.current = { y: event.clientY, height: shell.heightEm }
  }

  function resizeByDrag(event: PointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    resize(drag.current.height + (drag.current.y - event.clientY) / emPx(), maxPx)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr element cannot be dragged
    <div
      ref={edge}
      className="ShellResizer"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t('shell.height')}
      aria-valuemin={Math.round(UI_LIMITS.shellHeightMinEm * emPx())}
      aria-valuemax={Math.round(maxPx)}
      aria-valuenow={Math.round(Math.min(heightEm * emPx(), maxPx))}
      title={t('shell.height')}
      onPointerDown={begin}
      onPointerMove={resizeByDrag}
      onDoubleClick={() => resize(UI_LIMITS.shellHeightEm, maxPx)}
      onKeyDown={(event) => resizeByKey(event, maxPx)}
    />
  )
}

/**
 * The largest height of the panel: the window without a rest, and no more than the panel and the files above it have
 * together, unless it lies over the page.
 *
 * @param panel absent before the first layout
 */
function largestPx(panel?: HTMLElement): number {
  const windowPx = window.innerHeight - UI_LIMITS.shellWindowRestEm * emPx()
  const files = panel?.previousElementSibling
  if (!panel || !files || getComputedStyle(panel).position === 'fixed') return windowPx
  const gripPx = Number.parseFloat(getComputedStyle(panel).gridTemplateRows)
  return Math.min(windowPx, files.clientHeight + panel.clientHeight - gripPx)
}

function resizeByKey(event: KeyboardEvent<HTMLElement>, maxPx: number): void {
  const height = heightAfterKey(event.key)
  if (height === undefined) return
  event.preventDefault()
  event.stopPropagation()
  resize(height, maxPx)
}

/** The height after a key press; undefined for other keys. */
function heightAfterKey(key: string): number | undefined {
  if (key === 'ArrowUp') return shell.heightEm + STEP_EM
  if (key === 'ArrowDown') return shell.heightEm - STEP_EM
  if (key === 'PageUp') return shell.heightEm + PAGE_STEP_EM
  if (key === 'PageDown') return shell.heightEm - PAGE_STEP_EM
  if (key === 'Home') return UI_LIMITS.shellHeightMinEm
  if (key === 'End') return Number.POSITIVE_INFINITY
  return undefined
}

function resize(heightEm: number, maxPx: number): void {
  resizeShell(heightEm, maxPx / emPx())
}
