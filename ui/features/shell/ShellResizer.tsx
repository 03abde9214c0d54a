import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { emPx } from '#ui/lib/em-px.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { resizeShell, shell } from '#ui/state/shell.ts'
import './ShellResizer.css'

/** The steps of the arrow keys, and of PageUp and PageDown. */
const STEP_EM = 1
const PAGE_STEP_EM = 5

/** The upper edge of the panel: resizes it, also by keyboard. A double click resets the height. */
export function ShellResizer() {
  const { t } = useTranslation()
  const { heightEm } = useSnapshot(shell)
  const drag = useRef({ y: 0, height: 0 })

  function begin(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
    drag.current = { y: event.clientY, height: shell.heightEm }
  }

  function resizeByDrag(event: PointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    resize(drag.current.height + (drag.current.y - event.clientY) / emPx())
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr element cannot be dragged
    <div
      className="ShellResizer"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t('shell.height')}
      aria-valuemin={Math.round(UI_LIMITS.shellHeightMinEm * emPx())}
      aria-valuemax={Math.round(window.innerHeight - UI_LIMITS.shellWindowRestEm * emPx())}
      aria-valuenow={Math.round(heightEm * emPx())}
      title={t('shell.height')}
      onPointerDown={begin}
      onPointerMove={resizeByDrag}
      onDoubleClick={() => resize(UI_LIMITS.shellHeightEm)}
      onKeyDown={resizeByKey}
    />
  )
}

function resizeByKey(event: KeyboardEvent<HTMLElement>): void {
  const height = heightAfterKey(event.key)
  if (height === undefined) return
  event.preventDefault()
  event.stopPropagation()
  resize(height)
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

function resize(heightEm: number): void {
  resizeShell(heightEm, window.innerHeight / emPx())
}
