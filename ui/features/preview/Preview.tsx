import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { useSwipe } from '#ui/components/hooks/use-swipe.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useViewerContext } from '#ui/state/action-context.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import { Filmstrip } from './Filmstrip.tsx'
import { useFullScreen } from './use-full-screen.ts'
import { useIdle } from './use-idle.ts'
import './Preview.css'

interface PreviewProps {
  children: ReactNode
  /** Tools below the content. */
  tools?: ReactNode
  /** Whether the controls are hidden after a time without use of pointer and keyboard: while a film plays. */
  hidesControls?: boolean
}

/** Surrounds the content of a viewer: on the page of a file with the buttons for the previous and next one. A picture handles swipes itself. */
export function Preview({ children, tools, hidesControls = false }: PreviewProps) {
  const { viewer, isQuickLook, share } = useViewerContext()
  const { isIdle } = useSnapshot(viewerState)
  const isOnBlack = viewer === 'image' || viewer === 'video'
  const isFull = useFullScreen()
  useIdle(hidesControls || (isFull && isOnBlack))
  const swipe = useSwipe((direction) => void perform(actionOf(direction)))
  return (
    <div
      className="Preview"
      data-idle={isIdle || undefined}
      data-on-black={isOnBlack || undefined}
      {...(viewer !== 'image' && swipe)}
    >
      <div className="Preview__stage">{children}</div>
      {/* Quick Look and the page of a share have them in their bar, for every kind of file. */}
      {!isQuickLook && !share && (
        <>
          <StepButton id="previous" />
          <StepButton id="next" />
        </>
      )}
      <div className="Preview__foot">
        {tools}
        {viewer === 'image' && !isQuickLook && <Filmstrip />}
      </div>
    </div>
  )
}

function StepButton({ id }: { id: 'previous' | 'next' }) {
  const { t } = useTranslation()
  const context = useViewerContext()
  const action = actionOf(id)
  if (!action.when(context)) return null
  return (
    <button
      type="button"
      className="Preview__step"
      data-side={id}
      aria-label={t(action.label)}
      title={context[id]?.name}
      onClick={() => perform(action)}
    >
      <Icon name={action.icon} mirror />
    </button>
  )
}
