import { type PointerEvent, type ReactNode, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Icon } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isRightToLeft } from '#ui/lib/direction.ts'
import { opened } from '#ui/state/opened.ts'
import { useSituation } from '#ui/state/situation.ts'
import { Filmstrip } from './Filmstrip.tsx'
import { useIdle } from './use-idle.ts'
import { swipeOf } from './zoom.ts'
import './Preview.css'

interface PreviewProps {
  children: ReactNode
  /** What one does with the thing, below it. */
  tools?: ReactNode
  /** What lies around may leave when nothing moves: for pictures and films. */
  restful?: boolean
}

/** A stage for one thing, and the ways to those before and after it. */
export function Preview({ children, tools, restful = true }: PreviewProps) {
  const { viewer } = useSituation()
  const { idle } = useSnapshot(opened)
  useIdle(restful)
  const swipe = useSwipe()
  return (
    <div className="Preview" data-idle={idle || undefined} {...(viewer !== 'image' && swipe)}>
      <div className="Preview__stage">{children}</div>
      <TurnButton id="previous" />
      <TurnButton id="next" />
      <div className="Preview__foot">
        {tools}
        {viewer === 'image' && <Filmstrip />}
      </div>
    </div>
  )
}

function TurnButton({ id }: { id: 'previous' | 'next' }) {
  const { t } = useTranslation()
  const now = useSituation()
  const action = actionOf(id)
  if (!action.when(now)) return null
  return (
    <button
      type="button"
      className="Preview__turn"
      data-side={id}
      aria-label={t(action.label)}
      title={now[id]?.name}
      onClick={() => perform(action)}
    >
      <Icon name={action.icon} mirror />
    </button>
  )
}

/** A finger's way across the stage turns to the next one. */
function useSwipe() {
  const from = useRef<{ x: number; y: number }>(null)
  return {
    onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) {
      from.current = pointerType === 'touch' && isPrimary ? { x, y } : null
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      if (!from.current) return
      const way = { x: clientX - from.current.x, y: clientY - from.current.y }
      from.current = null
      const swipe = swipeOf(way, isRightToLeft())
      if (swipe) void perform(actionOf(swipe))
    },
  }
}
